/** Recorded books of a run from depth.csv, each folded into a detail of the page. */
import { folded } from '../folded-data.ts'
import { csvTable } from '../run/csv-table.ts'

/** Characters that the book of a market takes on a page, at most. */
const MAX_TEXT = 300_000

/** A recorded book at moments, in steps of price: the columns of its levels, moment by moment, bids before asks. */
export interface DepthColumns {
  readonly priceStep: number
  /** Unix milliseconds of the moments, oldest first. */
  readonly times: readonly number[]
  /** Levels per moment. */
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  /** Lowest price of each step. */
  readonly prices: readonly number[]
  /** Exact decimal strings. */
  readonly qtys: readonly string[]
}

interface Moment {
  readonly time: number
  readonly bid: (readonly [price: number, qty: string])[]
  readonly ask: (readonly [price: number, qty: string])[]
}

/** @param details  of the document, to which the book of each market is added @returns their indices by symbol */
export function depthDetails(where: string, text: string, details: string[]): ReadonlyMap<string, number> {
  const markets = new Map<string, { readonly priceStep: number; readonly moments: Moment[] }>()
  for (const row of csvTable(where, text)) {
    const market = markets.get(row('symbol')) ?? { priceStep: Number(row('price_step')), moments: [] }
    markets.set(row('symbol'), market)
    const time = Number(row('time_ms'))
    let moment = market.moments.at(-1)
    if (moment?.time !== time) market.moments.push((moment = { time, bid: [], ask: [] }))
    const side = row('side')
    if (side === 'bid' || side === 'ask') moment[side].push([Number(row('price')), row('qty')])
  }
  return new Map(
    Array.from(markets, ([symbol, { priceStep, moments }]) => [symbol, details.push(fitting(priceStep, moments)) - 1]),
  )
}

/** Every second moment is left out until the rest fits. */
function fitting(priceStep: number, moments: readonly Moment[]): string {
  const levels = moments.flatMap(({ bid, ask }) => [...bid, ...ask])
  const columns: DepthColumns = {
    priceStep,
    times: moments.map(({ time }) => time),
    bids: moments.map(({ bid }) => bid.length),
    asks: moments.map(({ ask }) => ask.length),
    prices: levels.map(([price]) => price),
    qtys: levels.map(([, qty]) => qty),
  }
  const text = folded(columns)
  return text.length <= MAX_TEXT
    ? text
    : fitting(
        priceStep,
        moments.filter((_, index) => index % 2 === 0),
      )
}
