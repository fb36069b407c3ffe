/**
 * The exchange beside its naive twin and its own laws, under random commands; what is held against what, twin-drive.ts says.
 *
 * Repeatable: the seed is fixed. `npm run fuzz -- --commands N --seed S` looks elsewhere and longer.
 */
import { describe, expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/snapshot/restore-exchange.ts'
import { Corners } from './rig/corners.ts'
import { failureText, playScripts } from './rig/play-script.ts'
import type { Played } from './rig/play-script.ts'

const SEED = 20_250_101
const COMMANDS = 200_000
/** No claim about speed: a slow machine must not fail. */
const SLOW = { timeout: 600_000 }

describe('the exchange and its naive twin', SLOW, () => {
  const play = (settings: { seed: number; commands: number; corners?: Corners }, lookEvery: number): Played => {
    const options = { create: createExchange, restore: restoreExchange, lookEvery, restartEvery: 4 * lookEvery }
    const played = playScripts(settings, options)
    expect(played.failure === undefined ? '' : failureText(played.failure, options)).toBe('')
    return played
  }

  it(`answer ${COMMANDS} random commands alike and keep every law, and no corner is missed`, () => {
    const corners = new Corners()
    const { commands, scripts } = play({ seed: SEED, commands: COMMANDS, corners }, 8)
    console.log(`${commands} commands in ${scripts} scripts against the twin; corners:\n${corners.report()}`)
    expect(commands).toBeGreaterThanOrEqual(COMMANDS)
    expect(corners.missed(), 'corners that no command reached').toEqual([])
  })

  it('answer every question alike after every single command', () => {
    play({ seed: SEED + COMMANDS, commands: COMMANDS / 10 }, 1)
  })
})
