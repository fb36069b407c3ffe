/**
 * A sweep as a program asks for it.
 */
import type { z } from 'zod'
import type { Statistics } from '../../analysis/statistics.ts'
import type { BacktestOptions } from '../backtest-options.ts'
import type { SearchName } from '../../runtime/sweep/point-search.ts'
import type { KeepOptions } from '../keep-options.ts'
import type { MachinesEvent } from './machines/machine-watch.ts'

/** A value that is tried of a parameter. */
export type SweptValue = string | number | boolean

/** Values that are tried of a parameter: a list, or a text such as `5..50/5`, `20,50,100`, or both in one. */
export type SweptValues = SweptValue | readonly SweptValue[]

/**
 * Scores a point that reached its end: higher is better, null for one that is not ranked.
 *
 * @param statistics  as in `run.json`
 * @param params      of the point, as texts
 */
export type ScorePoint = (statistics: Statistics, params: Readonly<Record<string, string>>) => number | null

/** Progress of a sweep. */
export interface SweepProgress {
  /** Count of runs that are done, those from before included. */
  readonly done: number
  /** Count of all runs: the points, and what they are held against. */
  readonly points: number
  /** Count of those that were done before this sweep began. */
  readonly known: number
  /** Count of those that ended with an error. */
  readonly errors: number
}

/** Options of a backtest that are those of each point. */
type PointOptions<Schema extends z.ZodObject> = Omit<
  BacktestOptions<Schema>,
  'params' | 'paramTexts' | 'bounds' | 'out' | 'db' | 'force' | 'keepRows' | 'onProgress' | 'onLog'
>

/** @typeParam Schema  of the parameters of the strategy */
export interface SweepOptions<Schema extends z.ZodObject = z.ZodObject> extends PointOptions<Schema> {
  /** Values of each parameter that are tried, every one with every other; the last parameter moves fastest. */
  readonly params: Readonly<Record<string, SweptValues>>
  /** Values of parameters that are the same for all points. */
  readonly fixed?: Readonly<Partial<z.input<Schema>>> | undefined
  /** Combinations that are run, such as `fast < slow and slow <= 200`; default: all. */
  readonly where?: string | undefined
  /** Count of combinations that are drawn, by the seed of the run: 1 to 100000; default: all. */
  readonly random?: number | undefined
  /** Chooses each next point by what came of those before, as tree-structured Parzen estimators do; takes `trials`; default: every combination is run. */
  readonly search?: SearchName | undefined
  /** Count of points that a search runs: 1 to 10000. */
  readonly trials?: number | undefined
  /** Statistics that points are ranked by, each by its name, with a minus for the other direction, or a function with a number of its own; several make a Pareto front; default: `sharpe`. */
  readonly objective?: string | ScorePoint | readonly (string | ScorePoint)[] | undefined
  /** Count of threads: 1 to 256; default: one a core. A strategy or model that is given as a value runs in this thread. */
  readonly workers?: number | undefined
  /** URL of a Redis, such as `redis://127.0.0.1:6379`: whatever machines have a worker there run the points; default: threads of this process do. */
  readonly redis?: string | undefined
  /** Seconds of the machine that a turn of the strategy may take, or its loading, where it runs in a thread of its own; default: 60. */
  readonly turnLimit?: number | 'off' | undefined
  /** Directory for points.jsonl, sweep.csv and sweep.json; the same sweep goes on there where it was; default: no files. */
  readonly out?: string | undefined
  /** True to begin anew, whatever sweep is in that directory; default: false. */
  readonly force?: boolean | undefined
  /** Windows in which the best is chosen and those in which it trades, such as `train=30d,test=7d` or `train=30d,test=7d,anchored,purge=1h`; default: none. */
  readonly walkForward?: string | undefined
  /** Count of groups of time for combinatorial cross-validation: 2 to 20; default: none. */
  readonly kfold?: number | undefined
  /** What is not chosen on after a group that is left out, such as `1h`; default: nothing. */
  readonly embargo?: string | undefined
  /** Count of shuffled tapes on which the same sweep runs: 1 to 10000; default: none. */
  readonly null?: number | undefined
  /** Count of rounds in which the round trips and the returns of the best are drawn anew: 100 to 100000; default: none. */
  readonly monteCarlo?: number | undefined
  /** Store whose ledger of trials the points are counted in; default: none, and the verdict knows of this sweep alone. */
  readonly db?: KeepOptions | undefined
  /** With `redis`, called as the machines that run the points change. */
  readonly onMachines?: ((event: MachinesEvent) => void) | undefined
  /** Called after each run: a point, or a run that a walk-forward, shuffled tapes or a Monte Carlo takes. */
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined
}
