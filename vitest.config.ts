import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { BUILT_FILES, builtModules } from './test/built-modules.ts'
import { hasSqlite } from './test/has-sqlite.ts'
import { LongestFirst } from './test/longest-first.ts'
import { propertySettings } from './test/property/property-settings.ts'

/** Where to leave the results as JSON, beside the text on the terminal; `.ci/run` sets it. */
const report = process.env.TEST_REPORT

/** Properties look a quarter as long in the suite that one waits for, and their whole length in the slow one. */
const propertyOf = (usualTimes: number) => propertySettings(process.env, randomInt, usualTimes)
const source = new URL('src', import.meta.url).pathname

const TESTS = ['test/**', 'templates/test/**']
/** Test files by how their names end. */
const named = (...ends: string[]): string[] => TESTS.flatMap((folder) => ends.map((end) => `${folder}/*.${end}.ts`))

const seed = propertyOf(1).seed
/** The end of the names of more files that the quick suite leaves out; `.ci/run` sets it. */
const { LEAVE_OUT } = process.env
const stored = hasSqlite()
if (!stored) console.log('better-sqlite3 is not compiled: tests of databases are skipped; npm run sqlite compiles it')
if (process.env.PROPERTY_SEED === 'random') console.log(`PROPERTY_SEED=${seed}`)

export default defineConfig(({ mode }) => ({
  plugins: [builtModules],
  resolve: {
    // As tsconfig.json has it, so that strategies are tested with what the tests import.
    alias: [
      { find: /^papertape$/, replacement: `${source}/index.ts` },
      { find: /^papertape\/(\w+)$/, replacement: `${source}/$1.ts` },
    ],
  },
  test: {
    server: { deps: { external: [BUILT_FILES] } },
    setupFiles: ['test/property/property-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // For what hangs alone: a slow machine is no fault of a test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        mode,
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: named('test'),
          setupFiles: ['test/property/property-setup.ts', 'test/sqlite-guard.ts'],
          exclude: named(
            ...['process.test', 'slow.test'],
            ...(stored ? [] : ['stored.test']),
            ...(LEAVE_OUT === undefined ? [] : [LEAVE_OUT]),
          ),
          provide: { property: { ...propertyOf(0.25), seed } },
          // Modules are loaded once for all files of a process: loading them again for each takes longer than the tests.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        mode,
        test: {
          name: 'process',
          sequence: { groupOrder: 1 },
          include: named('process.test'),
          provide: { property: { ...propertyOf(1), seed } },
          isolate: false,
          // Three times as many as CI has cores: these tests wait, for processes that they start and for real time.
          maxWorkers: 6,
        },
      },
      {
        extends: true,
        mode,
        test: {
          name: 'slow',
          sequence: { groupOrder: 2 },
          include: named('slow.test', 'property.test'),
          provide: { property: { ...propertyOf(1), seed } },
          // Twice as many as CI has cores: several files wait for processes and for candles to end.
          maxWorkers: 4,
        },
      },
    ],
  },
}))
