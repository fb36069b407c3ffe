/** The prices of a session's markets: as its strategy had received them, and as the exchange had traded. */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import { firstIndex } from '../../domain/first-index.ts'

/** A trade as a session received it. */
export interface ReceivedTrade {
  readonly symbol: string
  readonly id: string
  /** Unix milliseconds by the clock of the session; undefined for a trade from before its start. */
  readonly arrivedAt: number | undefined
  /** Unix milliseconds by the clock of the exchange. */
  readonly createdAt: number
  /** Decimal strings. */
  readonly price: string
  readonly qty: string
  readonly isBuyerMaker: boolean
}

/** Later than this after the quickest trade of the session, a trade is late. */
export const LATE_MS = 500

interface Series {
  readonly times: number[]
  readonly prices: string[]
}

/** Prices of the last trades up to a moment; undefined for none. */
export interface LastPrices {
  /** Price of the last trade. */
  readonly ofAll: Decimal | undefined
  /** The same of the last one that took what an order of that side takes. */
  readonly ofSide: Decimal | undefined
}

type SeriesByKey = Map<string, Series>

export class TwinPrices {
  readonly #seen: SeriesByKey = new Map()
  readonly #traded: SeriesByKey = new Map()
  readonly #marks = new Map<string, string>()
  readonly #late: number[] = []
  /** Difference of the clocks and the quickest way here. */
  readonly #baseMs: number

  /**
   * @param received  in the order of their arrival
   * @param isOwn     true for a trade that an order of the session took
   * @param isPaper   true if the session filled its orders on the trades as they arrived
   */
  constructor(received: readonly ReceivedTrade[], isOwn: (trade: ReceivedTrade) => boolean, isPaper: boolean) {
    const arrived = received.filter(({ arrivedAt }) => arrivedAt !== undefined)
    const lags = arrived.map(({ arrivedAt = 0, createdAt }) => arrivedAt - createdAt)
    this.#baseMs = isPaper ? 0 : lags.reduce((least, lag) => Math.min(least, lag), lags[0] ?? 0)
    for (const trade of arrived) {
      const { symbol, price, arrivedAt = 0, createdAt } = trade
      this.#marks.set(symbol, price)
      if (!isPaper && arrivedAt - createdAt - this.#baseMs > LATE_MS) this.#late.push(arrivedAt)
      if (isOwn(trade)) continue
      add(this.#seen, trade, arrivedAt)
      if (isPaper) add(this.#traded, trade, arrivedAt)
    }
    if (isPaper) return
    const others = received.filter((trade) => !isOwn(trade))
    for (const trade of others.sort((one, other) => one.createdAt - other.createdAt))
      add(this.#traded, trade, trade.createdAt)
  }

  /** Last price of a market; undefined for one without a trade. */
  markOf(symbol: string): Decimal | undefined {
    const mark = this.#marks.get(symbol)
    return mark === undefined ? undefined : toDecimal(mark)
  }

  /** Prices that had arrived. @param time  by the clock of the session */
  seen(symbol: string, side: string, time: number): LastPrices {
    return lastPrices(this.#seen, symbol, side, time)
  }

  /** Prices of the exchange. @param time  by the clock of the session */
  traded(symbol: string, side: string, time: number): LastPrices {
    return lastPrices(this.#traded, symbol, side, time - this.#baseMs)
  }

  /** The same at a moment by the clock of the exchange. */
  tradedAt(symbol: string, side: string, time: number): LastPrices {
    return lastPrices(this.#traded, symbol, side, time)
  }

  /** Whether a trade arrived late in a period. @param from, to  Unix milliseconds, included */
  hasLate(from: number, to: number): boolean {
    const late = this.#late
    const first = firstIndex(0, late.length, (index) => (late[index] ?? 0) >= from)
    return (late[first] ?? Infinity) <= to
  }
}

/** An order that buys takes what others offer, as a trade did whose maker sold. */
function add(series: SeriesByKey, { symbol, price, isBuyerMaker }: ReceivedTrade, time: number): void {
  for (const key of [symbol, `${symbol} ${isBuyerMaker ? 'SELL' : 'BUY'}`]) {
    const found = series.get(key) ?? { times: [], prices: [] }
    series.set(key, found)
    found.times.push(time)
    found.prices.push(price)
  }
}

const lastPrices = (series: SeriesByKey, symbol: string, side: string, time: number): LastPrices => ({
  ofAll: priceAt(series.get(symbol), time),
  ofSide: priceAt(series.get(`${symbol} ${side}`), time),
})

function priceAt(series: Series | undefined, time: number): Decimal | undefined {
  if (series === undefined) return undefined
  const { times, prices } = series
  const price = prices[firstIndex(0, times.length, (index) => (times[index] ?? 0) > time) - 1]
  return price === undefined ? undefined : toDecimal(price)
}
