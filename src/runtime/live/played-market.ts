/**
 * A market of a live service that is played into a simulated one: a trade happens when it arrives, whatever its
 * exchange time, so that time never goes back and there is no look-ahead.
 *
 * Known limitation: a gap that is detected late counts before the next trade, and not at its own time.
 */
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import { openChannel, playGap, playRow, type OpenChannel } from '../../simulation/replay/play-row.ts'
import type { GapListener, RecordedListener } from '../../simulation/replay/tape-channel.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { exactTrade, type MarketTrade } from '../../strategy/market-data.ts'
import { GapDetector } from '../../tape/gap-detector.ts'
import { PrintFilter, type PrintFilterMode } from '../../tape/print-filter.ts'
import { SIDE_BUY, SIDE_SELL } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'
import type { WireTrade } from '../../wire/wire-trade.ts'

export interface PlayedMarketParts {
  readonly simulated: SimulatedMarkets
  readonly setup: LiquiditySetup
  readonly filterMode: PrintFilterMode
  readonly listener?: RecordedListener | undefined
}

/** A trade from before the start, in ticks and lots. */
export type PastTrade = Pick<WireTrade, 'createdAt' | 'price' | 'qty' | 'isBuyerMaker'>

/** Receives what is played. */
export interface PlayedMarketListener {
  /** Calls `play` with the present time of the simulated market. */
  readonly enter: (play: (time: number) => void) => void
  readonly onGap: GapListener
  readonly onPlayed?: () => void
}

export class PlayedMarket {
  readonly symbol: string
  readonly channel: OpenChannel
  /** A gap was emitted since its last trade. */
  #isMissing = false

  constructor({ simulated, setup: { symbol, spread, terms }, filterMode, listener }: PlayedMarketParts) {
    this.symbol = symbol
    this.channel = openChannel(simulated, {
      symbol,
      file: symbol,
      tickRule: new TickRule(),
      gapDetector: new GapDetector(terms.staleAfterMs),
      marks: undefined,
      printFilter: new PrintFilter(filterMode, spread ?? 1),
      listener,
    })
  }

  /** Trains the crowd on past trades, so that its spread and its trade clusters are known. @param now  of the market */
  learn(oldestFirst: readonly PastTrade[], now: number): void {
    let time = 0
    for (const { createdAt, price, qty, isBuyerMaker } of oldestFirst) {
      // The local clock may be behind the exchange's: such a trade must not be in the future.
      time = Math.min(Math.max(time, createdAt), now)
      this.channel.market.crowd.learn(time, price, qty, isBuyerMaker)
    }
  }

  /** Plays the trades that arrive from now on. */
  follow(feed: Pick<ExchangeAdapter, 'trades' | 'gaps'>, listener: PlayedMarketListener): Subscription {
    const following = new Subscription()
    following.add(feed.gaps(this.symbol).subscribe(() => void (this.#isMissing = true)))
    following.add(
      feed.trades(this.symbol).subscribe((trade) => {
        this.play(trade, listener)
      }),
    )
    return following
  }

  play(trade: MarketTrade, { enter, onGap, onPlayed }: PlayedMarketListener): void {
    // Taken by a live strategy, which the strategies here replace.
    if (trade.isOwn) return
    enter((time) => {
      const { channel } = this
      const isSilent = channel.gapDetector.next(0, time, Number.NaN, false)
      const isFirst = Number.isNaN(channel.gapDetector.timeBefore)
      if (isSilent || (this.#isMissing && !isFirst)) playGap(channel, time, onGap)
      this.#isMissing = false
      const { price, qty } = exactTrade(trade)
      playRow(channel, time, price, qty, trade.isBuyerMaker ? SIDE_SELL : SIDE_BUY, undefined)
      onPlayed?.()
    })
  }
}
