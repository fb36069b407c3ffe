/**
 * What belongs into which suite, by the name of the file: `x.test.ts` runs in the process of the tests and needs
 * nothing but Node and its packages, so that `npm test` stays quick and runs anywhere; `x.stored.test.ts` is one of
 * them that needs better-sqlite3, and is left out until that is compiled. What starts programs or browsers is
 * `x.process.test.ts`, what takes long `x.slow.test.ts`.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

const STARTS_PROGRAMS = /from '(?:node:child_process|playwright-core)'/

/** Why each may. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['test/cli/smoke.test.ts', 'starts each command once, as it is shipped'],
  ['test/scripts/test-counts.test.ts', 'a script of a few lines'],
  ['test/store/tapes/inspect-tape.test.ts', 'makes a pipe'],
])

const files = ['test', 'templates/test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !/\.(?:process|slow)\.test\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
)

/** Whether a test file, or a file of the tests that it imports, starts programs. */
function startsPrograms(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !file.startsWith('test/') || !existsSync(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (STARTS_PROGRAMS.test(text)) return true
  const imported = [...text.matchAll(/^(?:import|export)\b.*? from '(\.[^']+)'|^\} from '(\.[^']+)'/gm)]
  return imported.some(([, one, other]) => {
    const path = resolve('/', dirname(file), one ?? other ?? '').slice(1)
    return startsPrograms(path, seen)
  })
}

it('npm test starts no program: a file that does is named x.process.test.ts', () => {
  expect(files.filter((file) => startsPrograms(file)).toSorted()).toEqual([...ALLOWED.keys()].toSorted())
})
