/** Limits of all strategies together: whatever the strategies do, none of them passes a limit of the wallet. */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import { Decimal, toDecimal } from '../../../../src/domain/decimal.ts'
import { runPortfolio } from '../../../../src/runtime/backtest/portfolio.ts'
import { limitsThatAreOn } from '../../../../src/runtime/settings/risk-limits.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import type { Intent } from '../../../../src/strategy/intent.ts'
import type { OwnFill } from '../../../../src/strategy/own-order.ts'
import type { IntentStream } from '../../../../src/strategy/strategy.ts'
import { needed, runs } from '../../../property/property.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { prepared } from '../../rig/run-strategy.ts'

const SYMBOL = 'BTC_USD'
const START_PRICE = 100

/** Orders and cancels at random, near the price, so that strategies also trade with each other. */
const busy =
  (everyMs: number) =>
  ({
    random,
    openOrders,
    buyLimit,
    sellLimit,
    buyMarket,
    sellMarket,
    cancel,
  }: StrategyContext<unknown>): IntentStream =>
    rx.interval(everyMs).pipe(
      rx.map((): readonly Intent[] => {
        const [newest] = openOrders()
        const [price, qty] = [95 + Math.floor(random() * 11), 1 + Math.floor(random() * 4)]
        const dice = Math.floor(random() * 6)
        if (dice === 0 && newest !== undefined) return [cancel(newest.id)]
        if (dice <= 2) return [buyMarket(SYMBOL, qty)]
        if (dice === 3) return [sellMarket(SYMBOL, qty)]
        return [dice === 4 ? buyLimit(SYMBOL, price, qty) : sellLimit(SYMBOL, price, qty)]
      }),
    )

interface Line {
  readonly t: number
  readonly type: string
  readonly request?: { readonly side: string }
  readonly state?: string
  readonly why?: string
  readonly ref?: number
  readonly by?: string
}

const steps = fc.array(
  fc.record({ step: fc.integer({ min: 0, max: 2_000 }), price: fc.integer({ min: 95, max: 105 }), qty: fc.integer({ min: 1, max: 20 }) }), // prettier-ignore
  { minLength: 30, maxLength: 80 },
)

it('no strategy passes a limit of the wallet, and a reached one holds all of them at the same moment', async () => {
  const reached = { held: 0, sent: 0, positions: 0, paces: 0 }
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.record({ everyMs: fc.integer({ min: 200, max: 3_000 }), credit: fc.integer({ min: 500, max: 9_000 }) }), { minLength: 1, maxLength: 3 }), // prettier-ignore
      fc.record({ maxPosition: fc.integer({ min: 500, max: 5_000 }), ordersPerMinute: fc.integer({ min: 4, max: 60 }), dayLoss: fc.integer({ min: 5, max: 60 }) }), // prettier-ignore
      async (recorded, strategies, { maxPosition, ordersPerMinute, dayLoss }) => {
        let time = 0
        const rows = recorded.map(({ step, price, qty }, index): RecordedRow => {
          time += step
          return [time, index === 0 ? START_PRICE : price, qty, 'buy']
        })
        const lines = strategies.map((): Line[] => [])
        let held = toDecimal(2 * strategies.length)
        let most = held
        const onFill = ({ side, qty }: OwnFill): void => {
          held = side === 'BUY' ? held.plus(qty) : held.minus(qty)
          most = Decimal.max(most, held)
        }
        const members = strategies.map(({ everyMs, credit }, index) => {
          const settings = { takerFeeBps: '10', credit: { USD: String(credit), BTC: '2' }, seed: index + 1, liquidity: 'tape' } as const // prettier-ignore
          const own = prepared({ run: busy(everyMs) }, { tapes: [memoryTape(rows, { symbol: SYMBOL })], settings })
          const onLine = (line: string): void => void lines[index]?.push(JSON.parse(line) as Line)
          return { name: `s${index}`, prepared: own, outside: { ...SILENT, onLine, onFill } }
        })
        const risk = limitsThatAreOn({ maxPosition: String(maxPosition), ordersPerMinute, dayLoss: String(dayLoss) })
        const { total } = await runPortfolio({ members, reserve: new Map(), risk, outside: SILENT, isDrawn: false })

        const all = lines.flat()
        const refusedRefs = lines.map((each) => new Set(each.flatMap(({ type, by, ref }) => (type === 'refused' && by === 'risk' ? [ref] : [])))) // prettier-ignore
        const sent = lines
          .flatMap((each, index) =>
            each.filter(({ type, ref }) => type === 'place' && refusedRefs[index]?.has(ref) !== true),
          ) // prettier-ignore
          .map(({ t }) => t)
          .toSorted((a, b) => a - b)
        sent.forEach((t, index) => {
          expect(sent.slice(0, index).filter((before) => before > t - 60_000).length).toBeLessThan(ordersPerMinute)
        })
        // Every price is at least 95, so no more can be held than that buys.
        expect(most.gt(2 * strategies.length) ? most.toNumber() : 0).toBeLessThanOrEqual(maxPosition / 95)
        const states = lines.map((each) => each.flatMap(({ type, t, state, why }) => (type === 'state' ? [[t, state, why] as const] : []))) // prettier-ignore
        for (const own of states) expect(own).toEqual(states[0])
        const since = states[0]?.[0]?.[0]
        if (since !== undefined) {
          reached.held += 1
          expect(states[0]?.[0]?.[2]).toMatch(/^all strategies together: the loss of the day is/)
          lines.forEach((each, index) => {
            const buys = each.filter(({ type, request, t, ref }) => type === 'place' && request?.side === 'BUY' && t > since && refusedRefs[index]?.has(ref) !== true) // prettier-ignore
            expect(buys).toEqual([])
          })
        }
        reached.sent += sent.length
        const messages = all.map((line) => JSON.stringify(line))
        reached.positions += messages.filter((text) => text.includes('all strategies together: maxPosition')).length
        reached.paces += messages.filter((text) => text.includes('all strategies together: ordersPerMinute')).length
        expect(total.audit.every(({ credited, held: has, fees }) => credited === has + fees)).toBe(true)
      },
    ),
    { numRuns: runs(60) },
  )
  expect(Math.min(...Object.values(reached)), JSON.stringify(reached)).toBeGreaterThan(needed(5))
})

const SILENT = { onLine: () => undefined, onOrder: () => undefined, onFill: () => undefined, onLog: () => undefined, onProgress: () => undefined } // prettier-ignore
