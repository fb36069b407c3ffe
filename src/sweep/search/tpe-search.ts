/**
 * Search by tree-structured Parzen estimators: the next trial is where good trials are dense and bad ones are not.
 * Pending trials count as bad, so that a batch spreads.
 *
 * @see Bergstra, Bardenet, Bengio and Kégl (2011), Algorithms for Hyper-Parameter Optimization
 */
import { KernelMixture } from './kernel-mixture.ts'
import { type Cell, comparedScores, type Searcher, type SearcherOptions, type SearchTrial } from './searcher.ts'

/** Trials by chance before the first that is chosen. */
const STARTUP = 10
const BATCH = 8
/** Share of the trials that are good ones, and how many at most. */
const GOOD = { share: 0.1, most: 25 } as const
const CANDIDATES = 24
/** Maximum of draws when most candidates have been tried or are not allowed. */
const MAX_DRAWS = 240
/** Number of latest trials with full weight; earlier ones weigh less the older they are. */
const WHOLE_WEIGHTS = 25

/** Each in the order of the trials. */
interface Split {
  readonly good: readonly Cell[]
  readonly bad: readonly Cell[]
}

export class TpeSearch implements Searcher {
  readonly #options: SearcherOptions
  readonly #trials: SearchTrial[] = []

  constructor(options: SearcherOptions) {
    this.#options = options
  }

  ask(): readonly Cell[] {
    const batch: Cell[] = []
    const isStarting = this.#trials.length < STARTUP
    const split = this.#split()
    while (batch.length < (isStarting ? STARTUP : BATCH)) {
      const taken = new Set(batch.map(String))
      const isFree = (cell: Cell): boolean => !taken.has(String(cell)) && this.#options.isFree(cell)
      const cell = (isStarting ? undefined : this.#chosen(split, batch, isFree)) ?? this.#options.draw(isFree)
      if (cell === undefined) break
      batch.push(cell)
    }
    return batch
  }

  tell(trials: readonly SearchTrial[]): void {
    this.#trials.push(...trials)
  }

  #chosen({ good, bad }: Split, pending: readonly Cell[], isFree: (cell: Cell) => boolean): Cell | undefined {
    const { axes, random } = this.#options
    const near = new KernelMixture(axes, good, weightsOf(good.length))
    const others = [...bad, ...pending]
    const far = new KernelMixture(axes, others, weightsOf(others.length))
    const seen = new Set<string>()
    let best: { readonly cell: Cell; readonly gain: number } | undefined
    for (let draw = 0; draw < MAX_DRAWS && seen.size < CANDIDATES; draw += 1) {
      const cell = near.sample(random)
      if (seen.has(String(cell)) || !isFree(cell)) continue
      seen.add(String(cell))
      const gain = near.share(cell) / far.share(cell)
      if (best === undefined || gain > best.gain) best = { cell, gain }
    }
    return best?.cell
  }

  #split(): Split {
    const order = Array.from(this.#trials.entries())
    const ranked = order.toSorted(([, a], [, b]) => comparedScores(b.score, a.score))
    const count = Math.min(Math.ceil(GOOD.share * order.length), GOOD.most)
    const members = new Set(ranked.slice(0, count).flatMap(([index, { score }]) => (score === null ? [] : [index])))
    const cellsOf = (isGood: boolean): readonly Cell[] =>
      order.flatMap(([index, { cell }]) => (members.has(index) === isGood ? [cell] : []))
    return { good: cellsOf(true), bad: cellsOf(false) }
  }
}

function weightsOf(count: number): readonly number[] {
  const rising = Math.max(0, count - WHOLE_WEIGHTS)
  return Array.from({ length: count }, (_, index) =>
    index >= rising || rising < 2 ? 1 : 1 / count + (index / (rising - 1)) * (1 - 1 / count),
  )
}
