/**
 * The tests of single files of the exchange, run against a mutant of one of them: PAPERTAPE_MUTANT names a file that
 * says which.
 */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { propertySettings } from '../../property/property-settings.ts'

interface Mutant {
  /** Path of the source that is changed. */
  readonly file: string
  readonly source: string
}

const mutant = JSON.parse(readFileSync(process.env.PAPERTAPE_MUTANT ?? '', 'utf8')) as Mutant

export default defineConfig({
  plugins: [
    { name: 'mutant', enforce: 'pre', load: (id) => (id.split('?')[0] === mutant.file ? mutant.source : undefined) },
  ],
  test: {
    bail: 1,
    include: ['test/exchange/**/*.test.ts'],
    // They are what a mutant is driven by before, or seed bugs themselves.
    exclude: ['**/{twin,seeded-bugs}.slow.test.ts', '**/take.property.test.ts', '**/play-script.test.ts'],
    setupFiles: ['test/property/property-setup.ts'],
    provide: { property: propertySettings({}, () => 0) },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
