/**
 * Random candles, and random requests on them: few prices and small volumes, so that orders meet each other, the
 * extremes and the end of the ladder.
 */
import fc from 'fast-check'
import type { NaiveCandle, NaiveOptions, NaiveOrder, NaiveRequest } from './naive-candles.ts'

export interface CandleScript {
  readonly candles: readonly NaiveCandle[]
  readonly requests: readonly NaiveRequest[]
  readonly options: NaiveOptions
}

const START = 1_600_000_000_000 - (1_600_000_000_000 % 86_400_000)
const INTERVALS = [1_000, 60_000, 86_400_000]
/** The last is as near as a price comes to where a thousand lots of it are no safe integer. */
const PRICES = [30, 10_000, Math.floor(2 ** 53 / 1_000)]
/** Candles of a market that goes back and forth between two sides, so that its spread can be learnt. */
const BOUNCE_TICKS = 40

const MARKETS = ['lattice', 'wide', 'flat', 'bounce'] as const

export const candleScripts = (): fc.Arbitrary<CandleScript> =>
  fc
    .record({
      market: fc.constantFrom(...MARKETS),
      price: fc.constantFrom(...PRICES),
      interval: fc.constantFrom(...INTERVALS),
      spread: fc.constantFrom(undefined, undefined, 1, 2, 3, 11),
      isLate: fc.boolean(),
      draws: fc.array(draw(), { minLength: 2, maxLength: 60, size: 'max' }),
      asks: fc.array(ask(), { minLength: 1, maxLength: 25, size: 'max' }),
    })
    .map(({ market, price, interval, spread, isLate, draws, asks }) => {
      const candles = candlesOf(draws, market, price, interval)
      const options = { interval, latency: isLate ? Math.floor(interval * 1.5) : interval - 1, strictness: 1 }
      const requests = requestsOf(asks, candles, interval)
      return { candles, requests, options: spread === undefined ? options : { ...options, spread } }
    })

/** What becomes of the market from a candle to the next: everything in [0, 1) but the hole. */
const draw = () =>
  fc.record({
    /** Intervals without a row before the candle. */
    hole: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
    volume: fc.constantFrom(0, 1, 2, 3, 40, 400, 9_000, 250_000),
    jump: unit(),
    move: unit(),
    up: unit(),
    down: unit(),
    side: fc.boolean(),
    endSide: fc.boolean(),
  })

type Draw = ReturnType<typeof draw> extends fc.Arbitrary<infer Value> ? Value : never

const unit = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1_000)

function candlesOf(
  draws: readonly Draw[],
  market: (typeof MARKETS)[number],
  price: number,
  interval: number,
): readonly NaiveCandle[] {
  const reach = { lattice: 4, wide: Math.floor(price / 10), flat: 0, bounce: 6 }[market]
  const bounce = market === 'bounce' ? Math.min(BOUNCE_TICKS, price / 3) : 0
  const step = (part: number): number => Math.round((part - 0.5) * reach)
  let middle = price
  let time = START
  return draws.map(({ hole, volume, jump, move, up, down, side, endSide }) => {
    time += hole * interval
    const at = (price: number, isAbove: boolean): number => Math.max(1, price + (isAbove ? bounce : -bounce))
    const open = at(middle + step(jump), side)
    middle = Math.max(price / 2, middle + step(move))
    const close = at(middle, endSide)
    const [top, bottom] = [Math.max(open, close), Math.min(open, close)]
    const high = Math.max(top + Math.round(up * reach), bounce > 0 ? middle + bounce : 0)
    const low = Math.max(1, Math.min(bottom - Math.round(down * reach), bounce > 0 ? middle - bounce : Infinity))
    const candle = { time, ...rounded({ open, high, low, close }), volume }
    time += interval
    return candle
  })
}

const rounded = ({ open, high, low, close }: Record<'open' | 'high' | 'low' | 'close', number>) => ({
  open: Math.floor(open),
  high: Math.floor(high),
  low: Math.floor(low),
  close: Math.floor(close),
})

const ask = () =>
  fc.record({
    kind: fc.constantFrom('MARKET', 'LIMIT', 'LIMIT', 'LIMIT', 'STOP', 'STOP', 'cancel', 'oco'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    /** Which candle it is sent in or before, and where in it. */
    candle: fc.nat(59),
    part: fc.constantFrom(0, 0, 0.5, 0.999),
    /** Where its price is in the range of that candle, a little wider. */
    place: fc.integer({ min: -3, max: 13 }),
    qty: fc.constantFrom(1, 2, 3, 30, 900, 60_000),
    /** Which earlier one it cancels or excludes. */
    which: fc.nat(1_000),
  })

type Ask = ReturnType<typeof ask> extends fc.Arbitrary<infer Value> ? Value : never

/** In the order of time; a cancel, and a stop that excludes a target, is later than what it names. */
function requestsOf(asks: readonly Ask[], candles: readonly NaiveCandle[], interval: number): readonly NaiveRequest[] {
  const requests: NaiveRequest[] = []
  const timeOf = ({ candle, part }: Ask): number =>
    (candles[candle % candles.length]?.time ?? 0) + Math.floor(part * interval)
  for (const [id, each] of asks.toSorted((a, b) => timeOf(a) - timeOf(b)).entries()) {
    const { kind, side, qty, which } = each
    const at = timeOf(each)
    const { high = 0, low = 0 } = candles[each.candle % candles.length] ?? {}
    const price = Math.max(1, Math.round(low + ((high - low) * each.place) / 10) + (each.place % 3))
    if (kind === 'cancel') {
      const known = requests.filter((other): other is NaiveOrder => 'id' in other)
      const named = known[which % Math.max(1, known.length)]
      if (named !== undefined) requests.push({ cancel: named.id, at })
      continue
    }
    if (kind === 'MARKET') requests.push({ id, at, side, type: 'MARKET', qty })
    if (kind === 'LIMIT') requests.push({ id, at, side, type: 'LIMIT', price, qty })
    if (kind === 'STOP') requests.push({ id, at, side, type: 'STOP', price, qty })
    if (kind !== 'oco') continue
    const target = freeTarget(requests, side, which)
    if (target === undefined) requests.push({ id, at, side, type: 'LIMIT', price, qty })
    else requests.push({ id, at, side, type: 'STOP', price, qty, oco: target.id })
  }
  return requests
}

/** A limit order that no stop excludes yet. */
function freeTarget(requests: readonly NaiveRequest[], side: string, which: number): NaiveOrder | undefined {
  const orders = requests.filter((request): request is NaiveOrder => 'id' in request)
  const isTaken = ({ id }: NaiveOrder): boolean => orders.some(({ oco }) => oco === id)
  const free = orders.filter((order) => order.type === 'LIMIT' && order.side === side && !isTaken(order))
  return free[which % Math.max(1, free.length)]
}
