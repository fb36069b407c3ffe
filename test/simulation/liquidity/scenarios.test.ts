/**
 * The scenarios, worked by hand from the model, played by the naive crowd and by the simulated market.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { naivePlay } from './rig/naive-play.ts'
import { asPlayed, asWritten } from './rig/scenario-transcript.ts'
import { scenariosOf, type Scenario } from './rig/scenario.ts'
import { simulatedPlay } from './rig/simulated-play.ts'

const FOLDER = new URL('.', import.meta.url)
const SUFFIX = '.scenario.txt'

const files = readdirSync(FOLDER).filter((name) => name.endsWith(SUFFIX))

/** The naive crowd knows no money. */
const isAboutMoney = ({ session: { settings } }: Scenario): boolean =>
  settings.credits.length > 0 || settings.selfTrade === 'reject'

for (const file of files) {
  describe(file.slice(0, -SUFFIX.length), () => {
    for (const scenario of scenariosOf(file, readFileSync(new URL(file, FOLDER), 'utf8'))) {
      it(`${scenario.title} (simulated market)`, async () => {
        expect(await asPlayed(scenario, simulatedPlay)).toBe(asWritten(scenario))
      })
      if (isAboutMoney(scenario)) continue
      it(`${scenario.title} (naive crowd)`, async () => {
        expect(await asPlayed(scenario, naivePlay)).toBe(asWritten(scenario))
      })
    }
  })
}
