/**
 * What a run comes to, listening to the exchange and the tape, not to what the strategy is told.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { RecordedListener } from '../../simulation/replay/tape-channel.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { ACCOUNT } from '../backtest/backtest-stage.ts'
import { FillQuality } from './fill-quality.ts'
import type { Journal } from '../journal/journal.ts'
import { OrderLives } from './order-lives.ts'
import type { PreparedBacktest } from '../backtest/prepared-backtest.ts'
import { RecordedEquity } from './recorded-equity.ts'
import { TradedFigures } from './traded-figures.ts'

export class RunFigures {
  readonly equity: RecordedEquity
  readonly traded: TradedFigures
  readonly quality: FillQuality
  readonly #lives: OrderLives

  constructor({ quoteAsset, from, to }: PreparedBacktest, { exchange, queue }: SimulatedMarkets, journal: Journal) {
    this.equity = new RecordedEquity({ exchange, account: ACCOUNT, quoteAsset, from, to })
    this.traded = new TradedFigures(exchange, ACCOUNT)
    this.quality = new FillQuality(exchange, ACCOUNT)
    this.#lives = new OrderLives(exchange, ACCOUNT, journal, () => queue.now())
  }

  /** What hears of the recorded trades of one market. */
  market(symbol: string): RecordedListener {
    const mark = this.equity.mark(symbol)
    const fills = this.quality.market(symbol)
    const lives = this.#lives.market(symbol)
    return {
      onRecorded: (time, price, qty, _isBuyerMaker, candleTime) => {
        mark.onRecorded(time, price)
        fills.onRecorded(time, price, qty)
        lives.onRecorded(price, qty, candleTime !== undefined)
      },
    }
  }

  onGap(symbol: string): void {
    this.quality.onGap(symbol)
    this.#lives.onGap(symbol)
  }

  /** Call with the events of each command, after it. */
  onEvents(events: readonly ExchangeEvent[]): void {
    this.equity.onEvents(events)
    this.traded.onEvents(events)
    this.quality.onEvents(events)
    this.#lives.onEvents(events)
  }

  /** Call once, after the last event. */
  finish(): void {
    this.equity.finish()
    this.#lives.finish()
  }
}
