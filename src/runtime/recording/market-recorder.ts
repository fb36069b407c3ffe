/**
 * Records one market: appends the trades of its stream, after the trades missed since the recording last ended.
 *
 * A continued recording is backfilled from the newest trades of the exchange. If its last trade is not among them, the
 * trades between are unknown, which is marked as a gap.
 */
import type { Subscription } from 'rxjs'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { MarketReads } from '../../adapter/live/rest/service-calls.ts'
import type { Recording, TradeToRecord } from '../../store/recordings/recording.ts'
import type { MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'

/** Maximum size of a read according to the specification. */
const MAX_READ = 500

const WHILE_STOPPED = 'not recorded, and no longer listed by the exchange'
const WHILE_LISTENING = 'lost between the exchange and here'

export interface MarketRecorderOptions {
  readonly market: Market
  readonly recording: Recording
  readonly reads: Pick<MarketReads, 'trades'>
  /** Recording has stopped: it cannot be written, or its trades have changed. */
  readonly onFailure: (error: unknown) => void
}

export class MarketRecorder {
  readonly #options: MarketRecorderOptions
  #subscription: Subscription | undefined
  /** Trades that arrived before the recording could continue; undefined once it does. */
  #held: (() => void)[] | undefined = []
  /** Ids that the exchange had shown and that were stored when the recording continued: the stream may repeat them. */
  #shown: ReadonlySet<string> = new Set()
  /** End of an earlier process's recording, if the trades after it are unknown. */
  #gapFrom: number | undefined
  #lastPrice: string | undefined
  #isOver = false
  #cannotSync = false

  constructor(options: MarketRecorderOptions) {
    this.#options = options
  }

  get symbol(): string {
    return this.#options.market.symbol
  }

  get recording(): Recording {
    return this.#options.recording
  }

  /** Decimal string; undefined before the first trade. */
  get lastPrice(): string | undefined {
    return this.#lastPrice
  }

  /** Subscribes. Call before anything is emitted. */
  listen(source: Pick<ExchangeAdapter, 'trades' | 'gaps'>): void {
    const { symbol } = this
    this.#subscription = source.gaps(symbol).subscribe((gap) => {
      this.#inOrder(() => {
        this.#onGap(gap)
      })
    })
    this.#subscription.add(
      source.trades(symbol).subscribe((trade) => {
        this.#inOrder(() => {
          this.#onTrade(trade)
        })
      }),
    )
  }

  /**
   * Continues where the recording ended. Call when the stream is live, so that no trade is missed between.
   * @throws {ExchangeError} if the exchange does not show its trades
   */
  async resume(): Promise<void> {
    const newestFirst = await this.#options.reads.trades(this.symbol, MAX_READ)
    this.#guarded(() => {
      this.#fill(newestFirst.toReversed())
    })
    const held = this.#held ?? []
    this.#held = undefined
    for (const action of held) this.#guarded(action)
  }

  /** Syncs stored data to disk. */
  async sync(): Promise<void> {
    if (this.#cannotSync) return
    try {
      await this.recording.sync()
    } catch (error) {
      this.#cannotSync = true
      const isNews = !this.#isOver
      this.#end()
      if (isNews) this.#options.onFailure(error)
    }
  }

  /** Unsubscribes and closes the recording. */
  close(): void {
    this.#end()
    this.recording.close()
  }

  #end(): void {
    this.#isOver = true
    this.#subscription?.unsubscribe()
  }

  #inOrder(action: () => void): void {
    if (this.#held === undefined) this.#guarded(action)
    else this.#held.push(action)
  }

  /** A write failure stops the recording and nothing else. */
  #guarded(action: () => void): void {
    if (this.#isOver) return
    try {
      action()
    } catch (error) {
      this.#end()
      this.#options.onFailure(error)
    }
  }

  /** @param oldestFirst  without a gap */
  #fill(oldestFirst: readonly WireTrade[]): void {
    const { last } = this.recording
    this.recording.learnIds(oldestFirst.map(({ id }) => id))
    // A new recording begins now.
    if (last === undefined) return
    const lastIndex = oldestFirst.findIndex(({ id }) => id === last.id)
    const missed =
      lastIndex < 0
        ? oldestFirst.filter(({ createdAt }) => createdAt >= last.createdAt)
        : oldestFirst.slice(lastIndex + 1)
    const stored = lastIndex < 0 ? missed : oldestFirst
    this.#shown = new Set(stored.map(({ id }) => id))
    if (lastIndex < 0) this.#gapFrom = last.createdAt
    for (const trade of missed) this.#store(this.#rowOf(trade))
  }

  #onGap({ from, to }: MarketGap): void {
    this.recording.gap(from, to, WHILE_LISTENING)
  }

  #onTrade(trade: MarketTrade): void {
    if (this.#shown.size > 0 && this.#shown.has(trade.id)) return
    const { pricePrecision, qtyPrecision } = this.#options.market
    const { id, createdAt, isBuyerMaker } = trade
    const [price, qty] = [trade.price.toFixed(pricePrecision), trade.qty.toFixed(qtyPrecision)]
    this.#store({ id, createdAt, price, qty, isBuyerMaker })
  }

  #store(row: TradeToRecord): void {
    if (this.#gapFrom !== undefined) {
      this.recording.gap(this.#gapFrom, Math.max(this.#gapFrom, row.createdAt), WHILE_STOPPED)
      this.#gapFrom = undefined
    }
    this.recording.append(row)
    this.#lastPrice = row.price
  }

  #rowOf({ id, createdAt, price, qty, isBuyerMaker }: WireTrade): TradeToRecord {
    const { pricePrecision, qtyPrecision } = this.#options.market
    return {
      id,
      createdAt,
      price: formatUnits(price, pricePrecision),
      qty: formatUnits(qty, qtyPrecision),
      isBuyerMaker,
    }
  }
}
