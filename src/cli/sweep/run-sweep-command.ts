/**
 * `papertape sweep`, after its flags are read. Strategies run in worker threads; this one reports progress and writes the output.
 */
import { join, resolve } from 'node:path'
import { AbortError, InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import type { MachinesEvent } from '../../run/sweep/machines/machine-watch.ts'
import { sweep, type SweepResult } from '../../run/sweep/sweep.ts'
import { MAX_WORKERS } from '../../run/sweep/thread-pool.ts'
import type { ScorePoint, SweepOptions, SweepProgress } from '../../run/sweep/sweep-options.ts'
import { integer } from '../../runtime/settings/form.ts'
import { MAX_POINTS } from '../../sweep/grid.ts'
import { isObjectiveFile } from '../../sweep/objective.ts'
import { MAX_TRIALS, type SearchName } from '../../sweep/point-search.ts'
import { importFile } from '../../runtime/strategies/strategy-file.ts'
import { version } from '../../runtime/version.ts'
import { configOfFlags } from '../backtest/backtest-flags.ts'
import { without } from '../../domain/without.ts'
import { optionsOf } from '../backtest/backtest-options-of.ts'
import { backtestSettings } from '../config/backtest-config.ts'
import { readVariedConfig } from '../config/config-file.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { SaveOptions } from '../../run/save-options.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'
import type { FlagValues } from '../cli-command.ts'
import { assignment, numberOf, record, several, single, type FlagText } from '../option-values.ts'
import { givenRedisUrl } from '../redis-url.ts'
import { SweepProgressLine, sweepTable, truthText } from './sweep-output.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const wallClock = Date.now

/** One line for each change among the workers that run the points of a sweep. */
function machinesText(event: MachinesEvent): string {
  switch (event.type) {
    case 'workers':
      return event.count === 0
        ? `sweep: no worker of papertape ${version()} is connected; start one on any machine: papertape worker --redis URL`
        : `sweep: ${readableCount(event.count, 'worker')} connected`
    case 'fault':
      return `sweep: a worker cannot run the points: ${event.text}`
    case 'link':
      return event.state === 'gone' ? 'sweep: Redis does not answer; waiting for it' : 'sweep: Redis is back'
  }
}

/** @returns the exit code */
export async function sweepAndShow(strategy: string | undefined, values: FlagValues): Promise<number> {
  const options = await optionsOfFlags(strategy, values)
  return await shownSweep(options, values, (result) => shown(result, options.out, values))
}

/**
 * Runs a sweep with its progress and its interruption.
 *
 * @param show  prints the result, and returns the exit code
 */
export async function shownSweep(
  options: SweepOptions,
  values: FlagValues,
  show: (result: SweepResult) => number,
): Promise<number> {
  const isSilent = values.quiet === true || values.json === true
  const line = isSilent || !io.stderr.isTTY ? undefined : new SweepProgressLine(io.stderr, wallClock)
  const ending = new Ending()
  let last: SweepProgress | undefined
  try {
    const result = await sweep({
      ...options,
      signal: ending.signal,
      onReading: (file, read, total) => line?.read(file, read, total),
      onProgress: (progress) => {
        last = progress
        line?.update(progress)
      },
      onMachines: (event) => {
        line?.clear()
        if (event.type !== 'workers' || event.count === 0 || !isSilent) io.life.report(printable(machinesText(event)))
      },
    })
    ending.stop()
    line?.clear()
    return show(result)
  } catch (error) {
    line?.clear()
    if (!(error instanceof AbortError)) throw error
    io.life.report(brokenOffText(last, options.out))
    return ending.end()
  } finally {
    ending.stop()
  }
}

/** @param counts  of the points with rounded values */
function roundedText(counts: readonly number[], points: number): string {
  const count = counts.reduce((sum, each) => sum + each)
  const values = count === 1 ? '1 quantity or price was' : `${count} quantities and prices were`
  return `${values} rounded to the lot or tick, in ${counts.length} of ${points} points; pass --rounding refuse to refuse such orders`
}

function shown(result: SweepResult, out: string | undefined, { json, quiet }: FlagValues): number {
  const { report, points } = result
  if (json === true) io.stdout.write(`${JSON.stringify(report)}\n`)
  else if (quiet !== true) {
    const pathText = (name: string): string => printable(join(out ?? '', name))
    const where = out === undefined ? '' : `\nPoints: ${pathText('sweep.csv')}\nReport: ${pathText('report.html')}\n`
    const { columns } = io.stdout
    io.stdout.write(`${sweepTable(result, columns)}\n${truthText(report, columns)}${where}`)
  }
  if (result.databaseFault !== null)
    io.life.report(printable(`the points could not be counted in the database: ${result.databaseFault}`))
  if (quiet !== true) {
    const rounded = points.flatMap(({ rounded = 0 }) => (rounded === 0 ? [] : [rounded]))
    if (rounded.length > 0) io.stderr.write(`${roundedText(rounded, points.length)}\n`)
  }
  if (report.errors === points.length) return EXIT.failed
  return result.databaseFault === null ? EXIT.done : EXIT.input
}

function brokenOffText(progress: SweepProgress | undefined, out: string | undefined): string {
  if (progress === undefined) return 'sweep: interrupted before the first point'
  const done = `sweep: interrupted after ${progress.done} of ${progress.points} runs`
  return out === undefined
    ? `${done}; their results are lost, pass --out DIR to keep them`
    : printable(`${done}; their results are in ${join(out, 'points.jsonl')}, run the same command again to continue`)
}

/** The first signal stops the sweep; the second ends the process as usual. */
class Ending {
  readonly #controller = new AbortController()
  #signal: NodeJS.Signals | undefined

  constructor() {
    for (const name of SIGNALS) io.life.onSignal(name, this.#onSignal)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#signal = signal
    this.stop()
    this.#controller.abort()
  }

  stop(): void {
    for (const name of SIGNALS) io.life.offSignal(name, this.#onSignal)
  }

  /** Ends the process by the signal that stopped the sweep. */
  end(): number {
    if (this.#signal !== undefined) io.life.raise(this.#signal)
    return EXIT.failed
  }
}

async function optionsOfFlags(named: string | undefined, values: FlagValues): Promise<SweepOptions> {
  const { file: read, strategy } = await readVariedConfig('sweep', named, values)
  const file = backtestSettings(read)
  // The output settings of a backtest do not apply to a sweep.
  const config = without(file, 'params', 'out', 'force', 'bounds', 'db', 'countTrials')
  const { param, ...others } = values
  const flags = configOfFlags(strategy, others)
  const swept = record(
    '--param',
    several('--param', param as FlagText).map((each) => assignment('--param', each)),
  )
  if (Object.keys(swept).length === 0) {
    throw new InputError('--param', 'missing values to sweep, such as --param fast=5..50/5 --param slow=20,50,100')
  }
  return {
    ...without(optionsOf(config, flags), 'params', 'paramTexts', 'bounds', 'keepRows', 'onProgress'),
    params: swept,
    fixed: Object.fromEntries(Object.entries(file.params ?? {}).filter(([name]) => !Object.hasOwn(swept, name))),
    where: single('--where', values.where as FlagText),
    random: integerOf('random', values, MAX_POINTS),
    search: single('--search', values.search as FlagText) as SearchName | undefined,
    trials: integerOf('trials', values, MAX_TRIALS),
    workers: integerOf('workers', values, MAX_WORKERS),
    redis: givenRedisUrl(values),
    objective: await objectivesOf(several('--objective', values.objective as FlagText)),
    turnLimit: flags.turnLimit ?? file.turnLimit,
    walkForward: single('--walk-forward', values['walk-forward'] as FlagText),
    kfold: numberOf('kfold', values.kfold as FlagText),
    embargo: single('--embargo', values.embargo as FlagText),
    null: numberOf('null', values.null as FlagText),
    monteCarlo: numberOf('monteCarlo', values['monte-carlo'] as FlagText),
    db: countedIn(flags),
  }
}

/** @throws {InputError} for `--no-count-trials` without a database */
function countedIn({ db, countTrials }: BacktestConfig): SaveOptions | undefined {
  if (db !== undefined)
    return { file: db, now: wallClock, onBusy: () => io.life.report(busyText(db)), isCounted: countTrials }
  if (countTrials !== false) return undefined
  throw new InputError('--no-count-trials', 'needs --db FILE, because trials are counted in a database')
}

const busyText = (file: string): string => `${printable(file)}: another process is writing to it, waiting up to 10 s`

export function integerOf(name: 'random' | 'trials' | 'workers', values: FlagValues, most: number): number | undefined {
  const given = single(`--${name}`, values[name] as FlagText)
  return given === undefined ? undefined : integer(1, most).ofText(setting(name), given)
}

async function objectivesOf(names: readonly string[]): Promise<SweepOptions['objective']> {
  if (names.length === 0) return undefined
  return await Promise.all(names.map(async (name) => (isObjectiveFile(name) ? await scoreIn(name) : name)))
}

/** @throws {InputError} for a file whose default export is not a function */
async function scoreIn(file: string): Promise<ScorePoint> {
  const { exports } = await importFile(file, resolve(file))
  const { default: score } = exports
  if (typeof score !== 'function') {
    throw new InputError(file, 'expected a default export such as (statistics, params) => statistics.return')
  }
  const named = { [file]: (...given: Parameters<ScorePoint>) => (score as ScorePoint)(...given) }
  return named[file] as ScorePoint
}
