/**
 * Shrinks a faulty scenario to the few rows that it needs.
 *
 * Rows keep their time and price: the result is a part of the original tape. Invariant: every returned scenario has the
 * fault.
 */
import { rowCount, rowTimes, rowsOf, withRows, type Scenario, type ScenarioMarket } from './scenario.ts'

/** True when the fault is in it as well. */
export type IsFaulty = (scenario: Scenario) => Promise<boolean>

export interface ShrinkLimits {
  /** Scenarios that are tried, at most. */
  readonly tries: number
  /** True when the time is up. */
  readonly isOver: () => boolean
}

export async function shrink(scenario: Scenario, isFaulty: IsFaulty, limits: ShrinkLimits): Promise<Scenario> {
  return await new Shrinking(scenario, isFaulty, limits).smallest()
}

class Shrinking {
  #best: Scenario
  #tries: number
  readonly #isFaulty: IsFaulty
  readonly #isOver: () => boolean

  constructor(scenario: Scenario, isFaulty: IsFaulty, { tries, isOver }: ShrinkLimits) {
    this.#best = scenario
    this.#isFaulty = isFaulty
    this.#tries = tries
    this.#isOver = isOver
  }

  async smallest(): Promise<Scenario> {
    await this.#cutEnd()
    for (let before = Number.POSITIVE_INFINITY; this.#size() < before && this.#hasTries;) {
      before = this.#size()
      await this.#dropMisfortunes()
      await this.#dropRows()
      await this.#calm()
    }
    return this.#best
  }

  get #hasTries(): boolean {
    return this.#tries > 0 && !this.#isOver()
  }

  #size(): number {
    const { faults, restarts } = this.#best
    return rowCount(this.#best) + faults.length + restarts.length
  }

  async #try(scenario: Scenario): Promise<boolean> {
    if (!this.#hasTries) return false
    this.#tries -= 1
    if (!(await this.#isFaulty(scenario))) return false
    this.#best = scenario
    return true
  }

  /** The shortest beginning that has the fault, by halves. */
  async #cutEnd(): Promise<void> {
    const times = rowTimes(this.#best)
    let [low, high] = [0, times.length]
    while (low + 1 < high && this.#hasTries) {
      const middle = Math.floor((low + high) / 2)
      const isEnough = await this.#try(this.#upTo(times[middle - 1] ?? 0))
      if (isEnough) high = middle
      else low = middle
    }
  }

  #upTo(end: number): Scenario {
    const markets = this.#best.markets.map((market) =>
      withRows(market, ({ time }, index) => index === 0 || time <= end),
    )
    return { ...this.#best, markets, restarts: this.#best.restarts.filter((at) => at <= end) }
  }

  async #dropMisfortunes(): Promise<void> {
    for (const name of ['faults', 'restarts'] as const) {
      for (const each of this.#best[name]) {
        await this.#try({
          ...this.#best,
          [name]: (this.#best[name] as readonly unknown[]).filter((other) => other !== each),
        })
      }
    }
    for (const [index, market] of this.#best.markets.entries()) {
      if (market.gaps.length > 0) await this.#try(this.#withMarket(index, { ...market, gaps: [] }))
    }
  }

  /** Pieces of each tape, from halves down to single rows, those at its beginning first. */
  async #dropRows(): Promise<void> {
    for (const index of this.#best.markets.keys()) {
      for (let size = Math.floor(this.#rows(index) / 2); size >= 1; size = Math.floor(size / 2)) {
        await this.#dropPieces(index, size)
      }
    }
  }

  async #dropPieces(index: number, size: number): Promise<void> {
    let start = 0
    while (start < this.#rows(index)) {
      const isGone = this.#rows(index) > size && (await this.#try(this.#without(index, start, start + size)))
      if (!isGone) start += size
    }
  }

  #rows(index: number): number {
    const market = this.#best.markets[index]
    return market === undefined ? 0 : rowsOf(market).length
  }

  #without(index: number, start: number, end: number): Scenario {
    const market = this.#best.markets[index]
    return market === undefined
      ? this.#best
      : this.#withMarket(
          index,
          withRows(market, (_, row) => row < start || row >= end),
        )
  }

  #withMarket(index: number, market: ScenarioMarket): Scenario {
    return { ...this.#best, markets: this.#best.markets.map((each, at) => (at === index ? market : each)) }
  }

  /** Terms as a plain run has them, each that the fault does not need. */
  async #calm(): Promise<void> {
    const { latency, fees, liquidity, seed } = this.#best
    if (fees.takerBps !== '0' || fees.makerBps !== '0') {
      await this.#try({ ...this.#best, fees: { makerBps: '0', takerBps: '0' } })
    }
    if (liquidity !== 'tape') await this.#try({ ...this.#best, liquidity: 'tape' })
    if (seed !== 1) await this.#try({ ...this.#best, seed: 1 })
    if (latency.feedMs !== 0) await this.#try({ ...this.#best, latency: { ...latency, feedMs: 0 } })
    const { latency: left } = this.#best
    if (left.responseMs !== 0) await this.#try({ ...this.#best, latency: { ...left, responseMs: 0 } })
    const { latency: last } = this.#best
    if (last.orderMs !== 50) await this.#try({ ...this.#best, latency: { ...last, orderMs: 50 } })
  }
}
