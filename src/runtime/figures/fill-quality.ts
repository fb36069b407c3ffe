/**
 * Quality of the fills of a run, to judge their reliability: who made them, the markout after them, and their share of
 * the market's volume.
 *
 * Invariant: each fill counts once: as a maker's, as a taker's, or, if both sides of the match were ours, as own.
 */
import { Markout } from '../../analysis/markout.ts'
import { InvariantError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { AccountFill } from '../../domain/trade.ts'
import { ExactSum } from '../../exchange/exact-sum.ts'

/**
 * Quantity-weighted mean over all fills, in basis points of the price; null if nothing was filled long enough before
 * the end.
 */
export interface MarkoutReport {
  readonly '1s': number | null
  readonly '5s': number | null
  readonly '60s': number | null
}

/** Fills of one market in one role. Decimal strings. */
export interface RoleReport {
  readonly fills: number
  readonly qty: string
  readonly markoutBps: MarkoutReport
}

export interface MarketFillQuality {
  readonly maker: RoleReport & {
    /** Fills by a trade at the order's own price, and by one beyond it. */
    readonly byQueue: number
    readonly byThrough: number
    /**
     * Number of fills by the other side of the recorded book when it reached the order's price; only if a book is
     * followed.
     */
    readonly byCrossing?: number
  }
  readonly taker: RoleReport & {
    /** Fills against a quote that was older than 5 s: of the last trade, or of the recorded book if that is newer. */
    readonly onOldQuote: number
    /** Number of fills at a recorded book whose last change was more than 1 s before; only if a book is followed. */
    readonly onOldBook?: number
  }
  /** Self-trade fills, two per match: the market had no part in them, so they are counted nowhere else here. */
  readonly ownFills: number
  readonly recordedQty: string
  /** Quantity filled with the market, divided by the recorded quantity. */
  readonly shareOfVolume: number
  readonly gaps: number
  /** Open orders summed over all gaps. */
  readonly ordersAcrossGaps: number
}

/** Fill quality by symbol. */
export type FillQualityReport = Readonly<Record<string, MarketFillQuality>>

const HORIZONS = { '1s': 1_000, '5s': 5_000, '60s': 60_000 } as const
const LONGEST_HORIZON_MS = Math.max(...Object.values(HORIZONS))
const OLD_QUOTE_MS = 5_000
const OLD_BOOK_MS = 1_000

/** The recorded book of a market during the replay. */
export interface PlayedBook {
  /** True while fills by its other side are emitted. */
  readonly isCrossing: boolean
  /** Unix milliseconds of its last change; -Infinity before the first. */
  readonly reportedAt: number
}

class RoleFills {
  fills = 0
  lots = 0n
  readonly #markouts = {
    '1s': new Markout(HORIZONS['1s']),
    '5s': new Markout(HORIZONS['5s']),
    '60s': new Markout(HORIZONS['60s']),
  }
  readonly #eachMarkout = Object.values(this.#markouts)

  add({ side, trade: { createdAt, price, qty } }: AccountFill): void {
    this.fills += 1
    this.lots += BigInt(qty)
    for (const markout of this.#eachMarkout) markout.fill(createdAt, side, price, qty)
  }

  advance(time: number, lastPrice: number): void {
    for (const markout of this.#eachMarkout) markout.advance(time, lastPrice)
  }

  report(qtyPrecision: number): RoleReport {
    const markouts = this.#markouts
    const markoutBps = { '1s': markouts['1s'].meanBps, '5s': markouts['5s'].meanBps, '60s': markouts['60s'].meanBps }
    return { fills: this.fills, qty: formatTrimmed(this.lots, qtyPrecision), markoutBps }
  }
}

export class MarketFills {
  readonly maker = new RoleFills()
  readonly taker = new RoleFills()
  readonly recorded = new ExactSum()
  /** Set if the market's liquidity follows a recorded book. */
  book: PlayedBook | undefined
  /** Ticks, and Unix milliseconds, of the last recorded trade; 0 before the first. */
  lastPrice = 0
  lastTime = 0
  byQueue = 0
  byThrough = 0
  byCrossing = 0
  onOldQuote = 0
  onOldBook = 0
  ownFills = 0
  gaps = 0
  ordersAcrossGaps = 0
  /** Time at which the markout horizons of all fills so far are over; -Infinity once a later trade was seen. */
  #pendingTo = -Infinity
  #isOfCandles = false

  /** Call before a recorded trade is played. While no fill waits for its horizon, it is only remembered. */
  onRecorded(time: number, price: number, qty: number): void {
    if (this.#pendingTo !== -Infinity) this.#advance(time)
    this.lastPrice = price
    this.lastTime = time
    this.recorded.add(qty)
  }

  /** Call when a recorded candle closes, before it fills anything: it fills only at prices beyond which it went. */
  onCandle(endsAt: number, close: number, volume: number): void {
    this.#isOfCandles = true
    this.onRecorded(endsAt, close, volume)
  }

  add(fill: AccountFill): void {
    const { isMaker, isOwnMatch, trade } = fill
    if (isOwnMatch) {
      this.ownFills += 1
      return
    }
    ;(isMaker ? this.maker : this.taker).add(fill)
    this.#pendingTo = trade.createdAt + LONGEST_HORIZON_MS
    if (isMaker) this.#countMaker(trade.price)
    else this.#countTaker(trade.createdAt)
  }

  #countMaker(price: number): void {
    if (this.book?.isCrossing === true) this.byCrossing += 1
    else if (this.#isOfCandles || this.lastPrice !== price) this.byThrough += 1
    else this.byQueue += 1
  }

  #countTaker(time: number): void {
    const tradedAt = this.lastPrice > 0 ? this.lastTime : -Infinity
    const reportedAt = this.book?.reportedAt ?? -Infinity
    const quotedAt = Math.max(tradedAt, reportedAt)
    if (quotedAt !== -Infinity && time - quotedAt > OLD_QUOTE_MS) this.onOldQuote += 1
    if (reportedAt !== -Infinity && time - reportedAt > OLD_BOOK_MS) this.onOldBook += 1
  }

  #advance(time: number): void {
    this.maker.advance(time, this.lastPrice)
    this.taker.advance(time, this.lastPrice)
    if (time > this.#pendingTo) this.#pendingTo = -Infinity
  }

  report(qtyPrecision: number): MarketFillQuality {
    const { byQueue, byThrough, byCrossing, onOldQuote, onOldBook, ownFills, gaps, ordersAcrossGaps } = this
    const hasBook = this.book !== undefined
    const recorded = this.recorded.value
    const filled = this.maker.lots + this.taker.lots
    return {
      maker: { ...this.maker.report(qtyPrecision), byQueue, byThrough, ...(hasBook && { byCrossing }) },
      taker: { ...this.taker.report(qtyPrecision), onOldQuote, ...(hasBook && { onOldBook }) },
      ownFills,
      recordedQty: formatTrimmed(recorded, qtyPrecision),
      shareOfVolume: recorded === 0n ? 0 : Number(filled) / Number(recorded),
      gaps,
      ordersAcrossGaps,
    }
  }
}

export class FillQuality {
  readonly #markets: readonly Market[]
  readonly #fillsBySymbol: ReadonlyMap<string, MarketFills>

  constructor(markets: readonly Market[]) {
    this.#markets = markets
    this.#fillsBySymbol = new Map(markets.map(({ symbol }) => [symbol, new MarketFills()]))
  }

  /** The fills of one market, which receive its recorded trades. */
  market(symbol: string): MarketFills {
    const fills = this.#fillsBySymbol.get(symbol)
    if (fills === undefined) throw new InvariantError(`no market '${symbol}'`)
    return fills
  }

  /** @param openOrders  of the account in the market */
  onGap(symbol: string, openOrders: number): void {
    const fills = this.market(symbol)
    fills.gaps += 1
    fills.ordersAcrossGaps += openOrders
  }

  onFills(fills: readonly AccountFill[]): void {
    for (const fill of fills) this.market(fill.trade.symbol).add(fill)
  }

  /** Fills of our resting orders by the market, in all markets. */
  get makerFills(): number {
    return [...this.#fillsBySymbol.values()].reduce((sum, { maker }) => sum + maker.fills, 0)
  }

  /** Their quantity as decimal strings by symbol, without markets that had none. */
  get makerQty(): Readonly<Record<string, string>> {
    const rows = this.#markets.map(
      ({ symbol, qtyPrecision }) => [symbol, this.market(symbol).maker.lots, qtyPrecision] as const,
    )
    const filled = rows.filter(([, lots]) => lots > 0n)
    return Object.fromEntries(filled.map(([symbol, lots, digits]) => [symbol, formatTrimmed(lots, digits)]))
  }

  report(): FillQualityReport {
    const rows = this.#markets.map(({ symbol, qtyPrecision }) => {
      return [symbol, this.market(symbol).report(qtyPrecision)] as const
    })
    return Object.fromEntries(rows)
  }
}
