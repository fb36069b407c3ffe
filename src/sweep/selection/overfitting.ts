/**
 * Probability of backtest overfitting, by combinatorially symmetric cross-validation. The periods are cut into an even
 * number of blocks. The best trial on each half of the blocks is ranked among all trials on the other half.
 *
 * Invariant: deterministic; each half chooses once and ranks once.
 * Known limit: blocks are adjacent, so autocorrelation leaks across their ends; the measure is the Sharpe ratio of a
 * period.
 *
 * @see Bailey, Borwein, López de Prado and Zhu (2017), The Probability of Backtest Overfitting
 */
import { comoment, deviation, FloatSum, mean } from '../../analysis/returns/float-sums.ts'
import { invariant } from '../../domain/errors.ts'

/** Threshold below which a variance, relative to the squared mean and deviation of its trial, is rounding. */
const ROUNDING = 1e-14

/**
 * Returns of trials as sums over blocks of time, sufficient for the Sharpe ratio of any half of the blocks.
 *
 * Invariant: stores two sums per trial and block, however many periods there are.
 */
class BlockMoments {
  /** Periods of each block, in the order of time. */
  readonly sizes: readonly number[]
  readonly #periods: number
  readonly #centers: number[] = []
  readonly #least: number[] = []
  readonly #sums: number[][]
  readonly #squares: number[][]

  /**
   * @param periods  returns of each trial
   * @param blocks   equal in length up to one period; at most as many as there are periods
   */
  constructor(periods: number, blocks: number) {
    invariant(blocks >= 1 && blocks <= periods, `${periods} periods in ${blocks} blocks`)
    const bounds = Array.from({ length: blocks + 1 }, (_, index) => Math.floor((index * periods) / blocks))
    this.sizes = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0))
    this.#periods = periods
    this.#sums = this.sizes.map(() => [])
    this.#squares = this.sizes.map(() => [])
  }

  get trials(): number {
    return this.#centers.length
  }

  /**
   * @param returns  of the same periods as those of every other; stored relative to their own mean, so that squares
   * keep their digits
   */
  add(returns: readonly number[]): void {
    invariant(returns.length === this.#periods, `${returns.length} returns next to ${this.#periods}`)
    const center = mean(returns) ?? 0
    this.#centers.push(center)
    const spread = deviation(returns) ?? 0
    this.#least.push(spread === 0 ? Infinity : (spread ** 2 + center ** 2) * ROUNDING)
    let period = 0
    this.sizes.forEach((size, block) => {
      const [total, squares] = [new FloatSum(), new FloatSum()]
      for (const end = period + size; period < end; period += 1) {
        const distance = (returns[period] ?? center) - center
        total.add(distance)
        squares.add(distance * distance)
      }
      this.#sums[block]?.push(total.value)
      this.#squares[block]?.push(squares.value)
    })
  }

  /** The sums as columns, for repeated passes over all trials. */
  columns(): MomentColumns {
    return {
      centers: Float64Array.from(this.#centers),
      leastVariances: Float64Array.from(this.#least),
      sums: this.#sums.map((column) => Float64Array.from(column)),
      squares: this.#squares.map((column) => Float64Array.from(column)),
    }
  }
}

/** Columns with one value per trial. */
interface MomentColumns {
  /** Mean return over all blocks. */
  readonly centers: Float64Array
  /** A variance at or below it is rounding; Infinity for a trial that never varied. */
  readonly leastVariances: Float64Array
  /** Block by block: sum of the distances from the mean, and of their squares. */
  readonly sums: readonly Float64Array[]
  readonly squares: readonly Float64Array[]
}

/**
 * Sharpe ratios per period over some of the blocks, not annualized, trial by trial; 0 if returns did not vary, because
 * nothing was risked.
 *
 * @param periods  in those blocks
 * @param sums     over those blocks
 * @param into     as many as there are trials
 */
function sharpesOf(
  { centers, leastVariances }: MomentColumns,
  periods: number,
  { sums, squares }: { readonly sums: Float64Array; readonly squares: Float64Array },
  into: Float64Array,
): void {
  for (let trial = 0; trial < into.length; trial += 1) {
    const total = sums[trial] ?? 0
    const variance = ((squares[trial] ?? 0) - (total * total) / periods) / (periods - 1)
    const isFlat = !(variance > (leastVariances[trial] ?? 0))
    into[trial] = isFlat ? 0 : ((centers[trial] ?? 0) + total / periods) / Math.sqrt(variance)
  }
}

/** 12 870 halves. */
const BLOCKS = 16
/** A block of fewer has no deviation of its own. */
const MIN_PERIODS = 2

/** Overfitting statistics of one sweep, or of another set of trials. */
export interface OverfittingStatistics {
  /**
   * Probability of backtest overfitting, share(λ ≤ 0): share of the halves whose best trial is at or below the median
   * of all trials on the other half.
   *
   * @unit share
   * @null fewer than 2 trials, fewer than 8 periods
   * @see Bailey, Borwein, López de Prado and Zhu (2017), The Probability of Backtest Overfitting
   */
  readonly pbo: number | null
  /**
   * Median of λ = ln(ω / (1 - ω)). ω = rank / (N + 1) of the chosen trial on the other half, where the worst of N has
   * rank 1 and ties share their mean rank.
   *
   * @unit logit
   * @null `pbo` is null
   */
  readonly medianLogit: number | null
  /**
   * Slope of the line through the points (Sharpe ratio on the half of the choice, Sharpe ratio on the other half).
   * Below 0, the better the choice looks, the worse it does.
   *
   * @unit ratio
   * @null `pbo` is null, or all chosen trials have the same ratio
   */
  readonly degradation: number | null
  /**
   * Share of the halves whose best trial has a Sharpe ratio below 0 on the other half.
   *
   * @unit share
   * @null `pbo` is null
   */
  readonly lossProbability: number | null
  /**
   * S: the blocks that the periods are cut into, the largest even number up to 16 with two periods or more each.
   * There are S! / (S/2)!² halves.
   *
   * @unit count
   * @null `pbo` is null
   */
  readonly blocks: number | null
}

const NOTHING: OverfittingStatistics = {
  pbo: null,
  medianLogit: null,
  degradation: null,
  lossProbability: null,
  blocks: null,
}

/** Takes the returns of one trial after another; stores about 256 bytes of each. */
export class Overfitting {
  readonly #moments: BlockMoments | undefined

  /** @param periods  returns of each trial */
  constructor(periods: number) {
    const blocks = Math.min(BLOCKS, 2 * Math.floor(periods / MIN_PERIODS / 2))
    this.#moments = blocks < 4 ? undefined : new BlockMoments(periods, blocks)
  }

  /** @param returns  excess returns, of the same periods as those of every other trial */
  add(returns: readonly number[]): void {
    this.#moments?.add(returns)
  }

  /** Statistics of all trials added so far. */
  statistics(): OverfittingStatistics {
    const moments = this.#moments
    if (moments === undefined || moments.trials < 2) return NOTHING
    const choices = choicesOf(moments.columns(), moments.sizes)
    const logits = choices.map(({ logit }) => logit).sort((a, b) => a - b)
    const middle = logits.length / 2
    return {
      pbo: logits.filter((logit) => logit <= 0).length / logits.length,
      medianLogit: ((logits[middle - 1] ?? 0) + (logits[middle] ?? 0)) / 2,
      degradation: slope(choices),
      lossProbability: choices.filter(({ outside }) => outside < 0).length / choices.length,
      blocks: moments.sizes.length,
    }
  }
}

/** The best of one half. */
interface Choice {
  /** Its Sharpe ratio on the half that it was chosen on, and on the other. */
  readonly inside: number
  readonly outside: number
  readonly logit: number
}

function slope(choices: readonly Choice[]): number | null {
  const inside = choices.map((choice) => choice.inside)
  const spread = comoment(inside, inside)
  const largest = inside.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  // Below this all values are equal up to rounding.
  if (mean(inside) === null || spread <= inside.length * (largest * 1e-12) ** 2) return null
  const found =
    comoment(
      inside,
      choices.map((choice) => choice.outside),
    ) / spread
  return found === 0 ? 0 : found
}

/** Sums over some blocks, trial by trial. */
interface Sums {
  readonly sums: Float64Array
  readonly squares: Float64Array
}

const noSums = (trials: number): Sums => ({ sums: new Float64Array(trials), squares: new Float64Array(trials) })

/** Both choices of each split of the blocks into two halves; the first block is always in the first half. */
function choicesOf(columns: MomentColumns, sizes: readonly number[]): Choice[] {
  const trials = columns.centers.length
  const half = sizes.length / 2
  const periods = sizes.reduce((total, size) => total + size, 0)
  const all = noSums(trials)
  for (let block = 0; block < sizes.length; block += 1) add(all, columns, block, all)
  // Sums by number of blocks chosen: each depth overwrites the next one's.
  const chosen = Array.from({ length: half + 1 }, () => noSums(trials))
  const rest = noSums(trials)
  const [first, second] = [new Float64Array(trials), new Float64Array(trials)]
  const choices: Choice[] = []
  const judge = (sums: Sums, within: number): void => {
    for (let trial = 0; trial < trials; trial += 1) {
      rest.sums[trial] = (all.sums[trial] ?? 0) - (sums.sums[trial] ?? 0)
      rest.squares[trial] = (all.squares[trial] ?? 0) - (sums.squares[trial] ?? 0)
    }
    sharpesOf(columns, within, sums, first)
    sharpesOf(columns, periods - within, rest, second)
    choices.push(choiceOf(first, second), choiceOf(second, first))
  }
  const choose = (block: number, count: number, within: number): void => {
    const [from, to] = [chosen[count - 1], chosen[count]]
    if (from === undefined || to === undefined) return
    add(from, columns, block, to)
    const total = within + (sizes[block] ?? 0)
    if (count === half) {
      judge(to, total)
      return
    }
    // Leaves as many blocks as are still to be chosen.
    for (let next = block + 1; next <= sizes.length - (half - count); next += 1) choose(next, count + 1, total)
  }
  choose(0, 1, 0)
  return choices
}

/** `sums` and one block more. */
function add(sums: Sums, columns: MomentColumns, block: number, into: Sums): void {
  const [more, squares] = [columns.sums[block], columns.squares[block]]
  for (let trial = 0; trial < into.sums.length; trial += 1) {
    into.sums[trial] = (sums.sums[trial] ?? 0) + (more?.[trial] ?? 0)
    into.squares[trial] = (sums.squares[trial] ?? 0) + (squares?.[trial] ?? 0)
  }
}

/** First of the best trials on `inside`, and its rank on `outside`. */
function choiceOf(inside: Float64Array, outside: Float64Array): Choice {
  let best = 0
  for (let trial = 1; trial < inside.length; trial += 1) {
    if ((inside[trial] ?? 0) > (inside[best] ?? 0)) best = trial
  }
  const shown = outside[best] ?? 0
  let below = 0
  let equal = 0
  for (const value of outside) {
    if (value < shown) below += 1
    else if (value === shown) equal += 1
  }
  const rank = below + (equal + 1) / 2
  return { inside: inside[best] ?? 0, outside: shown, logit: Math.log(rank / (outside.length + 1 - rank)) }
}
