/**
 * A simulated market for tests, said in as few words as the test needs: BTC_USD in whole prices and quantities, no
 * fees.
 */
import type { PrintFilterMode } from '../../../src/tape/print-filter.ts'
import type { Command } from '../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { OrderRequest, Side } from '../../../src/domain/order.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import type { CandleTerms } from '../../../src/simulation/candles/candle-terms.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import type { LiquidityModel, RecordedTrade } from '../../../src/simulation/liquidity/liquidity-model.ts'
import { Replay, type ReplayListener } from '../../../src/simulation/replay/replay.ts'
import { channelsOf, type PlayedTape } from '../../../src/simulation/replay/tape-channel.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { mergeTapes } from '../../../src/tape/merge.ts'
import type { RecordedDepth } from '../../../src/simulation/depth/recorded-depth.ts'
import type { BookTape } from '../../../src/tape/book-tape.ts'
import type { PlayedBlock, Tape } from '../../../src/tape/tape.ts'
import { KEEP_ALL, market } from '../../exchange/rig/configs.ts'

export const BTC = 'BTC_USD'

export interface StageOptions {
  readonly markets?: readonly MarketConfig[]
  readonly model?: () => LiquidityModel
  /** Of the markets that were recorded as candles, by symbol. */
  readonly candles?: ReadonlyMap<string, CandleTerms>
  /** Of the markets whose book or quotes were recorded, by symbol; the model's own, where it follows them. */
  readonly depths?: ReadonlyMap<string, RecordedDepth>
  /** Unix milliseconds at which the queue starts. */
  readonly start?: number
  /** False for markets in which every match counts; default: true. */
  readonly isRecorded?: boolean
}

export interface PlayOptions {
  /** Recorded books and quotes; default: none. */
  readonly books?: readonly BookTape[]
  readonly end?: number
  readonly listener?: Partial<ReplayListener> & {
    /** A recorded trade of a market is about to be played. */
    readonly onRecorded?: (symbol: string, trade: RecordedTrade) => void
  }
  /** Longer than this is a gap; endless without. */
  readonly silenceMs?: number
  /** Default: all, for tapes in memory jump about as no market does. */
  readonly filterMode?: PrintFilterMode
}

export class MarketStage {
  readonly exchange: Exchange
  readonly queue: EventQueue
  readonly simulated: SimulatedMarkets
  /** Every public trade of every market, in its order. */
  readonly trades: Trade[] = []
  readonly events: ExchangeEvent[] = []

  constructor({
    markets = [market(BTC)],
    model = () => new IdealLiquidity(),
    start = 0,
    isRecorded = true,
    candles,
    depths,
  }: StageOptions = {}) {
    this.exchange = createExchange({ markets, quoteAsset: 'USD', history: KEEP_ALL })
    this.queue = new EventQueue(start)
    const recorded = new Set(isRecorded ? markets.map(({ symbol }) => symbol) : [])
    this.simulated = new SimulatedMarkets(this.exchange, this.queue, model, recorded, candles, depths)
    for (const { symbol } of markets) {
      this.simulated.listen(symbol, { onTrade: (trade) => void this.trades.push(trade) })
    }
    this.simulated.onEvents((events) => {
      for (const event of events) this.events.push(event)
    })
  }

  /** What was printed or traded: price x qty, and the side of the aggressor. */
  get tape(): readonly string[] {
    return this.trades.map(({ price, qty, isBuyerMaker }) => `${price} x ${qty} ${isBuyerMaker ? 'sell' : 'buy'}`)
  }

  credit(account: string, asset: string, amount: bigint): void {
    this.execute({ type: 'credit', account, asset, amount })
  }

  record(time: number, price: number, qty: number, side: 'buy' | 'sell' = 'buy', symbol = BTC): void {
    this.simulated.record(symbol, { time, price, qty, isBuyerMaker: side === 'sell' })
  }

  limit(account: string, side: Side, price: number, qty: number, symbol = BTC): readonly ExchangeEvent[] {
    return this.place(account, { symbol, side, type: 'LIMIT', price, qty })
  }

  market(account: string, side: Side, qty: number, symbol = BTC): readonly ExchangeEvent[] {
    return this.place(account, { symbol, side, type: 'MARKET', qty })
  }

  place(account: string, request: OrderRequest): readonly ExchangeEvent[] {
    return this.execute({ type: 'place', account, request })
  }

  /** At the present time. */
  execute(command: DistributiveOmit<Command, 'time'>): readonly ExchangeEvent[] {
    return this.simulated.execute({ ...command, time: this.queue.now() })
  }

  /** Plays tapes up to `end`, or to the end of the last of them. */
  async play(tapes: readonly Tape[], options: PlayOptions = {}): Promise<void> {
    const { books = [], silenceMs = Infinity, filterMode = 'all', listener: { onRecorded, ...listener } = {} } = options
    const played = tapes.map((tape): PlayedTape => ({
      tape,
      longestSilenceMs: silenceMs,
      filterMode,
      listener: {
        onRecorded: (time, price, qty, isBuyerMaker) =>
          onRecorded?.(tape.info.symbol, { time, price, qty, isBuyerMaker }),
      },
    }))
    const replay = new Replay(this.simulated, channelsOf(played, books), { ...PASSIVE, ...listener })
    await replay.play(
      mergeTapes<PlayedBlock>([...tapes, ...books]),
      options.end ?? Math.max(...[...tapes, ...books].map(({ info }) => info.to)),
    )
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

const PASSIVE: ReplayListener = {
  stopped: () => false,
  enter: () => undefined,
  leave: () => undefined,
  wantsTurn: () => false,
  turn: () => Promise.resolve(),
  onGap: () => undefined,
  onProgress: () => undefined,
}

/** `BUY 3 at 100, maker` of each match of the account, in its order. */
export function fillsOf(events: readonly ExchangeEvent[], account: string): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== 'traded') return []
    const { trade, maker, taker } = event
    return [
      ...(maker.userId === account ? [`${maker.side} ${trade.qty} at ${trade.price}, maker`] : []),
      ...(taker.userId === account ? [`${taker.side} ${trade.qty} at ${trade.price}, taker`] : []),
    ]
  })
}
