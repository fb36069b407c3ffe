/**
 * The state that a strategy keeps, over kill -9 and restart, live and on paper: no order was sent whose count is lost.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { liveCases } from './rig/live-cases.ts'
import { pause } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()

/** More of them find rarer faults: `STATE_KILLS=100`. */
const KILLS = Number(process.env.STATE_KILLS ?? 5)

/** Counts its orders in its state; the price of each is 30,000 and its number. */
const counter = (schema = 'z.object({ orders: z.int().default(0) })', everyMs = 150): string => `
import { defineStrategy } from 'papertape'
import { interval, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'counter',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, state, log, buyLimit }) => {
    const memory = state(${schema})
    log('starts with ' + memory.value.orders)
    return interval(${everyMs}).pipe(map(() => {
      memory.set({ ...memory.value, orders: memory.value.orders + 1 })
      return buyLimit(symbol, String(30_000 + memory.value.orders), '0.001')
    }))
  },
})
`

const startedWith = (session: SessionProcess): number =>
  Number(/starts with (\d+)/.exec(session.output)?.[1] ?? Number.NaN)

const countsOf = (session: SessionProcess): readonly number[] =>
  session.journal('strategy-state').map(({ value }) => (value as { readonly orders: number }).orders)

const numberOf = (price: string | undefined): number => Number(price) - 30_000

it('live: a state that does not fit starts no strategy, and leaves every order', () =>
  inCase({}, async ({ venue, folder, start }) => {
    const resting = counter().replace("'counter'", "'resting'")
    const args = ['--symbol', 'BTC_USD', '--keep-orders']
    const first = start([resting, counter()], { args })
    await first.started()
    await pause(1_000)
    expect(await first.stop()).toBe(0)
    const open = await venue.openOrders()
    expect(open.length).toBeGreaterThan(0)

    const refused = start([resting, counter('z.object({ orders: z.string().default("") })')], {
      args: args.slice(0, 2),
    })
    await refused.ended
    expect(refused.end?.code).toBe(2)
    expect(refused.stderr).toMatch(/the saved state of 'counter' does not fit its schema \(orders: /)
    expect(refused.output).not.toMatch(/started|ended with exit code|orders {2,}/)
    expect(await venue.openOrders()).toEqual(open)
    for (const name of ['resting', 'counter']) {
      const report: unknown = JSON.parse(readFileSync(join(folder, 'out-2', name, 'run.json'), 'utf8'))
      expect(report).toMatchObject({ orders: 0, live: { fault: expect.stringContaining("saved state of 'counter'") } })
    }
    const again = start([resting, counter()], { args: args.slice(0, 2) })
    await again.started()
    expect(await again.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  }))

for (const command of ['live', 'paper'] as const) {
  it(`${command}: the state outlives ${KILLS} kills, and is never behind an order`, () =>
    inCase({}, async ({ venue, folder, start }) => {
      const random = seededRandom(command.length)
      const args = ['--symbol', 'BTC_USD', ...(command === 'paper' ? ['--state', `${folder}/state`] : [])]
      let [counted, isFirst] = [0, true]
      for (let kill = 0; kill <= KILLS; kill += 1) {
        const session = start(counter(), { command, args })
        await session.started()
        // What the killed process saved last may have missed its journal.
        expect([counted, counted + 1]).toContain(startedWith(session))
        await pause(100 + Math.floor(random() * 600))
        session.signal('SIGKILL')
        await session.ended
        const counts = countsOf(session)
        expect(session.journal('strategy-state')[0]?.isContinued).toBe(isFirst && counted === 0 ? undefined : true)
        counted = counts.at(-1) ?? counted
        isFirst = counted === 0
        const asked = session.journal('place').map(({ request }) => numberOf((request as { price: string }).price))
        expect(Math.max(0, ...asked)).toBeLessThanOrEqual(counted)
        const open = command === 'live' ? await venue.openOrders() : []
        expect(Math.max(0, ...open.map(({ price }) => numberOf(price)))).toBeLessThanOrEqual(counted)
      }
      expect(counted).toBeGreaterThan(KILLS)
    }))

  it(`${command}: a changed schema reads the state, or the start is refused`, () =>
    inCase({}, async ({ folder, start }) => {
      const args = ['--symbol', 'BTC_USD', ...(command === 'paper' ? ['--state', `${folder}/state`] : [])]
      const first = start(counter(), { command, args })
      await first.started()
      await pause(500)
      expect(await first.stop()).toBe(0)
      const counted = countsOf(first).at(-1) ?? 0
      expect(counted).toBeGreaterThan(0)

      const refused = start(counter('z.object({ orders: z.string().default("") })'), { command, args })
      await refused.ended
      expect(refused.end?.code).toBe(2)
      expect(refused.stderr).toMatch(/state\/live\.db: the saved state of 'counter' does not fit its schema \(orders: /)

      const dropping = start(counter('z.object({ other: z.int().default(7) })'), { command, args })
      await dropping.ended
      expect(dropping.end?.code).toBe(2)
      expect(dropping.stderr).toMatch(
        /the saved state of 'counter' has a field that its schema does not have \(orders\)/,
      )

      const wider = start(counter('z.object({ orders: z.int().default(0), more: z.int().default(7) })'), {
        command,
        args,
      })
      await wider.started()
      expect(startedWith(wider)).toBe(counted)
      expect(await wider.stop()).toBe(0)
      expect(wider.journal('strategy-state')[0]?.value).toEqual({ orders: counted, more: 7 })
    }))
}
