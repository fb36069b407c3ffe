/**
 * The exchange beside its naive twin and its own laws, under random commands; what is held against what, twin-drive.ts
 * says.
 *
 * `npm run fuzz -- --commands N --seed S` looks elsewhere and longer.
 */
import { describe, expect, it } from 'vitest'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { again, PROPERTY_SEED, runs } from '../property/property.ts'
import { Corners } from './rig/corners.ts'
import { LONG_LOOKS, longScript } from './rig/long-script.ts'
import type { DriveSizes, TwinDrive } from './rig/twin-drive.ts'
import { failureText, playScripts } from './rig/play-script.ts'
import type { PlayOptions, Played, PlaySettings } from './rig/play-script.ts'

const COMMANDS = runs(60_000)
/** The long scripts go through their sizes and history limits in turn, so that each comes once in four. */
const LONG_SCRIPTS = Math.max(2, runs(4))

describe('the exchange and its naive twin', () => {
  const play = (settings: PlaySettings, looks: Omit<PlayOptions, 'create' | 'restore'>): Played => {
    const options = { create: createExchange, restore: restoreExchange, ...looks }
    const played = playScripts(settings, options)
    // The script that failed is then the first one.
    const from = again(PROPERTY_SEED + played.scripts - 1)
    expect(played.failure === undefined ? '' : failureText(played.failure, options, from)).toBe('')
    return played
  }

  it(`answer ${COMMANDS} random commands alike and keep every law, and no corner is missed`, () => {
    const corners = new Corners()
    const { commands, scripts } = play(
      { seed: PROPERTY_SEED, commands: COMMANDS, corners },
      { lookEvery: 8, restartEvery: 32 },
    )
    console.log(`${commands} commands in ${scripts} scripts against the twin; corners:\n${corners.report()}`)
    expect(commands).toBeGreaterThanOrEqual(COMMANDS)
    expect(corners.missed(), 'corners that no command reached').toEqual([])
  })

  it('answer every question alike after every single command', () => {
    play({ seed: PROPERTY_SEED + COMMANDS, commands: COMMANDS / 20 }, { lookEvery: 1, restartEvery: 4 })
  })

  it('answer scripts of thousands of orders alike', () => {
    const sizes: DriveSizes[] = []
    const onEnd = (drive: TwinDrive): void => void sizes.push(drive.sizes)
    play({ seed: PROPERTY_SEED, scripts: LONG_SCRIPTS, write: longScript, onEnd }, LONG_LOOKS)
    for (const size of sizes) {
      expect(size.resting).toBeGreaterThan(1_500)
      expect(size.finished).toBeGreaterThan(2_000)
      expect(size.levels).toBeGreaterThan(300)
      expect(size.rows).toBeGreaterThan(20_000)
    }
    expect(sizes).toHaveLength(LONG_SCRIPTS)
  })
})
