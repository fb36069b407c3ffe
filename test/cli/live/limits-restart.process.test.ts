/**
 * Limits of losses hold over kill -9 and restart, and an operator lifts them while no session runs.
 */
import { expect, it } from 'vitest'
import { runCli } from '../rig/run-cli.ts'
import { liveCases, strategyOf } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'

const inCase = liveCases()

/** Rests a buy at each trade. */
const BUYS = strategyOf('buys', "c.trades('BTC_USD').pipe(map(() => c.buyLimit('BTC_USD', '41000.00', '0.01')))")
const LIMITED = { args: ['--day-loss', '50'] }

it('the process is killed or restarted after a loss limit was reached: it begins REDUCING until it is resumed', () =>
  inCase({}, async ({ venue, folder, start }) => {
    const first = start(BUYS, LIMITED)
    await first.started()
    await repeating(() => venue.trade('42000.00'), eventually(async () => (await venue.openOrders()).length > 0, () => first.output)) // prettier-ignore
    // Ten BTC are worth 100 USD less.
    await repeating(() => venue.trade('41990.00'), first.until('"type":"state"'))
    first.signal('SIGKILL')
    await first.ended

    const second = start(BUYS, LIMITED)
    await second.until(
      /restored: day started at 1420000 USD, peak 1420000 USD, state REDUCING since .* because the loss/,
    )
    await eventually(async () => (await venue.openOrders()).length === 0, () => second.output) // prettier-ignore
    const before = (await venue.allOrders()).filter(({ price }) => price === '41000.00').length
    await repeating(() => venue.trade('42000.00'), second.until('"type":"refusal"'))
    expect(await second.stop()).toBe(0)
    expect((await venue.allOrders()).filter(({ price }) => price === '41000.00')).toHaveLength(before)
    expect(second.report().states).toEqual([expect.objectContaining({ state: 'REDUCING' })])

    const operator = (...args: string[]): ReturnType<typeof runCli> =>
      runCli(['live', ...args, '--state', `${folder}/state`], { cwd: folder })
    expect((await operator('status')).stdout).toMatch(/^buys is REDUCING since .*: the loss of the day is 100 USD/m)
    expect((await operator('resume')).code).toBe(0)
    const third = start(BUYS, LIMITED)
    await third.started()
    await repeating(() => venue.trade('41990.00'), eventually(async () => (await venue.openOrders()).length > 0, () => third.output)) // prettier-ignore
    expect(third.output).not.toContain('restored')
    expect(await third.stop()).toBe(0)
  }))
