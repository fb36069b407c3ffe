/** A backtest from options to result: what the command line does, for any program. */
import { resolve } from 'node:path'
import type { z } from 'zod'
import type { Statistics } from '../analysis/statistics.ts'
import { setting } from '../domain/setting-name.ts'
import { invariant, throwIfAborted } from '../domain/errors.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { Market } from '../domain/market.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import { liquidityOf } from '../runtime/backtest/liquidity-choice.ts'
import type { BacktestResult, SimulatedRunListener } from '../runtime/backtest/simulated-run.ts'
import {
  beginBound,
  liquidityBounds,
  type BegunBound,
  type BoundsElsewhere,
} from '../runtime/backtest/liquidity-bounds.ts'
import type { RecordingCache } from '../runtime/backtest/recording-cache.ts'
import { prepareBacktest, type PreparedBacktest, type PreparedMarkets } from '../runtime/backtest/prepared-backtest.ts'
import { outsideListener } from '../runtime/session/outside-listener.ts'
import {
  plotRowOf,
  type NoteRow,
  type PlotPoint,
  type PlotRow,
  type PlotSink,
} from '../runtime/session/plot-commands.ts'
import { termsOf } from '../runtime/settings/run-terms.ts'
import { bookIdentity, seriesIdentity, settingsIdentity, tapeIdentity } from '../sweep/point-key.ts'
import { trialOf, type TrialPlace } from '../sweep/trial.ts'
import { version } from '../runtime/version.ts'
import type { OwnFill, OwnOrder } from '../strategy/own-order.ts'
import type { BacktestOptions } from './backtest-options.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import type { SavedRun } from './save-options.ts'
import type { RunFiles, RunPlaces } from './run-files.ts'
import {
  equityPointsOf,
  fillRowOf,
  orderRowOf,
  tripRowOf,
  type EquityPoint,
  type FillRow,
  type OrderRow,
  type TripRow,
} from '../runtime/figures/run-rows.ts'
import type { TrialMaker } from './run-saver.ts'
import { settingsOfOptions } from './settings-of-options.ts'
import type { Repeats } from './sweep/repeats.ts'

/** A finished backtest: its report, and the rows that the report counts. */
export interface BacktestRun extends Omit<RunReport, 'orders' | 'fills'> {
  /** The content of `run.json`, without the hashes of the files. */
  readonly report: RunReport
  /** Accepted orders in their last state, in the order in which they finished; open orders last. */
  readonly orders: readonly OrderRow[]
  /** Fills in the order in which the strategy received them. */
  readonly fills: readonly FillRow[]
  /** Closed round trips, from flat to flat in one market, in the order in which they closed. */
  readonly trips: readonly TripRow[]
  /** Plotted values, oldest first. */
  readonly plots: readonly PlotRow[]
  /** Notes, oldest first. */
  readonly notes: readonly NoteRow[]
  /** At most 2000 points, oldest first. */
  readonly equity: readonly EquityPoint[]
  /** Location of the saved run; null without `db`. */
  readonly saved: SavedRun | null
  /** Former name of `saved`. */
  readonly kept: SavedRun | null
}

/**
 * Runs a strategy on recorded markets. The runs of one thread are executed in sequence. The same options give the same
 * digest.
 *
 * @throws {InputError} naming the option, the file, or the row of a file that is wrong
 * @throws {AbortError} when `signal` aborts; no files are left
 * @returns the result; if the strategy failed, with `failure`
 */
export async function backtest<Schema extends z.ZodObject>(options: BacktestOptions<Schema>): Promise<BacktestRun> {
  return await backtestBeside(options, undefined)
}

/** Receives each order in its last state, each fill and each plotted value, even if rows are not stored. */
export interface RowsListener extends Pick<PlotSink, 'onNote'> {
  readonly onPlot?: (plot: PlotRow) => void
  readonly onOrder?: (order: OrderRow) => void
  readonly onFill?: (fill: FillRow) => void
}

/** @param listener  called during the run: must be fast and must not throw */
export async function backtestReported<Schema extends z.ZodObject>(
  options: BacktestOptions<Schema>,
  listener: RowsListener,
): Promise<BacktestRun> {
  return await backtestBeside(options, undefined, listener)
}

/**
 * A finished backtest as a trial, equal to the sweep point with the same parameters.
 *
 * @returns undefined for a failed run: it cannot be the best
 */
function trialMakerOf({ prepared, digest, failure }: BacktestResult, statistics: Statistics): TrialMaker | undefined {
  if (failure !== undefined) return undefined
  return (ranAt) => trialOf(trialPlace(prepared), { params: {}, digest, statistics }, ranAt)
}

const trialPlace = ({
  settings,
  loaded,
  liquidity,
  inspected,
  inspectedBooks,
  inspectedSeries,
}: PreparedMarkets): TrialPlace => ({
  strategy: { name: loaded.strategy.name, sha256: loaded.sha256 },
  tapes: inspected.map(tapeIdentity),
  ...(inspectedBooks.length > 0 && { books: inspectedBooks.map(bookIdentity) }),
  ...seriesIdentity(inspectedSeries),
  settings: settingsIdentity({
    terms: { ...termsOf(settings), liquidity: liquidityOf(settings, inspectedBooks.length > 0) },
    liquiditySha256: liquidity.sha256,
    credit: settings.credit,
    params: settings.params,
    paramTexts: settings.paramTexts,
  }),
})

/**
 * @param elsewhere   runs part of the bounding runs
 * @param recordings  cache shared between runs
 */
export async function backtestBeside<Schema extends z.ZodObject>(
  options: BacktestOptions<Schema>,
  elsewhere: BoundsElsewhere | undefined,
  listener: RowsListener = {},
  recordings?: RecordingCache,
): Promise<BacktestRun> {
  const { settings, given } = settingsOfOptions(options)
  const { signal, out, db, force = false, bounds } = options
  const repeats = await repeatsOf(options)
  throwIfAborted(signal)
  // Checked first: reading a tape may take long.
  if (out !== undefined) await checkPlace(out, force)
  if (db !== undefined) await checkStore(db.file)
  const prepared = await prepareBacktest(settings, { ...given, recordings }, { signal, onReading: options.onReading })
  repeats?.check(prepared)
  const isWritten = out !== undefined || db !== undefined
  const files = isWritten ? await runFiles({ out, replaces: force, db }, prepared) : undefined
  try {
    const rows = new CollectedRows(options.keepRows ?? true, listener)
    let begun: BegunBound | undefined
    const beginOnce = (): void => {
      if (bounds !== false && elsewhere !== undefined) begun ??= beginBound(prepared, elsewhere)
    }
    const watcher = watcherOf(prepared, options, rows, files, beginOnce)
    const result = await runBacktest(prepared, watcher, signal, { isDrawn: isWritten })
    const bounding = bounds === false ? undefined : await liquidityBounds(result, signal, elsewhere, begun)
    throwIfAborted(signal)
    const own = reportOfRun(factsOfBacktest(version(), result, bounding, (file) => resolve(file)))
    const tools = { given, signal, onRepeat: options.onRepeat }
    const report = { ...own, ...(await repeats?.reports(prepared, own, tools)) }
    throwIfAborted(signal)
    const saved = files?.finish(report, result.figures, trialMakerOf(result, report.statistics)) ?? null
    return { ...runOf(report, result, rows), saved, kept: saved }
  } catch (error) {
    files?.abandon()
    throw error
  }
}

/** Lazy import, only for runs that are repeated. @throws {InputError} naming an invalid option */
async function repeatsOf({
  null: tapes,
  robustness,
}: Pick<BacktestOptions, 'null' | 'robustness'>): Promise<Repeats | undefined> {
  if (tapes === undefined && robustness === undefined) return undefined
  const { Repeats } = await import('./sweep/repeats.ts')
  return new Repeats(tapes, robustness)
}

/** @throws {InputError} if no run can be written there */
async function checkPlace(out: string, replaces: boolean): Promise<void> {
  const { checkContent, checkDirectory } = await import('../store/runs/run-place.ts')
  if (checkDirectory(setting('out'), out)) checkContent(setting('out'), out, replaces)
}

/** Lazy import, only for runs that write files. */
async function runFiles(places: RunPlaces, { markets }: PreparedBacktest): Promise<RunFiles> {
  const { RunFiles } = await import('./run-files.ts')
  return new RunFiles(places, markets)
}

/** @throws {InputError} if no run can be saved there */
async function checkStore(file: string): Promise<void> {
  const { RunSaver: RunSaver } = await import('./run-saver.ts')
  RunSaver.check(file)
}

class CollectedRows {
  readonly orders: OrderRow[] = []
  readonly fills: FillRow[] = []
  readonly trips: TripRow[] = []
  readonly plots: PlotRow[] = []
  readonly notes: NoteRow[] = []
  readonly isOn: boolean
  readonly #listener: RowsListener

  constructor(isOn: boolean, listener: RowsListener) {
    this.isOn = isOn
    this.#listener = listener
  }

  onOrder(order: OwnOrder, fee: Decimal): void {
    const { onOrder } = this.#listener
    if (!this.isOn && onOrder === undefined) return
    const row = orderRowOf(order, fee)
    if (this.isOn) this.orders.push(row)
    onOrder?.(row)
  }

  onFill(fill: OwnFill): void {
    const { onFill } = this.#listener
    if (!this.isOn && onFill === undefined) return
    const row = fillRowOf(fill)
    if (this.isOn) this.fills.push(row)
    onFill?.(row)
  }

  get takesPlots(): boolean {
    return this.isOn || this.#listener.onPlot !== undefined
  }

  onPlot(plot: PlotPoint): void {
    if (!this.takesPlots) return
    const row = plotRowOf(plot)
    if (this.isOn) this.plots.push(row)
    this.#listener.onPlot?.(row)
  }

  onNote(note: NoteRow): void {
    if (this.isOn) this.notes.push(note)
    this.#listener.onNote?.(note)
  }
}

function runOf(
  report: RunReport,
  { figures }: BacktestResult,
  rows: CollectedRows,
): Omit<BacktestRun, 'saved' | 'kept'> {
  const { equity } = figures
  const { orders, fills, trips, plots, notes } = rows
  const points = equityPointsOf(equity.samples, equity.scale)
  return { ...report, report, orders, fills, trips, plots, notes, equity: points }
}

function marketOf(markets: readonly Market[], symbol: string): Market {
  const market = markets.find((each) => each.symbol === symbol)
  invariant(market !== undefined, `no market '${symbol}'`)
  return market
}

/** @param onMade  called for each fill of a resting order */
function watcherOf(
  { from, to, markets }: PreparedBacktest,
  options: Pick<BacktestOptions, 'onProgress' | 'onLog'>,
  rows: CollectedRows,
  files: RunFiles | undefined,
  onMade: () => void,
): SimulatedRunListener {
  // Already called outside the strategy's turn.
  const program = outsideListener({ outside: (action) => action() }, options)
  return {
    onLines: (text) => files?.onLines(text),
    onOrder: (order, fee) => {
      files?.onOrder(order, fee)
      rows.onOrder(order, fee)
    },
    onFill: (fill) => {
      files?.onFill(fill)
      rows.onFill(fill)
      if (fill.isMaker) onMade()
    },
    onTrip: (trip) => {
      files?.onTrip(trip)
      if (rows.isOn) rows.trips.push(tripRowOf(trip, marketOf(markets, trip.symbol)))
    },
    onRefused: (refused) => files?.onRefused(refused),
    ...((files !== undefined || rows.takesPlots) && {
      onPlot: (plot) => {
        files?.onPlot(plot)
        rows.onPlot(plot)
      },
    }),
    onNote: (note) => {
      files?.onNote(note)
      rows.onNote(note)
    },
    onProgress: (played, time) => program.onProgress?.({ rows: played, time, from, to }),
    onLog: (time, message) => program.onLog?.(time, message),
  }
}
