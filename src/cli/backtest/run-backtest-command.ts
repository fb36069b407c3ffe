/**
 * `papertape backtest`, once its flags are read. Apart from the flags, so that `--help` loads none of it.
 */
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { printable } from '../../report/terminal-text.ts'
import { backtestBeside, type BacktestRun } from '../../run/backtest.ts'
import type { BacktestOptions, BacktestProgress } from '../../run/backtest-options.ts'
import { reportedError } from '../error-text.ts'
import { EXIT } from '../exit-code.ts'
import type { SaveOptions } from '../../run/save-options.ts'
import type { FlagValues } from '../cli-command.ts'
import type { BoundsElsewhere } from '../../runtime/backtest/liquidity-bounds.ts'
import type { Shown } from '../thread/thread-messages.ts'
import type { RecordingCache } from '../../runtime/backtest/recording-cache.ts'
import { numberOf, type FlagText } from '../option-values.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'
import { configOfFlags } from './backtest-flags.ts'
import { optionsOf } from './backtest-options-of.ts'
import { backtestSettings } from '../config/backtest-config.ts'
import { readConfigOf } from '../config/config-file.ts'
import { type Output, progressOf, shown, writeError } from './run-output.ts'

const wallClock = Date.now

/** How a run is watched over, and repeated. */
export interface BacktestWatch {
  /** Called with the turn limit of a config file. */
  readonly onTurnLimit: (limit: TurnLimit) => void
  /** Called with the settings, flags over file, before they are validated; may throw. */
  readonly onConfig?: (config: BacktestConfig) => void
  readonly onReport?: (report: RunReport) => void
  /** Cache from the previous run. */
  readonly recordings?: RecordingCache
  readonly signal?: AbortSignal
  /** Settings that win over flags and file. */
  readonly overrides?: BacktestConfig | undefined
}

/**
 * Runs a backtest, and prints progress and logs of the strategy.
 *
 * @param elsewhere  runs part of the bounding runs
 */
export async function backtestAndShow(
  strategy: string | undefined,
  values: FlagValues,
  elsewhere: BoundsElsewhere | undefined,
  { onTurnLimit, onConfig, onReport, recordings, signal, overrides }: BacktestWatch,
): Promise<Shown> {
  const file = backtestSettings(await readConfigOf(strategy === undefined ? [] : [strategy], values))
  const flags = { ...configOfFlags(strategy, values), ...overrides }
  const config: BacktestConfig = { ...file, ...flags }
  const { turnLimit, ...output }: Output = config
  onConfig?.(config)
  if (turnLimit !== undefined) onTurnLimit(turnLimit)
  if (output.db === undefined && flags.countTrials === false) {
    throw new InputError('--no-count-trials', 'needs --db FILE, because trials are counted in a database')
  }
  if (config.strategies !== undefined && strategy === undefined) {
    for (const flag of ['null', 'robustness'])
      if (values[flag] !== undefined)
        throw new InputError(`--${flag}`, 'is about one strategy, and several run: name one')
    const { portfolioAndShow } = await import('./run-portfolio.ts')
    return await portfolioAndShow({ file, flags, strategies: config.strategies, signal, onReport })
  }
  const progress = progressOf(output)
  try {
    const options = {
      ...optionsOf(file, flags),
      // Nothing but the report is shown: a run of any length fits into memory.
      keepRows: false,
      db: saveOptionsOf(output),
      null: numberOf('null', values.null as FlagText),
      robustness: values.robustness as boolean | undefined,
      onRepeat: (done: number, all: number) => progress?.repeats(done, all),
      ...(signal && { signal }),
      onReading: (file: string, read: number, total: number) => progress?.read(file, read, total),
      onProgress: (state: BacktestProgress) => progress?.update(state),
      onLog: (time: number, message: string) => {
        progress?.clear()
        writeError(`${isoTime(time)} ${message}`)
      },
    } satisfies Partial<BacktestOptions>
    const run = await backtestBeside(options, elsewhere, {}, recordings)
    onReport?.(run.report)
    const reported = { code: exitCodeOf(run), ...shown(run, output, options.out), pageOf: options.out }
    return asSaved(run, output, reported)
  } finally {
    progress?.clear()
  }
}

const saveOptionsOf = ({ db, countTrials }: Output): SaveOptions | undefined =>
  db === undefined ? undefined : { file: db, now: wallClock, onBusy: reportBusy(db), isCounted: countTrials }

const reportBusy =
  (file: string): (() => void) =>
  () => {
    writeError(`${printable(file)}: another process is writing to it; waiting up to 10 s`)
  }

/** Prints where the run was saved, or how to save it. */
function asSaved(run: BacktestRun, { json, quiet }: Output, reported: Shown): Shown {
  const { saved } = run
  if (saved === null) return reported
  const [id, file] = [saved.id.slice(0, 8), printable(saved.file)]
  if (saved.fault !== null) {
    const rest =
      saved.directory === null
        ? ''
        : `; the run is in ${saved.directory}: save it with papertape runs add ${saved.directory} --db ${file}`
    return {
      ...reported,
      code: reported.code || EXIT.input,
      stderr: `${reported.stderr}${reportedError(saved.fault)}; the run was not saved there${printable(rest)}\n`,
    }
  }
  if (saved.left.length > 0)
    return {
      ...reported,
      stderr: `${reported.stderr}${file}: files too large for the database were not saved: ${saved.left.join(', ')}\n`,
    }
  if (json === true || quiet === true) return reported
  return { ...reported, stderr: `${reported.stderr}saved in ${file} as ${id}; ${trialsText(run)}\n` }
}

/** The more there were, the less the best of them is worth. */
function trialsText({ saved, failure, strategy }: BacktestRun): string {
  const trials = saved?.trials ?? null
  if (trials !== null) {
    const many = trials === 1 ? 'first trial' : `trial ${trials}`
    return `${many} of '${printable(strategy.name)}' on this tape`
  }
  return failure === null ? 'not counted as a trial' : 'not counted as a trial, because it failed'
}

function exitCodeOf({ failure, audit }: BacktestRun): number {
  if (!audit.ok) return EXIT.invariant
  return failure === null ? EXIT.done : EXIT.failed
}
