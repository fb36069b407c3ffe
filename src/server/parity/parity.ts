/**
 * Parity: a strategy in process, as in a backtest, and again through the live adapter against the emulator's service on
 * the same tapes, in lock-step; orders, fills and balances are compared.
 *
 * Both sides have the same markets, terms, credits and seed, no latency, and no rate limits.
 */
import { InputError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import { settingsOfOptions } from '../../run/settings-of-options.ts'
import { runBacktest } from '../../runtime/backtest/backtest.ts'
import { prepareBacktest, type PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { JournalReader } from '../../runtime/journal/journal-reader.ts'
import { compareLogs, type ParityComparison } from '../../runtime/parity/compare-logs.ts'
import { LOG_KINDS, SessionLog, type LogKind } from '../../runtime/parity/session-log.ts'
import { notingMarketData, type NoteMarketData } from '../../runtime/parity/noted-market-data.ts'
import { runLiveSide } from './live-side.ts'

export interface ParityOptions extends Omit<
  BacktestOptions,
  'latency' | 'limits' | 'onLimit' | 'bounds' | 'out' | 'keepRows' | 'onProgress'
> {
  /** Changes the markets of the service, if they are not to be those of the backtest. */
  readonly serviceMarkets?: ((markets: readonly MarketConfig[]) => readonly MarketConfig[]) | undefined
  /** Called often while the live side runs. */
  readonly onProgress?: ((progress: ParityProgress) => void) | undefined
}

export interface ParityProgress {
  /** Unix milliseconds of the tape. */
  readonly time: number
  readonly from: number
  readonly to: number
}

export interface ParityResult extends ParityComparison {
  readonly strategy: string
  /** Number of lines of the run in process, by kind. */
  readonly counts: Readonly<Record<LogKind, number>>
  /** Warnings of the live adapter. */
  readonly warnings: readonly string[]
  /** Error of the strategy in process; the live side is compared up to there. */
  readonly failure: string | undefined
}

/** Expands delta-encoded journal lines, so that those of two sessions can be compared. */
class WholeLines {
  readonly #journal = new JournalReader()

  /** Call with every line of a journal, in order. */
  whole(text: string): string {
    const line = this.#journal.read('a line of the journal', text)
    // The final line contains balances, which the reader omits.
    return line === undefined || line.type === 'end' ? text : JSON.stringify(line)
  }
}

/** Passes expanded journal lines to a log. */
function wholeLines(log: SessionLog): (line: string) => void {
  const lines = new WholeLines()
  return (line) => {
    log.onLine(lines.whole(line))
  }
}

/** @throws {InputError} for invalid options, such as a tape of candles */
export async function parity({ serviceMarkets, onProgress, ...options }: ParityOptions): Promise<ParityResult> {
  const prepared = await prepareParity(options)
  const [inProcess, live] = [new SessionLog(), new SessionLog()]
  const { failure } = await runBacktest(noted(prepared, inProcess.onMarketData), {
    onLine: wholeLines(inProcess),
    onOrder: none,
    onFill: none,
    onProgress: none,
    onLog: options.onLog ?? none,
  })
  const { from, to } = prepared
  const warnings: string[] = []
  await runLiveSide(noted(prepared, live.onMarketData), {
    markets: serviceMarkets?.(prepared.markets),
    onLine: wholeLines(live),
    onWarning: (text) => warnings.push(text),
    onProgress: (time) => onProgress?.({ time, from, to }),
  })
  const counts = Object.fromEntries(LOG_KINDS.map((kind) => [kind, inProcess.lines(kind).length]))
  return {
    ...compareLogs(inProcess, live),
    strategy: prepared.loaded.strategy.name,
    counts: counts as Record<LogKind, number>,
    warnings,
    failure: failure?.message,
  }
}

const none = (): void => undefined

async function prepareParity(options: Omit<ParityOptions, 'serviceMarkets' | 'onProgress'>): Promise<PreparedBacktest> {
  const latency = { orderMs: 0, responseMs: 0, feedMs: 0 }
  const { settings, given } = settingsOfOptions({ ...options, latency, limits: false })
  const prepared = await prepareBacktest(settings, given, { signal: options.signal })
  const [candles] = prepared.candleTapes.keys()
  if (candles === undefined) return prepared
  throw new InputError(
    setting('tapes'),
    `parity needs recorded trades of ${candles}; candles cannot be replayed through the live adapter`,
  )
}

const noted = (prepared: PreparedBacktest, note: NoteMarketData): PreparedBacktest => {
  const { loaded } = prepared
  return { ...prepared, loaded: { ...loaded, strategy: notingMarketData(loaded.strategy, note) } }
}
