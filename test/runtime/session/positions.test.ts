/**
 * Positions of a session: by hand, and against sums of fractions.
 */
import fc from 'fast-check'
import { filter, from, map, merge, tap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { toDecimal, type Decimal } from '../../../src/domain/decimal.ts'
import { HeldCost } from '../../../src/runtime/session/held-cost.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import { buyLimit, buyMarket, sellMarket } from '../../../src/strategy/orders.ts'
import type { OwnPosition } from '../../../src/strategy/own-order.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../rig/run-strategy.ts'
import { at } from '../rig/scripted-orders.ts'

const BTC = 'BTC_USD'

const textOf = ({ qty, averagePrice, realizedPnl, unrealizedPnl }: OwnPosition): string =>
  [qty, averagePrice, realizedPnl, unrealizedPnl].map((each) => each?.toFixed() ?? 'none').join(' ')

/** A trade each second for ten seconds: 100, 101, ... */
const ROWS = Array.from({ length: 11 }, (_, second): RecordedRow => [second * 1_000, 100 + second, 5])
const tapes = [memoryTape(ROWS)]

describe('a position', () => {
  it('has quantity, mean cost, realized and unrealized profit after each fill, and is flat at the end', async () => {
    const seen: string[] = []
    const acts = at([
      [1_000, buyMarket(BTC, 2)],
      [3_000, buyMarket(BTC, 2)],
      [5_000, sellMarket(BTC, 1)],
      [7_000, sellMarket(BTC, 3)],
    ])
    const run = await runStrategy(
      {
        run: (context) => {
          seen.push(textOf(context.position(BTC)))
          context.fills$.subscribe(() => seen.push(textOf(context.position(BTC))))
          return acts
        },
      },
      { tapes, settings: { takerFeeBps: '10' } },
    )
    expect(run.result.failure).toBeUndefined()
    expect(seen).toEqual([
      '0 none 0 0',
      // 2 at 101; the ledger has no digits behind the point, so the fee of 0.202 is 1.
      '2 101 -1 0',
      // 2 more at 103, the mean is 102.
      '4 102 -2 4',
      // 1 sold at 105: 3 more, less 1.
      '3 102 0 9',
      // 3 sold at 107: 15 more, less 1.
      '0 none 14 0',
    ])
  })

  it('counts what was there at the start, at the first price that was seen', async () => {
    const seen: string[] = []
    const look = (context: StrategyContext<unknown>) => () => seen.push(textOf(context.position(BTC)))
    const run = await runStrategy(
      {
        run: (context) => {
          look(context)()
          return merge(
            at([[5_000, sellMarket(BTC, 1)]]),
            timer(500, 4_000).pipe(
              tap(look(context)),
              filter(() => false),
            ),
          ).pipe(map(() => sellMarket(BTC, 1)))
        },
      },
      { tapes, settings: { credit: { USD: '0', BTC: '3' } } },
    )
    expect(run.result.failure).toBeUndefined()
    expect(seen).toEqual(['3 none 0 none', '3 100 0 0', '3 100 0 12', '2 100 5 16'])
  })

  it('is known of a fill of the same millisecond when a candle ends', async () => {
    const seen: string[] = []
    // The trade that opens the next minute fills the order.
    const rows: readonly RecordedRow[] = [
      ...([
        [0, 100, 5],
        [59_000, 101, 5],
        [60_000, 90, 5],
        [120_001, 95, 1],
      ] as const),
    ]
    const { result } = await runStrategy(
      {
        run: ({ candles, position, openOrders, balance }) => {
          candles(BTC, '1m').subscribe(() => {
            seen.push(`${position(BTC).qty.toFixed()} ${openOrders().length} ${balance('BTC').available.toFixed()}`)
          })
          return at([[1_000, buyLimit(BTC, 95, 2)]])
        },
      },
      { tapes: [memoryTape(rows)], settings: { orderLatencyMs: 0 } },
    )
    expect(result.failure).toBeUndefined()
    expect(seen).toEqual(['2 0 2', '2 0 2'])
  })

  it('stands beside balances and open orders that know of the same fills, in every stream of the account', async () => {
    const seen: string[] = []
    await runStrategy(
      {
        run: ({ fills$, orders$, balances$, position, openOrders, balance }) => {
          const look = (): unknown =>
            seen.push(
              [position(BTC).qty, balance('BTC').available, balance('USD').available, openOrders().length].join(),
            )
          merge(fills$, orders$, balances$).subscribe(look)
          return at([[1_000, buyMarket(BTC, 2)]])
        },
      },
      { tapes },
    )
    // Accepted, filled, its new state, balances: all of one moment.
    expect(seen).toEqual(['0,2,9798,0', '2,2,9798,0', '2,2,9798,0', '2,2,9798,0'])
  })
})

interface Step {
  readonly lots: number
  readonly price: number
  readonly fee: number
}

const steps = fc.array(
  fc.record({
    lots: fc.integer({ min: -9, max: 9 }).filter((lots) => lots !== 0),
    price: fc.integer({ min: 1, max: 12 }),
    fee: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 40 },
)

const GUARD = 100_000_000n

/** Cost and profit by decimals of 60 digits. */
function naive(all: readonly Step[]): { readonly cost: Decimal; readonly realized: Decimal; readonly lots: number } {
  let [cost, realized, held] = [toDecimal(0), toDecimal(0), 0]
  for (const { lots, price, fee } of all) {
    realized = realized.minus(fee)
    for (let lot = 0; lot < Math.abs(lots); lot += 1) {
      const sign = Math.sign(lots)
      if (held === 0 || Math.sign(held) === sign) cost = cost.plus(sign * price)
      else {
        const mean = cost.div(held)
        realized = realized.plus(mean.minus(price).times(sign))
        cost = cost.plus(mean.times(sign))
      }
      held += sign
      if (held === 0) cost = toDecimal(0)
    }
  }
  return { cost, realized, lots: held }
}

describe('the cost of a position', () => {
  it('is what lot by lot comes to, and with the profit it is the cash that moved, to the last digit', () => {
    const reached = { flat: 0, short: 0, crossed: 0 }
    fc.assert(
      fc.property(steps, (all) => {
        const held = new HeldCost()
        let cash = 0n
        for (const { lots, price, fee } of all) {
          const before = held.lots
          const notional = BigInt(Math.abs(lots) * price) * GUARD
          held.add(BigInt(lots), notional, BigInt(fee) * GUARD)
          cash -= (lots > 0 ? notional : -notional) + BigInt(fee) * GUARD
          expect(held.realized).toBe(cash + held.paid)
          if (held.lots === 0n) {
            reached.flat += 1
            expect(held.paid).toBe(0n)
          }
          if (held.lots < 0n) reached.short += 1
          if (before * held.lots < 0n) reached.crossed += 1
        }
        const expected = naive(all)
        expect(held.lots).toBe(BigInt(expected.lots))
        const off = toDecimal(String(held.paid))
          .minus(expected.cost.times(String(GUARD)))
          .abs()
        expect(off.toNumber()).toBeLessThanOrEqual(all.length)
        const away = toDecimal(String(held.realized))
          .minus(expected.realized.times(String(GUARD)))
          .abs()
        expect(away.toNumber()).toBeLessThanOrEqual(all.length)
      }),
      { numRuns: 300 },
    )
    for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
  })
})

it('undefined is no intent, alone or among others', async () => {
  const run = await runStrategy({ run: () => from([undefined, [undefined, buyMarket(BTC, 1), undefined]]) }, { tapes })
  expect(run.result.failure).toBeUndefined()
  expect(run.orders).toHaveLength(1)
})
