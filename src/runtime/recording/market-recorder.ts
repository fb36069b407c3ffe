/**
 * Records one market: what its stream of trades tells goes into its recording, behind what was missed since that ended.
 *
 * A recording that goes on is filled from the newest trades that the exchange shows. Where its last trade is not among
 * them, nobody knows what came in between, and that is marked as a gap.
 */
import type { Subscription } from 'rxjs'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { MarketReads } from '../../adapter/live/rest/service-calls.ts'
import type { Recording } from '../../store/recordings/recording.ts'
import type { TradeToRecord } from '../../store/recordings/recorded-row.ts'
import type { MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'

/** What the specification lets a read show at most. */
const MOST_READ = 500

const WHILE_STOPPED = 'not recorded, and no longer listed by the exchange'
const WHILE_LISTENING = 'lost between the exchange and here'

export interface MarketRecorderOptions {
  readonly market: Market
  readonly recording: Recording
  readonly reads: Pick<MarketReads, 'trades'>
  /** Nothing more is recorded: the recording cannot be written, or its trades are not what they were. */
  readonly onFailure: (error: unknown) => void
}

export class MarketRecorder {
  readonly #options: MarketRecorderOptions
  #subscription: Subscription | undefined
  /** What was told before the recording could go on; undefined once it does. */
  #held: (() => void)[] | undefined = []
  /** Ids that the exchange had shown and that were stored when the recording went on: they may be told again. */
  #shown: ReadonlySet<string> = new Set()
  /** End of what was recorded by an earlier process, when it is not known what came after it. */
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

  /** Listens. To be called before anything is told. */
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
   * Goes on where the recording ended. To be called when the trades that come are told, so that none falls between.
   *
   * @throws {ExchangeError} when the exchange does not show its trades
   */
  async resume(): Promise<void> {
    const newestFirst = await this.#options.reads.trades(this.symbol, MOST_READ)
    this.#guarded(() => {
      this.#fill(newestFirst.toReversed())
    })
    const held = this.#held ?? []
    this.#held = undefined
    for (const action of held) this.#guarded(action)
  }

  /** Puts on the disk what was stored. */
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

  /** Stops listening and closes the recording. */
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

  /** One that cannot be written ends the recording and nothing else. */
  #guarded(action: () => void): void {
    if (this.#isOver) return
    try {
      action()
    } catch (error) {
      this.#end()
      this.#options.onFailure(error)
    }
  }

  /** @param oldestFirst  without a hole */
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
