/**
 * kill -9 of an account in mid-order, and of the service under it, fewer times where `PROPERTY_TIMES` is below 1.
 * `npm run crash:live` does it 100 and 50 times.
 *
 * Known limit: a seed gives the same choices again, the moments only roughly.
 */
import { describe, expect, it } from 'vitest'
import { again, PROPERTY_SEED, runs } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { killWaits } from './rig/crash-waits-run.ts'
import { killBots, killServices } from './rig/crash-live-run.ts'

const { folder } = temporaryFiles()

describe('every order of the service is that of one intent, and every intent has its order,', () => {
  it('when the account is killed in mid-order, up to 5 times', async () => {
    const report = await killBots({ rounds: runs(5), seed: PROPERTY_SEED, folder: `${folder}/bots` })
    expect(report.faults, again()).toEqual([])
    expect(report.orders).toBeGreaterThan(5)
    expect(report.cut).toBeGreaterThan(0)
  })

  it('when the service is killed under the account, up to twice', async () => {
    const report = await killServices({ rounds: runs(2), seed: PROPERTY_SEED, folder: `${folder}/services` })
    expect(report.faults, again()).toEqual([])
    expect(report.orders).toBeGreaterThan(5)
    expect(report.cut).toBeGreaterThan(0)
  })
})

describe('a bracket that waits', () => {
  it('sells what it bought, once, when its session is killed, up to 5 times', async () => {
    const report = await killWaits({ rounds: Math.max(3, runs(5)), seed: PROPERTY_SEED, folder: `${folder}/waits` })
    expect(report.faults, again()).toEqual([])
    expect(report.bought).toBeGreaterThan(0)
    expect(report.resumed).toBeGreaterThan(0)
  })
})
