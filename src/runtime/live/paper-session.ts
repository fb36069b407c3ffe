/**
 * A paper session: a backtest on a tape that never ends. The trades of a live market are played into a simulated one as
 * they arrive, and the strategy's orders are filled there.
 *
 * Its time is this machine's: a trade happens when it arrives, whatever its exchange time, so that time never goes back
 * and there is no look-ahead. Between trades time continues, with timers, latencies and the ends of candles.
 * Known limitation: a gap that is detected late counts before the next trade, and not at its own time.
 */
import { believeOf } from '../settings/former-terms.ts'
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { openChannel, playGap, playRow, type OpenChannel } from '../../simulation/replay/play-row.ts'
import { exactTrade, type MarketTrade } from '../../strategy/market-data.ts'
import { GapDetector } from '../../tape/gap-detector.ts'
import { PrintFilter } from '../../tape/print-filter.ts'
import { SIDE_BUY, SIDE_SELL } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'
import type { PreparedBacktest } from '../backtest/prepared-backtest.ts'
import { SimulatedRun, type BacktestResult, type SimulatedRunListener } from '../backtest/simulated-run.ts'
import { macrotask } from '../backtest/virtual-world.ts'
import type { LiveLoop } from './live-loop.ts'
import { OutsideAdapter } from './outside-adapter.ts'
import { startWarm } from './warm-loop.ts'
import type { PastSource, WarmAdapter } from '../session/warm-adapter.ts'
import { warmAdapter } from '../session/warm-start.ts'

export interface PaperSessionOptions {
  /** Without tapes; it begins at the time of the loop. */
  readonly prepared: PreparedBacktest
  readonly outside: SimulatedRunListener
  readonly loop: LiveLoop
  readonly feed: Pick<ExchangeAdapter, 'trades' | 'gaps'>
  /** The feed with its history, which is replayed first if a warm-up is wanted; default: no warm-up. */
  readonly past?: PastSource | undefined
}

/** A market that is played. */
interface PlayedMarket {
  readonly market: MarketConfig
  readonly channel: OpenChannel
  /** A gap was emitted since its last trade. */
  isMissing: boolean
}

export class PaperSession {
  readonly options: PaperSessionOptions
  readonly run: SimulatedRun
  readonly #markets: readonly PlayedMarket[]
  readonly #subscription = new Subscription()
  #rows = 0
  #warm: WarmAdapter | undefined

  constructor(options: PaperSessionOptions) {
    const { prepared, outside, loop } = options
    const { turn, queue } = loop
    this.options = options
    const sessionTurn = prepared.loaded.strategy.async === true ? loop.promiseTurn() : turn
    const hooks = {
      adapterOf: (adapter: ExchangeAdapter) => this.#warmed(adapter),
      isWarming: () => this.#warm?.isWarming === true,
    }
    const warmHooks = this.#wantsPast() ? { hooks } : {}
    this.run = new SimulatedRun({ prepared, outside, turn, sessionTurn, queue, isOpenEnded: true, ...warmHooks })
    // The service behind a paper session publishes no order book.
    this.run.stage.adapter.books = undefined
    this.#markets = prepared.markets.map((market) => ({ market, channel: this.#channelOf(market), isMissing: false }))
  }

  /** Number of played trades. */
  get rows(): number {
    return this.#rows
  }

  /**
   * Trains the crowd of a market on past trades, so that its spread and its trade clusters are known from the start.
   * Call before `start`.
   */
  warmUp(symbol: string, oldestFirst: readonly WireTrade[]): void {
    const { crowd } = this.#marketOf(symbol).channel.market
    let time = 0
    for (const { createdAt, price, qty, isBuyerMaker } of oldestFirst) {
      // The local clock may be behind the exchange's: such a trade must not be in the future.
      time = Math.min(Math.max(time, createdAt), this.options.loop.queue.now())
      crowd.learn(time, price, qty, isBuyerMaker)
    }
  }

  /**
   * Starts the strategy, as an event of the loop, and plays the trades that arrive from then on.
   * @throws {InputError}
   */
  start(): void {
    const { loop, feed } = this.options
    loop.enterOrThrow(() => {
      this.run.session.start()
      startWarm(this.#warm, loop, () => {
        this.run.session.endWarmUp()
      })
    })
    for (const played of this.#markets) {
      const { symbol } = played.market
      this.#subscription.add(feed.gaps(symbol).subscribe(() => void (played.isMissing = true)))
      this.#subscription.add(
        feed.trades(symbol).subscribe((trade) => {
          this.#play(played, trade)
        }),
      )
    }
  }

  /** Ends it, once, and stops the loop. */
  async end(): Promise<BacktestResult> {
    const { loop, prepared } = this.options
    const { adapter } = this.run.stage
    this.#subscription.unsubscribe()
    // Events that are due by now run before the end.
    loop.enter(() => undefined)
    await macrotask()
    const end = loop.now()
    await this.run.stop()
    loop.stop()
    this.#drain(adapter.now() + prepared.settings.responseLatencyMs)
    const prints = new Map(this.#markets.map(({ channel: { symbol, printFilter } }) => [symbol, printFilter]))
    return this.run.finish(prints, Math.max(end, adapter.now()))
  }

  #wantsPast(): boolean {
    const { past, prepared } = this.options
    const { warmup = {} } = prepared.loaded.strategy
    return past !== undefined && (prepared.settings.warmupMs !== null || Object.keys(warmup).length > 0)
  }

  /** Candles then come from the service, which has complete ones. */
  #warmed(adapter: ExchangeAdapter): ExchangeAdapter {
    const { past: source, prepared, loop, outside } = this.options
    if (source === undefined) return adapter
    this.#warm = warmAdapter({
      adapter,
      source,
      strategy: prepared.loaded.strategy,
      warmupMs: prepared.settings.warmupMs,
      enter: (action) => {
        loop.enter(action)
      },
      log: (message) => {
        outside.onLog(loop.now(), message)
      },
    })
    return this.#warm === undefined ? adapter : new OutsideAdapter(this.#warm, loop.turn)
  }

  #play(played: PlayedMarket, trade: MarketTrade): void {
    const { channel } = played
    const time = this.options.loop.queue.now()
    const isSilent = channel.gapDetector.next(0, time, Number.NaN, false)
    const isFirst = Number.isNaN(channel.gapDetector.timeBefore)
    if (isSilent || (played.isMissing && !isFirst)) playGap(channel, time, this.run.onGap)
    played.isMissing = false
    const { price, qty } = exactTrade(trade)
    playRow(channel, time, price, qty, trade.isBuyerMaker ? SIDE_SELL : SIDE_BUY, undefined)
    this.#rows += 1
  }

  /** Delivers answers to requests that have arrived. */
  #drain(end: number): void {
    const { queue, turn } = this.options.loop
    turn.inside(() => {
      while (queue.nextTime <= end) queue.runNext()
    })
  }

  #channelOf({ symbol }: MarketConfig): OpenChannel {
    const { settings, liquiditySetups } = this.options.prepared
    const setup = liquiditySetups.get(symbol)
    invariant(setup !== undefined, `no liquidity for ${symbol}`)
    return openChannel(this.run.stage.simulated, {
      symbol,
      file: symbol,
      tickRule: new TickRule(),
      gapDetector: new GapDetector(setup.terms.staleAfterMs),
      marks: undefined,
      printFilter: new PrintFilter(believeOf(settings), setup.spread ?? 1),
      listener: this.run.listenerOf(symbol),
    })
  }

  #marketOf(symbol: string): PlayedMarket {
    const played = this.#markets.find(({ market }) => market.symbol === symbol)
    invariant(played !== undefined, `no market '${symbol}'`)
    return played
  }
}
