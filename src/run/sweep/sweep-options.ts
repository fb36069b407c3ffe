/** Options of `sweep()`. */
import type { z } from 'zod'
import type { Statistics } from '../../analysis/statistics.ts'
import type { BacktestOptions } from '../backtest-options.ts'
import type { SearchName } from '../../sweep/point-search.ts'
import type { SaveOptions } from '../save-options.ts'
import type { MachinesEvent } from './machines/machine-watch.ts'

/** One value of a swept parameter. */
export type SweptValue = string | number | boolean

/** Values of a swept parameter: a list, or a string such as `5..50/5`, `20,50,100`, or both combined. */
export type SweptValues = SweptValue | readonly SweptValue[]

/**
 * Scores a completed point: higher is better; a point with null is not ranked.
 *
 * @param statistics  as in `run.json`
 * @param params      parameters of the point, as strings
 */
export type ScorePoint = (statistics: Statistics, params: Readonly<Record<string, string>>) => number | null

/** Progress of a sweep. */
export interface SweepProgress {
  /** Count of completed runs, including those of an earlier sweep. */
  readonly done: number
  /** Count of all runs: the points, and the runs of the checks. */
  readonly points: number
  /** Count of runs that were complete before this sweep began. */
  readonly known: number
  /** Count of runs that failed. */
  readonly errors: number
}

/** Options of a backtest that apply to every point. */
type PointOptions<Schema extends z.ZodObject> = Omit<
  BacktestOptions<Schema>,
  | 'params'
  | 'paramTexts'
  | 'bounds'
  | 'null'
  | 'robustness'
  | 'onRepeat'
  | 'out'
  | 'db'
  | 'force'
  | 'keepRows'
  | 'onProgress'
  | 'onLog'
>

/** @typeParam Schema  schema of the strategy's parameters */
export interface SweepOptions<Schema extends z.ZodObject = z.ZodObject> extends PointOptions<Schema> {
  /** Values of each swept parameter. All combinations run; the last parameter changes fastest. */
  readonly params: Readonly<Record<string, SweptValues>>
  /**
   * Values of settings by name, such as `{ 'order-latency': '20,50,200', seed: '1..20' }`: every point runs with every
   * combination of them, and the report and the page are about robustness; default: none.
   */
  readonly vary?: Readonly<Record<string, SweptValues>> | undefined
  /** Parameters that are the same for all points. */
  readonly fixed?: Readonly<Partial<z.input<Schema>>> | undefined
  /** Condition on the combinations to run, such as `fast < slow and slow <= 200`; default: all run. */
  readonly where?: string | undefined
  /** Count of combinations in a random sample, drawn by `seed`: 1 to 100000; default: all run. */
  readonly random?: number | undefined
  /** Chooses points by earlier results, with `tpe` or `cma`; requires `trials`; default: every combination runs. */
  readonly search?: SearchName | undefined
  /** Count of points that a search runs: 1 to 10000. */
  readonly trials?: number | undefined
  /**
   * Statistics to rank by: a name, with a minus to reverse it, or a function with a number of any unit. Several give a
   * Pareto front; default: `sharpe`.
   */
  readonly objective?: string | ScorePoint | readonly (string | ScorePoint)[] | undefined
  /** Count of threads: 1 to 256; default: one per core. A strategy or model passed as a value runs in this thread. */
  readonly workers?: number | undefined
  /**
   * URL of a Redis, such as `redis://127.0.0.1:6379`, whose workers run the points; default: threads of this process.
   */
  readonly redis?: string | undefined
  /** Seconds that loading the strategy, or one of its turns, may take when it runs in a worker thread; default: 60. */
  readonly turnLimit?: number | 'off' | undefined
  /**
   * Directory for points.jsonl, sweep.csv, sweep.json and report.html. The same sweep resumes there; default: no files.
   */
  readonly out?: string | undefined
  /** Overwrites whatever sweep is in that directory; default: false. */
  readonly force?: boolean | undefined
  /** Walk-forward windows, such as `train=30d,test=7d` or `train=30d,test=7d,anchored,purge=1h`; default: none. */
  readonly walkForward?: string | undefined
  /** Count of time groups for combinatorial cross-validation: 2 to 20; default: none. */
  readonly kfold?: number | undefined
  /** Data to drop from the selection after each held-out group, such as `1h`; default: none. */
  readonly embargo?: string | undefined
  /** Count of shuffled tapes on which the sweep is repeated: 1 to 10000; default: none. */
  readonly null?: number | undefined
  /** Count of rounds that resample the round trips and returns of the best: 100 to 100000; default: none. */
  readonly monteCarlo?: number | undefined
  /** Database that counts the points as trials; default: none, and the verdict counts only this sweep. */
  readonly db?: SaveOptions | undefined
  /** With `redis`, called when workers or the connection change. */
  readonly onMachines?: ((event: MachinesEvent) => void) | undefined
  /** Called after each run: a point, or a run of a walk-forward, of shuffled tapes or of a Monte Carlo. */
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined
}
