/**
 * What belongs into which suite, by the name of the file: `x.test.ts` runs in the process of the tests and needs nothing but Node and its
 * packages, so that `npm test` stays quick and runs anywhere. What starts programs or browsers is `x.process.test.ts`, what takes long
 * `x.slow.test.ts`.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Imports that start a program or a browser, or ask for a server that is another program. */
const OUTSIDE =
  /from '(?:node:child_process|playwright-core|[./\w-]*\/(?:run-cli|serving|living|installed-package|hidden-package|browser|redis-server)\.ts)'/

/** Why each may. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['test/cli/smoke.test.ts', 'starts each command once, as it is shipped'],
  ['test/scripts/test-counts.test.ts', 'a script of a few lines'],
  ['test/store/tapes/inspect-tape.test.ts', 'makes a pipe'],
])

const files = ['test', 'templates/test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.ts$/.test(name) && !/\.(?:process|slow)\.test\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
)

it('npm test starts no program: a file that does is named x.process.test.ts', () => {
  const starting = files.filter((file) => OUTSIDE.test(readFileSync(file, 'utf8')))
  expect(starting.toSorted()).toEqual([...ALLOWED.keys()].toSorted())
})
