/**
 * The tests of single files of the exchange, run against a mutant of one of them: PAPERTAPE_MUTANT names a file that says which.
 */
import { readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'

interface Mutant {
  /** Path of the source that is changed. */
  readonly file: string
  readonly source: string
}

const mutant = JSON.parse(readFileSync(process.env.PAPERTAPE_MUTANT ?? '', 'utf8')) as Mutant

export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      { name: 'mutant', enforce: 'pre', load: (id) => (id.split('?')[0] === mutant.file ? mutant.source : undefined) },
    ],
    test: {
      bail: 1,
      // They are what a mutant is driven by before, or seed bugs themselves.
      exclude: ['**/{twin,take}.property.test.ts', '**/seeded-bugs.test.ts', '**/play-script.test.ts'],
    },
  }),
)
