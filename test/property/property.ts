/**
 * The seed of every test that draws by chance, and the command that repeats one that failed.
 */
import { inject, TestRunner, type RunnerTask, type RunnerTestCase } from 'vitest'

const { seed, times } = inject('property')

/** An integer from 0 to 2^31 - 1. */
export const PROPERTY_SEED = seed

/** Runs of a long property: as many as it needs to reach its corners, times what `PROPERTY_TIMES` asks for. */
export const runs = (count: number): number => count * times

/**
 * The command that repeats the test that is running: `again: PROPERTY_SEED=5 npx vitest run test/a.test.ts -t 'a law'`.
 *
 * Known limit: of tests that run at once it may name another one.
 *
 * @param from  the seed to begin with, for a script that goes through several
 */
export function again(from: number = seed): string {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>()
  const command = `PROPERTY_SEED=${from} npx vitest run`
  return test === undefined ? `again: ${command}` : `again: ${command} ${test.file.name} -t '${namePattern(test)}'`
}

/** A regular expression for the name as vitest knows it; what a shell or an expression could take for its own is any character. */
function namePattern(test: RunnerTask): string {
  const names: string[] = []
  for (let task: RunnerTask | undefined = test; task !== undefined; task = task.suite) names.unshift(task.name)
  return names.join(' ').replace(/[^\p{L}\p{N} ,:;=-]/gu, '.')
}
