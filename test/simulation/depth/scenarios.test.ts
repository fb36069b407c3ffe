/**
 * The rules of recorded depth, worked by hand in files, played by the naive book market and by the simulated market.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bookPlay } from './rig/book-play.ts'
import { scenariosOf } from './rig/depth-scenario.ts'
import { asPlayed, asWritten } from './rig/depth-transcript.ts'
import { naiveBookPlay } from './rig/naive-book-market.ts'

const FOLDER = new URL('.', import.meta.url)
const SUFFIX = '.scenario.txt'

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(SUFFIX))) {
  describe(file.slice(0, -SUFFIX.length), () => {
    for (const scenario of scenariosOf(file, readFileSync(new URL(file, FOLDER), 'utf8'))) {
      it(`${scenario.title} (simulated market)`, async () => {
        expect(await asPlayed(scenario, bookPlay)).toBe(asWritten(scenario))
      })
      it(`${scenario.title} (naive book market)`, async () => {
        expect(await asPlayed(scenario, naiveBookPlay)).toBe(asWritten(scenario))
      })
    }
  })
}
