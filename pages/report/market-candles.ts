/**
 * The candles of a market at every zoom: folded ones for a wide range, and for a narrow one all of them, decoded block
 * by block when they are first shown.
 */
import { candleBlock, type BlockColumns } from '../../src/report/run/candle-blocks.ts'
import type { CandleDetail, MarketSeries } from '../../src/report/page/page-data.ts'
import { givenDetail } from '../parts/given.ts'
import { barsOn, type Bar, type Steps } from './candle-bars.ts'

export class MarketCandles {
  /** Interval of the shortest candles that can be shown; a second where there are none. */
  readonly intervalMs: number
  readonly #market: MarketSeries
  readonly #blocks = new Map<number, BlockColumns>()
  #lines: readonly string[] | undefined

  constructor(market: MarketSeries) {
    this.#market = market
    this.intervalMs = market.detail?.intervalMs ?? market.candles?.intervalMs ?? 1_000
  }

  /** One a step; undefined where nothing traded. */
  bars(steps: Steps): readonly (Bar | undefined)[] {
    const { candles, detail } = this.#market
    if (candles === null) return []
    const bars = new Array<Bar | undefined>(steps.count).fill(undefined)
    if (detail === null || steps.intervalMs % candles.intervalMs === 0) return barsOn(steps, candles, bars)
    const end = steps.from + steps.count * steps.intervalMs
    detail.from.forEach((from, index) => {
      if (from < end && (detail.to[index] ?? 0) >= steps.from) barsOn(steps, this.#block(detail, index), bars)
    })
    return bars
  }

  #block(detail: CandleDetail, index: number): BlockColumns {
    const known = this.#blocks.get(index)
    if (known !== undefined) return known
    this.#lines ??= givenDetail(detail.index)
    const block = candleBlock(this.#lines[index] ?? '', { ...detail, rows: detail.counts[index] ?? 0 })
    this.#blocks.set(index, block)
    return block
  }
}
