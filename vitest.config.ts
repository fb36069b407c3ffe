import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { BUILT_FILES, builtModules } from './test/built-modules.ts'
import { LongestFirst } from './test/longest-first.ts'
import { propertySettings } from './test/property/property-settings.ts'

/** Where to leave the results as JSON, beside the text on the terminal; `.ci/run` sets it. */
const report = process.env.TEST_REPORT

const property = propertySettings(process.env, randomInt)
if (process.env.PROPERTY_SEED === 'random') console.log(`PROPERTY_SEED=${property.seed}`)
const source = new URL('src', import.meta.url).pathname

export default defineConfig({
  plugins: [builtModules],
  resolve: {
    // As tsconfig.json has it, so that strategies are tested with what the tests import.
    alias: [
      { find: /^papertape$/, replacement: `${source}/index.ts` },
      { find: /^papertape\/(\w+)$/, replacement: `${source}/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'templates/test/**/*.test.ts'],
    server: { deps: { external: [BUILT_FILES] } },
    setupFiles: ['test/property/property-setup.ts'],
    provide: { property },
    // One more than CI has cores, for many tests wait for processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // For what hangs alone: a slow machine is no fault of a test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
})
