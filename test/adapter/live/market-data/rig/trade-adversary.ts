/**
 * A market whose trades are known, behind a stream and reads that are as bad as they are asked to be; and a log of what
 * came of it.
 */
import { ExchangeError } from '../../../../../src/domain/errors.ts'
import type { LiveTime } from '../../../../../src/adapter/live/live-time.ts'
import type { WireTrade } from '../../../../../src/wire/wire-trade.ts'

export const SYMBOL = 'BTC_USD'

/** Probabilities in [0, 1], times in milliseconds. */
export interface Badness {
  readonly drop: number
  readonly double: number
  /** Held back by up to `permuteMs`, so that others overtake it. */
  readonly permute: number
  readonly permuteMs: number
  /** A read that fails. */
  readonly fail: number
  /** A read of a state some trades ago. */
  readonly stale: number
  readonly readMs: number
}

export const GOOD: Badness = { drop: 0, double: 0, permute: 0, permuteMs: 0, fail: 0, stale: 0, readMs: 0 }

/** Opaque: its order says nothing. */
const idOf = (index: number): string => `t${((index + 1) * 2_654_435_761) % 4_294_967_296}`

export const tradeAt = (index: number, createdAt: number, price = 100 + (index % 7)): WireTrade => ({
  id: idOf(index),
  symbol: SYMBOL,
  price,
  qty: 1 + (index % 5),
  buyOrderId: `b${index}`,
  sellOrderId: `s${index}`,
  buyerId: 'buyer',
  sellerId: 'seller',
  isBuyerMaker: index % 2 === 0,
  createdAt,
})

export class TradeAdversary {
  /** Every trade, in the exchange's order. */
  readonly truth: WireTrade[] = []
  readonly indexById = new Map<string, number>()
  badness: Badness
  isConnected = false
  reads = 0
  /** What the stream of this market did, by kind. */
  readonly done = { dropped: 0, doubled: 0, permuted: 0, failed: 0, stale: 0 }
  readonly #time: LiveTime
  readonly #random: () => number
  #connection = 0
  #deliver: (trade: WireTrade) => void = () => undefined

  constructor(time: LiveTime, random: () => number, badness: Badness) {
    this.#time = time
    this.#random = random
    this.badness = badness
  }

  connect(deliver: (trade: WireTrade) => void): void {
    this.isConnected = true
    this.#connection += 1
    this.#deliver = deliver
  }

  disconnect(): void {
    this.isConnected = false
    this.#connection += 1
  }

  /** Trades, now. */
  trade(count = 1): void {
    for (let each = 0; each < count; each += 1) {
      const trade = tradeAt(this.truth.length, this.#time.now(), 100 + Math.floor(this.#random() * 9))
      this.indexById.set(trade.id, this.truth.length)
      this.truth.push(trade)
      this.#stream(trade)
    }
  }

  #stream(trade: WireTrade): void {
    const { drop, double, permute, permuteMs } = this.badness
    if (!this.isConnected) return
    if (this.#random() < drop) {
      this.done.dropped += 1
      return
    }
    if (this.#random() < double) {
      this.done.doubled += 1
      this.#sendLater(trade, Math.floor(this.#random() * 2_000))
    }
    if (this.#random() < permute) {
      this.done.permuted += 1
      this.#sendLater(trade, Math.floor(this.#random() * (permuteMs + 1)))
    } else {
      this.#deliver(trade)
    }
  }

  #sendLater(trade: WireTrade, delayMs: number): void {
    const connection = this.#connection
    this.#time.after(delayMs, () => {
      if (connection === this.#connection) this.#deliver(trade)
    })
  }

  /** Newest first. */
  readonly trades = (_symbol: string, limit: number): Promise<readonly WireTrade[]> => {
    this.reads += 1
    const { fail, stale, readMs } = this.badness
    const isStale = this.#random() < stale
    if (isStale) this.done.stale += 1
    const end = this.truth.length - (isStale ? Math.floor(this.#random() * 20) : 0)
    const page = this.truth.slice(Math.max(0, end - limit), Math.max(0, end)).reverse()
    const isFailing = this.#random() < fail
    if (isFailing) this.done.failed += 1
    return new Promise((resolve, reject) => {
      this.#time.after(Math.floor(this.#random() * (readMs + 1)), () => {
        if (isFailing) reject(new ExchangeError('SERVICE_UNAVAILABLE', 'not now', { isRetryable: true }))
        else resolve(page)
      })
    })
  }
}

export type Reported =
  | { readonly type: 'trade'; readonly trade: WireTrade }
  | { readonly type: 'gap'; readonly from: number; readonly to: number }

/**
 * What is wrong with what was reported of the trades from `first` on: each once, in order, and none missing outside of
 * a gap.
 *
 * @param order  `strict`: no trade is out of order. `gaps`: one may be inside a millisecond if a gap says so
 * @returns undefined when nothing is
 */
export function faultOfReported(
  { truth, indexById }: TradeAdversary,
  first: number,
  reported: readonly Reported[],
  order: 'strict' | 'gaps',
): string | undefined {
  const gaps = reported.filter((each) => each.type === 'gap')
  const isInGap = (at: number): boolean => gaps.some(({ from, to }) => from <= at && at <= to)
  const seen = new Set<number>()
  let last = -1
  for (const each of reported) {
    if (each.type === 'gap') continue
    const index = indexById.get(each.trade.id)
    if (index === undefined) return `${each.trade.id} is no trade`
    if (index < first) return `trade ${index} is from before the beginning`
    if (seen.has(index)) return `trade ${index} was reported twice`
    seen.add(index)
    if (index < last) {
      const isSameMs = truth[last]?.createdAt === each.trade.createdAt
      if (order === 'strict' || !isSameMs || !isInGap(each.trade.createdAt)) return `trade ${index} came after ${last}`
    }
    last = Math.max(last, index)
  }
  for (const [index, trade] of truth.entries()) {
    if (index < first || seen.has(index) || isInGap(trade.createdAt)) continue
    return `trade ${index} was not reported, and no gap says so`
  }
  return order === 'strict' ? faultOfGaps(reported) : undefined
}

/** A gap comes before the trade behind it and after the one before it. */
function faultOfGaps(reported: readonly Reported[]): string | undefined {
  let last = Number.NEGATIVE_INFINITY
  for (const each of reported) {
    if (each.type === 'trade') last = each.trade.createdAt
    else if (each.to < last) return `a gap to ${each.to} came after a trade of ${last}`
  }
  return undefined
}
