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
const LATE_MS = 500

/** A silence of so many usual times between two trades is one of the connection. */
const SILENCE = 10

/** A stretch of the market: the price before it, undefined if that is not known, and those in it. */
export interface MarketMoves {
  readonly before: string | undefined
  readonly prices: readonly string[]
}

/** A trade at the time at which it counts. */
interface TimedPrice {
  readonly time: number
  /** Unix milliseconds by the clock of the exchange. */
  readonly createdAt: number
  readonly price: string
}

type TradesBySymbol = Map<string, TimedPrice[]>

export class TwinPrices {
  readonly #seen: TradesBySymbol = new Map()
  readonly #traded: TradesBySymbol = new Map()
  readonly #marks = new Map<string, string>()
  readonly #late: number[] = []
  /** Median times between two trades, once they are asked for. */
  readonly #usual = new Map<string, number>()
  /** Difference of the clocks and the quickest way here. */
  readonly #baseMs: number

  /**
   * @param received  in the order of their arrival
   * @param isOwn     true for a trade that an order of the session took
   * @param isPaper   true if the session filled its orders on the trades as they arrived
   */
  constructor(received: readonly ReceivedTrade[], isOwn: (trade: ReceivedTrade) => boolean, isPaper: boolean) {
    this.#baseMs = isPaper ? 0 : leastLag(received)
    for (const trade of received) {
      const { symbol, price, arrivedAt, createdAt } = trade
      if (arrivedAt === undefined) continue
      this.#marks.set(symbol, price)
      if (!isPaper && arrivedAt - createdAt - this.#baseMs > LATE_MS) this.#late.push(arrivedAt)
      if (!isOwn(trade)) add(this.#seen, symbol, { time: arrivedAt, createdAt: isPaper ? arrivedAt : createdAt, price })
    }
    if (isPaper) this.#traded = this.#seen
    else {
      const others = received.filter((trade) => !isOwn(trade)).sort((one, other) => one.createdAt - other.createdAt)
      for (const { symbol, price, createdAt } of others)
        add(this.#traded, symbol, { time: createdAt, createdAt, price })
    }
  }

  /** Last price of a market; undefined for one without a trade. */
  markOf(symbol: string): Decimal | undefined {
    const mark = this.#marks.get(symbol)
    return mark === undefined ? undefined : toDecimal(mark)
  }

  /** Trades that the exchange had, and of which none had arrived. @param time  by the clock of the session */
  unseen(symbol: string, time: number): MarketMoves {
    const seen = this.#seen.get(symbol) ?? []
    const last = seen[indexAfter(seen, time) - 1]
    return this.#between(symbol, last?.createdAt ?? -Infinity, time - this.#baseMs)
  }

  /**
   * Trades between a decision and the arrival of its order.
   *
   * @param from  the decision, by the clock of the session
   * @param to    the arrival, by the clock of the exchange, included
   */
  underway(symbol: string, from: number, to: number): MarketMoves {
    return this.#between(symbol, from - this.#baseMs, to)
  }

  #between(symbol: string, from: number, to: number): MarketMoves {
    const trades = this.#traded.get(symbol) ?? []
    const first = indexAfter(trades, from)
    const prices = trades.slice(first, Math.max(first, indexAfter(trades, to))).map(({ price }) => price)
    return { before: trades[first - 1]?.price, prices }
  }

  /** Whether nothing had arrived for unusually long. @param time  by the clock of the session */
  isSilent(symbol: string, time: number): boolean {
    const seen = this.#seen.get(symbol) ?? []
    const last = seen[indexAfter(seen, time) - 1]
    return last !== undefined && time - last.time > Math.max(LATE_MS, SILENCE * this.#usualMs(symbol))
  }

  /** Median time between two trades of the exchange. */
  #usualMs(symbol: string): number {
    const known = this.#usual.get(symbol)
    if (known !== undefined) return known
    const times = (this.#traded.get(symbol) ?? []).map(({ time }) => time)
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
    const usual = steps.sort((one, other) => one - other)[steps.length >> 1] ?? Infinity
    this.#usual.set(symbol, usual)
    return usual
  }

  /** The moment of an answer by the clock of the exchange, at the latest. @param time  by the clock of the session */
  exchangeTime(time: number): number {
    return time - this.#baseMs
  }

  /** Whether a trade arrived late in a period. @param from, to  Unix milliseconds, included */
  hasLate(from: number, to: number): boolean {
    const late = this.#late
    const first = firstIndex(0, late.length, (index) => (late[index] ?? 0) >= from)
    return (late[first] ?? Infinity) <= to
  }
}

function leastLag(received: readonly ReceivedTrade[]): number {
  const least = received.reduce(
    (lag, { arrivedAt, createdAt }) => (arrivedAt === undefined ? lag : Math.min(lag, arrivedAt - createdAt)),
    Infinity,
  )
  return least === Infinity ? 0 : least
}

function add(trades: TradesBySymbol, symbol: string, trade: TimedPrice): void {
  const known = trades.get(symbol)
  if (known === undefined) trades.set(symbol, [trade])
  else known.push(trade)
}

/** Index of the first trade after a time. */
const indexAfter = (trades: readonly TimedPrice[], time: number): number =>
  firstIndex(0, trades.length, (index) => (trades[index]?.time ?? 0) > time)
