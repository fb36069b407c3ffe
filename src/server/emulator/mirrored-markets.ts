/**
 * The markets of an emulator that follow those of a live service: their past, and every trade as it arrives.
 *
 * A market is paused while its trades are not known up to now. Trades that were missed meanwhile are played first.
 */
import { Subscription } from 'rxjs'
import { isoTime } from '../../domain/time.ts'
import { type PastTrade, PlayedMarket, type PlayedMarketListener } from '../../runtime/live/played-market.ts'
import type { LiquiditySetup } from '../../simulation/liquidity/liquidity-models.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { exactTrade, type MarketTrade } from '../../strategy/market-data.ts'
import { ServicePump, type Pump } from '../service/service-pump.ts'
import type { Service } from '../service/service.ts'
import type { Mirror, PastCandle } from './mirror.ts'

/** A market and the newest trade of it that was played. */
interface MirroredMarket {
  readonly played: PlayedMarket
  readonly candles: readonly PastCandle[]
  lastId: string | undefined
}

export class MirroredMarkets {
  readonly #mirror: Mirror
  readonly #simulated: SimulatedMarkets
  readonly #markets: readonly MirroredMarket[]

  constructor(mirror: Mirror, simulated: SimulatedMarkets, markets: readonly MirroredMarket[]) {
    this.#mirror = mirror
    this.#simulated = simulated
    this.#markets = markets
  }

  /** Reads the past of each market. @param now  Unix milliseconds */
  static async open(
    mirror: Mirror,
    simulated: SimulatedMarkets,
    setups: ReadonlyMap<string, LiquiditySetup>,
    now: number,
  ): Promise<MirroredMarkets> {
    const markets: MirroredMarket[] = []
    for (const [symbol, setup] of setups) {
      const candles = await mirror.candles(symbol, now)
      markets.push({ played: new PlayedMarket({ simulated, setup, filterMode: 'auto' }), candles, lastId: undefined })
    }
    return new MirroredMarkets(mirror, simulated, markets)
  }

  /**
   * Plays the past: candles and trades into a new state; in a restored one, the crowd only learns from it.
   *
   * @param now  Unix milliseconds, not before the time of the markets
   */
  begin(now: number, isNew: boolean): void {
    const rows: PastRow[] = []
    for (const market of this.#markets) {
      const trades = this.#newTrades(market)
      if (isNew) rows.push(...this.#pastRows(market, trades, now))
      else market.played.learn(trades.map(exactRow), now)
    }
    for (const { time, play } of rows.sort((a, b) => a.time - b.time)) {
      this.#simulated.queue.advance(time)
      play()
    }
  }

  /** Plays the trades as they arrive, and advances the market between them. */
  pump(service: Service, onError: (error: unknown) => void): Pump {
    const pump = new ServicePump(service, onError)
    const following = new Subscription()
    const listener = this.#listener(service, onError)
    return {
      start: () => {
        for (const market of this.#markets) {
          for (const trade of this.#newTrades(market)) market.played.play(trade, listener)
          following.add(market.played.follow(this.#mirror.data, listener))
        }
        this.#mirror.onCurrent = () => {
          this.#checkPauses()
        }
        this.#checkPauses()
        pump.start()
      },
      stop: () => {
        following.unsubscribe()
        this.#mirror.onCurrent = () => undefined
        pump.stop()
      },
    }
  }

  #listener(service: Service, onError: (error: unknown) => void): PlayedMarketListener {
    return {
      enter: (play) => {
        try {
          play(service.catchUp(Number.POSITIVE_INFINITY))
        } catch (error) {
          onError(error)
        }
      },
      onGap: ({ symbol, from, to }) => {
        this.#mirror.onNotice(`${symbol}: trades are missing between ${isoTime(from)} and ${isoTime(to)}`)
      },
    }
  }

  /** Trades of the service that are not played yet, oldest first. */
  #newTrades(market: MirroredMarket): readonly MarketTrade[] {
    const trades = this.#mirror.data.recentTrades(market.played.symbol)
    const next = trades.slice(trades.findLastIndex(({ id }) => id === market.lastId) + 1)
    market.lastId = trades.at(-1)?.id
    return next
  }

  /** The statistics come from the candles, and after the last of them from trades. */
  #pastRows({ played, candles }: MirroredMarket, trades: readonly MarketTrade[], now: number): readonly PastRow[] {
    const { market } = played.channel
    const book = this.#simulated.exchange.market(played.symbol)
    const [last] = candles.slice(-1)
    const closedAt = last === undefined ? 0 : last.time + last.lengthMs
    const ofTrades = trades.map((trade): PastRow => {
      const { createdAt, price, qty, isBuyerMaker } = exactRow(trade)
      const time = Math.min(createdAt, now)
      const play = (): void => {
        if (time >= closedAt) {
          market.record(time, price, qty, isBuyerMaker)
          return
        }
        book.list(time, price, qty, isBuyerMaker)
        played.learn([{ createdAt, price, qty, isBuyerMaker }], now)
      }
      return { time, play }
    })
    const ofCandles = candles.flatMap((candle): readonly PastRow[] => {
      const time = candle.time + candle.lengthMs - 1
      return rowsOf(candle).map(([price, qty]) => ({
        time,
        play: () => {
          book.enter(time, price, qty, 'whole')
        },
      }))
    })
    return [...ofCandles, ...ofTrades]
  }

  #checkPauses(): void {
    const { pauses } = this.#simulated
    for (const {
      played: { symbol },
    } of this.#markets) {
      const isPaused = pauses.reasonOf(symbol) !== undefined
      if (this.#mirror.isCurrent(symbol) !== isPaused) continue
      const reason = `no market data from ${this.#mirror.url}`
      if (isPaused) pauses.resume(symbol)
      else pauses.pause(symbol, reason)
      this.#mirror.onNotice(`${symbol}: the market is ${isPaused ? 'open again' : `paused: ${reason}`}`)
    }
  }
}

const exactRow = (trade: MarketTrade): PastTrade => {
  const { createdAt, isBuyerMaker } = trade
  return { createdAt, isBuyerMaker, ...exactTrade(trade) }
}

/** Something that happened before the start. */
interface PastRow {
  readonly time: number
  readonly play: () => void
}

/**
 * A candle as prices and quantities that have its open, extremes, close and volume: one lot each, the rest at last.
 * None for a candle that no trades can have.
 */
function rowsOf({ open, high, low, close, volume }: PastCandle): readonly (readonly [price: number, qty: number])[] {
  const prices = [open, high, low, close].filter((price, index, all) => price !== all[index - 1])
  const last = prices.length - 1
  const lots = Math.min(Number(volume) - last, Number.MAX_SAFE_INTEGER)
  return lots < 1 || low === 0 ? [] : prices.map((price, index) => [price, index === last ? lots : 1])
}
