/**
 * The seed of every test that draws by chance, and the command that repeats one that failed.
 */
import { inject, TestRunner, type RunnerTask, type RunnerTestCase } from 'vitest'

const { seed, times } = inject('property')

/** An integer from 0 to 2^31 - 1. */
export const PROPERTY_SEED = seed

/** Runs of a property: as many as it needs to reach its corners, times what `PROPERTY_TIMES` asks for; at least one. */
export const runs = (count: number): number => Math.max(1, Math.round(count * times))

/**
 * Of a long row of cases a test takes every so many, at least each third where `PROPERTY_TIMES` asks for less than all.
 */
export const STRIDE = Math.min(3, Math.max(1, Math.round(1 / times)))

/** How often a corner has to be seen, of which a whole run sees more than `least`: a part of one sees less. */
export const needed = (least: number): number => (times >= 1 ? least : Math.floor((least * times) / 2) - 1)

/**
 * The command that repeats the test that is running: `again: PROPERTY_SEED=5 npx vitest run --project fast
 * test/a.test.ts -t 'a law'`.
 *
 * Known limit: of tests that run at once it may name another one.
 *
 * @param from  the seed to begin with, for a script that goes through several
 */
export function again(from: number = seed): string {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>()
  const command = `PROPERTY_SEED=${from} npx vitest run`
  if (test === undefined) return `again: ${command}`
  const { projectName, name } = test.file
  return `again: ${command} --project ${projectName} ${name} -t '${namePattern(test)}'`
}

/**
 * A regular expression for the name as vitest knows it; what a shell or an expression could take for its own is any
 * character.
 */
function namePattern(test: RunnerTask): string {
  const names: string[] = []
  for (let task: RunnerTask | undefined = test; task !== undefined; task = task.suite) names.unshift(task.name)
  return names.join(' ').replace(/[^\p{L}\p{N} ,:;=-]/gu, '.')
}
