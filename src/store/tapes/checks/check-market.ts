/**
 * Verifies a stored market from beginning to end: every block is intact, rows are in order, and prints that look like
 * errors.
 */
import { InputError } from '../../../domain/errors.ts'
import { SplitSteps, splitText } from '../../../tape/split-steps.ts'
import { isCandleBlock, type CandleBlock, type RecordedBlock } from '../../../tape/tape.ts'
import type { StoredMarket } from '../blocks/stored-market.ts'

/** A price that is further than this share from both of its neighbours is worth a look. */
const OUTLIER_SHARE = 0.2
/** Maximum of findings reported per market; the rest is counted. */
const MAX_REPORTED = 20

export interface Finding {
  readonly what: 'damaged' | 'order' | 'outlier' | 'split'
  /** Number of the block, from 1. */
  readonly block: number
  /** Unix milliseconds of the row; null for a block that cannot be read. */
  readonly time: number | null
  /** Message for display. */
  readonly message: string
}

export interface MarketCheck {
  readonly blocks: number
  readonly rows: number
  /** The first twenty. */
  readonly findings: readonly Finding[]
  readonly count: number
  /** Damaged blocks and rows out of order; outliers and splits are not counted among them. */
  readonly faults: number
}

/** Reads every block. */
export function checkMarket(market: StoredMarket): MarketCheck {
  const check = new Check()
  for (const index of market.entries.keys()) {
    try {
      const { block, pricePrecision } = market.read(index)
      check.add(block, index + 1, pricePrecision)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      check.report({ what: 'damaged', block: index + 1, time: null, message: error.message })
    }
  }
  return { blocks: market.entries.length, ...check.reported() }
}

class Check {
  readonly #findings: Finding[] = []
  #count = 0
  #faults = 0
  #rows = 0
  #lastTime = Number.NEGATIVE_INFINITY
  #lastId = -1
  readonly #prices: [number, number] = [0, 0]
  readonly #splits = new SplitSteps()

  add(block: RecordedBlock, index: number, pricePrecision: number): void {
    if (isCandleBlock(block)) this.#lookForSplits(block, index, pricePrecision)
    const ids = !isCandleBlock(block) && block.ids instanceof Float64Array ? block.ids : undefined
    const prices = isCandleBlock(block) ? block.close : block.price
    for (let row = 0; row < block.length; row += 1) {
      const time = block.time[row] ?? 0
      const isLate = isCandleBlock(block) ? time <= this.#lastTime : time < this.#lastTime
      if (isLate) this.report({ what: 'order', block: index, time, message: 'is not behind the row before' })
      const id = ids?.[row]
      if (id !== undefined && id <= this.#lastId) {
        this.report({ what: 'order', block: index, time, message: `its id ${id} is not above ${this.#lastId}` })
      }
      this.#lastTime = time
      this.#lastId = id ?? this.#lastId
      this.#lookAt(prices[row] ?? 0, index, time)
    }
    this.#rows += block.length
  }

  report(finding: Finding): void {
    this.#count += 1
    if (finding.what === 'damaged' || finding.what === 'order') this.#faults += 1
    if (this.#findings.length < MAX_REPORTED) this.#findings.push(finding)
  }

  reported(): Omit<MarketCheck, 'blocks'> {
    return { rows: this.#rows, findings: this.#findings, count: this.#count, faults: this.#faults }
  }

  #lookForSplits({ time, open, close, length }: CandleBlock, block: number, pricePrecision: number): void {
    for (let row = 0; row < length; row += 1) {
      const at = time[row] ?? 0
      const step = this.#splits.add(at, open[row] ?? 0, close[row] ?? 0, pricePrecision)
      if (step === undefined) continue
      const message = `the price jumps like a split of ${splitText(step)}: adjust the prices before it`
      this.report({ what: 'split', block, time: at, message })
    }
  }

  /** The price before, once its two neighbours are known. */
  #lookAt(price: number, block: number, time: number): void {
    const [older, before] = this.#prices
    const isFar = (other: number): boolean => Math.abs(before - other) > OUTLIER_SHARE * other
    if (older > 0 && before > 0 && isFar(older) && isFar(price)) {
      const share = Math.round((before / older - 1) * 100)
      this.report({ what: 'outlier', block, time, message: `the row before is ${share} % from both of its neighbours` })
    }
    this.#prices[0] = before
    this.#prices[1] = price
  }
}
