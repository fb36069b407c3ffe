/**
 * Passive orders some cents away from the market of a tape, moved after it each second, in a backtest as a user would
 * run it.
 *
 * A share each, so that none takes from another. The market is the median of the last prices: one print that no one
 * could trade at does not move it, so anyone who believes that print is filled by it and not misled by it.
 */
import { bufferCount, interval, map, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import type { Decimal } from '../../../src/domain/decimal.ts'
import { backtest } from '../../../src/run/backtest.ts'
import type { FillRow } from '../../../src/runtime/figures/run-rows.ts'
import type { MarketTrade } from '../../../src/strategy/market-data.ts'
import { buyLimit, sellLimit } from '../../../src/strategy/orders.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { lastPriceAt } from './candles-of-trades.ts'

const FAR_CENTS = [3, 5, 10] as const

const SYMBOL = 'SPY_USD'
const HOURS = { from: '2013-10-08T13:30:00Z', to: '2013-10-08T20:00:00Z' } as const
const RENEWED_MS = 1_000
const HORIZON_MS = 5_000
const MEDIAN_OF = 31

const medianPrice = (trades: readonly MarketTrade[]): Decimal | undefined =>
  trades.toSorted((a, b) => a.priceNumber - b.priceNumber)[MEDIAN_OF >> 1]?.price

const PLACES = FAR_CENTS.flatMap((cents) => [
  { tag: `buy ${cents}`, word: buyLimit, away: -cents },
  { tag: `sell ${cents}`, word: sellLimit, away: cents },
])

const farOrders = defineStrategy({
  name: 'far-orders',
  params: z.object({}),
  run: ({ trades, openOrders, cancel }) =>
    interval(RENEWED_MS).pipe(
      withLatestFrom(trades(SYMBOL).pipe(bufferCount(MEDIAN_OF, 1))),
      map(([, newest]) => {
        const middle = medianPrice(newest)
        const open = new Map(openOrders().map((order) => [order.tag, order]))
        return PLACES.flatMap(({ tag, word, away }) => {
          const price = middle?.plus(away / 100)
          const order = open.get(tag)
          // One that is where it is wanted keeps its place.
          if (price === undefined || order?.price?.eq(price) === true) return []
          return [...(order === undefined ? [] : [cancel(order)]), word(SYMBOL, price, 1, { tag })]
        })
      }),
    ),
})

export interface FarOrders {
  readonly cents: number
  readonly fills: number
  readonly won: number
  /** Cents, the mean of a fill after 5 s; NaN without a fill. */
  readonly markout: number
}

/** One for each distance. @param believed  the trades against whose prices a fill is held */
export async function playFarOrders(
  file: string,
  believed: readonly RecordedRow[],
  printFilter: 'auto' | 'off',
): Promise<readonly FarOrders[]> {
  const { fills, failure } = await backtest({
    strategy: farOrders,
    tapes: { [SYMBOL]: file },
    credits: { USD: '1000000000', SPY: '10000000' },
    ...HOURS,
    printFilter,
    limits: false,
    bounds: false,
  })
  if (failure !== null) throw new Error(`the run failed: ${JSON.stringify(failure)}`)
  return FAR_CENTS.map((cents) => {
    const passive = fills.filter(({ isMaker, tag }) => isMaker && tag?.endsWith(` ${cents}`) === true)
    const markouts = passive.map((fill) => markoutOf(fill, believed))
    const sum = markouts.reduce((total, markout) => total + markout, 0)
    const won = markouts.filter((markout) => markout > 0).length
    return { cents, fills: markouts.length, won, markout: sum / markouts.length }
  })
}

function markoutOf({ side, price, createdAt }: FillRow, believed: readonly RecordedRow[]): number {
  const gained = lastPriceAt(believed, createdAt + HORIZON_MS) - Math.round(Number(price) * 100)
  return side === 'BUY' ? gained : -gained
}
