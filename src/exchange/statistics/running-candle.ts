/** Mutable candle under construction, reused after its eviction. */
import type { Candle } from '../../domain/candle.ts'
import { ExactSum } from '../exact-sum.ts'
import type { CandleSnapshot } from '../snapshot/exchange-snapshot.ts'

export class RunningCandle {
  /** Opening time, Unix milliseconds. */
  time = 0
  /** Ticks. */
  open = 0
  high = 0
  low = 0
  close = 0
  readonly volume = new ExactSum()
  isEmpty = true

  /** Restarts with nothing traded. */
  begin(time: number, open: number): void {
    this.time = time
    this.open = this.high = this.low = this.close = open
    this.volume.reset()
    this.isEmpty = false
  }

  trade(price: number, qty: number): void {
    if (price > this.high) this.high = price
    if (price < this.low) this.low = price
    this.close = price
    this.volume.add(qty)
  }

  /** Merges a later candle into this one. */
  include({ high, low, close, volume }: RunningCandle): void {
    if (high > this.high) this.high = high
    if (low < this.low) this.low = low
    this.close = close
    this.volume.addSum(volume)
  }

  copy(): RunningCandle {
    const copy = new RunningCandle()
    if (this.isEmpty) return copy
    copy.begin(this.time, this.open)
    copy.include(this)
    return copy
  }

  toCandle(symbol: string): Candle {
    const { time, open, high, low, close } = this
    return { time, symbol, open, high, low, close, volume: this.volume.value }
  }

  /** null when it is empty. */
  snapshot(): CandleSnapshot | null {
    return this.isEmpty ? null : this.figures()
  }

  /** Values of a candle that is not empty. */
  figures(): CandleSnapshot {
    const { time, open, high, low, close } = this
    return [time, open, high, low, close, String(this.volume.value)]
  }

  restore([time, open, high, low, close, volume]: CandleSnapshot): void {
    this.begin(time, open)
    this.high = high
    this.low = low
    this.close = close
    this.volume.addLarge(BigInt(volume))
  }
}
