/**
 * Orders on candles under `ideal`, by its words: a market order at the next open, a limit when it is touched, whole,
 * without a spread.
 */
import type { NaiveCandle, NaiveFill, NaiveOptions, NaiveOrder, NaiveRequest } from './naive-candles.ts'

/** Everything that the requests come to; they have no stops. */
export function naiveIdeal(
  candles: readonly NaiveCandle[],
  requests: readonly NaiveRequest[],
  { interval, latency }: NaiveOptions,
): readonly NaiveFill[] {
  const fills: NaiveFill[] = []
  const whole = candles.filter(({ volume }) => volume > 0)
  const openOf = ({ at }: NaiveRequest): NaiveCandle | undefined =>
    whole.find(({ time }) => time >= at + (latency >= interval ? latency : 0))
  for (const order of requests) {
    if ('cancel' in order) continue
    const first = openOf(order)
    const { id, type, qty, price = 0 } = order
    if (first === undefined) {
      fills.push({ id, time: null, refused: 'NO_LIQUIDITY' })
      continue
    }
    const cancels = requests.flatMap((each) => ('cancel' in each && each.cancel === id ? [openOf(each)] : []))
    // A cancel that arrives with the order is played before it, and finds nothing.
    const cancelled = Math.min(
      Infinity,
      ...cancels.flatMap((open) => (open && open.time > first.time ? [open.time] : [])),
    )
    for (const { time, open, high, low } of whole.filter((candle) => candle.time >= first.time)) {
      if (time >= cancelled) break
      // An old one at the open's own price is filled there in the body, which comes to the same.
      const isOpenPrice = time > first.time && open === price
      if (type === 'MARKET' || (!isOpenPrice && isTouched(order, open, open))) {
        fills.push({ id, time, price: open, qty, how: 'open' })
        break
      }
      if (!isTouched(order, low, high)) continue
      fills.push({ id, time: time + interval, price, qty, how: 'body' })
      break
    }
  }
  return fills
}

const isTouched = ({ side, price = 0 }: NaiveOrder, low: number, high: number): boolean =>
  side === 'BUY' ? low <= price : high >= price
