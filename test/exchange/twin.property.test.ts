/**
 * The exchange beside its naive twin and its own laws, under random commands; what is held against what, twin-drive.ts says.
 *
 * `npm run fuzz -- --commands N --seed S` looks elsewhere and longer.
 */
import { describe, expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/snapshot/restore-exchange.ts'
import { again, PROPERTY_SEED } from '../property/property.ts'
import { Corners } from './rig/corners.ts'
import { failureText, playScripts } from './rig/play-script.ts'
import type { Played } from './rig/play-script.ts'

const COMMANDS = 200_000
/** No claim about speed: a slow machine must not fail. */
const SLOW = { timeout: 600_000 }

describe('the exchange and its naive twin', SLOW, () => {
  const play = (settings: { seed: number; commands: number; corners?: Corners }, lookEvery: number): Played => {
    const options = { create: createExchange, restore: restoreExchange, lookEvery, restartEvery: 4 * lookEvery }
    const played = playScripts(settings, options)
    // The script that failed is then the first one.
    const from = again(PROPERTY_SEED + played.scripts - 1)
    expect(played.failure === undefined ? '' : failureText(played.failure, options, from)).toBe('')
    return played
  }

  it(`answer ${COMMANDS} random commands alike and keep every law, and no corner is missed`, () => {
    const corners = new Corners()
    const { commands, scripts } = play({ seed: PROPERTY_SEED, commands: COMMANDS, corners }, 8)
    console.log(`${commands} commands in ${scripts} scripts against the twin; corners:\n${corners.report()}`)
    expect(commands).toBeGreaterThanOrEqual(COMMANDS)
    expect(corners.missed(), 'corners that no command reached').toEqual([])
  })

  it('answer every question alike after every single command', () => {
    play({ seed: PROPERTY_SEED + COMMANDS, commands: COMMANDS / 20 }, 1)
  })
})
