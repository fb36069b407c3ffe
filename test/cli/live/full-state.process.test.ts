/**
 * A state directory on a disk that is full for a while, by the shipped command: no fill is lost, and none is in two
 * files.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { liveCases, strategyOf } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'

const inCase = liveCases()

const BIDS = strategyOf(
  'bids',
  `merge(
  c.trades('BTC_USD').pipe(filter((t) => t.priceNumber > 42500), first(), mergeMap(() => [
    c.buyLimit('BTC_USD', '41000.00', '0.01'), c.buyLimit('BTC_USD', '40900.00', '0.02'),
  ])),
)`,
)

/** @returns false where only root may */
const mounted = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status === 0

/** Takes all that is left. @returns what gives it back */
function fill(folder: string): () => void {
  const file = join(folder, 'other-data')
  const page = Buffer.alloc(4096)
  try {
    for (;;) appendFileSync(file, page)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  return () => rmSync(file)
}

it.each(['before the session has ended', 'afterwards'])(
  'a state disk is full, and has room %s: each fill is in the files of one session',
  async (room) => {
    await inCase({}, async ({ venue, folder, start }) => {
      const state = join(folder, 'state')
      mkdirSync(state)
      if (!mounted(state)) return
      try {
        const first = start(BIDS)
        await first.started()
        await repeating(
          () => venue.trade('43000.00'),
          eventually(
            async () => (await venue.openOrders()).length === 2,
            () => first.output,
          ),
        )
        const giveBack = fill(state)
        await venue.crowdOrder({ side: 'SELL', price: '41000.00', qty: '0.01' })
        await first.until('"type":"fill"')
        await first.until('database or disk is full')
        if (room !== 'afterwards') giveBack()
        // A session that cannot put down what it does ends in order.
        expect(await first.ended).toEqual({ code: 2, signal: null })
        if (room === 'afterwards') giveBack()
        expect(first.rows('fills.csv')).toHaveLength(1)

        const second = start(BIDS)
        await second.started()
        expect(await second.stop()).toBe(0)
        expect(second.rows('fills.csv')).toEqual([])
        expect(await venue.fills()).toHaveLength(1)
        expect(await venue.openOrders()).toEqual([])
      } finally {
        spawnSync('umount', ['-l', state])
      }
    })
  },
)
