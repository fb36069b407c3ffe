/**
 * Parity: strategies in process, as in a backtest, and again through the live adapter against the emulator's service on
 * the same tapes, in lock-step; orders, fills and balances are compared.
 *
 * Both sides have the same markets, terms, credits and seed, no latency, and no rate limits.
 */
import { InputError, invariant, type StrategyError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import { preparePortfolio, type PortfolioOptions } from '../../run/portfolio.ts'
import { settingsOfOptions } from '../../run/settings-of-options.ts'
import { runBacktest } from '../../runtime/backtest/backtest.ts'
import { prepareBacktest, type PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { runPortfolio } from '../../runtime/backtest/portfolio.ts'
import type { SimulatedRunListener } from '../../runtime/backtest/simulated-run.ts'
import { JournalReader } from '../../runtime/journal/journal-reader.ts'
import { compareLogs, type ParityComparison } from '../../runtime/parity/compare-logs.ts'
import { LOG_KINDS, SessionLog, type LogKind } from '../../runtime/parity/session-log.ts'
import { notingMarketData, type NoteMarketData } from '../../runtime/parity/noted-market-data.ts'
import { limitsThatAreOn } from '../../runtime/settings/risk-limits.ts'
import { type LiveWallet, runLiveSide } from './live-side.ts'

type OtherTerms = 'latency' | 'limits' | 'onLimit' | 'bounds' | 'out' | 'keepRows' | 'onProgress' | 'onLog'

/** Options that both kinds of runs add to those of a backtest. */
interface ServiceOptions {
  /** Changes the markets of the service, if they are not to be those of the backtest. */
  readonly serviceMarkets?: ((markets: readonly MarketConfig[]) => readonly MarketConfig[]) | undefined
  /** Called often while the live side runs. */
  readonly onProgress?: ((progress: ParityProgress) => void) | undefined
}

export interface ParityOptions extends Omit<BacktestOptions, OtherTerms>, ServiceOptions {}

/** Several strategies on one wallet, each with a book of its own on the account. */
export interface PortfolioParityOptions extends Omit<PortfolioOptions, OtherTerms>, ServiceOptions {}

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

/** A strategy of a run, with its logs of both sides. */
interface Compared {
  readonly name: string
  readonly prepared: PreparedBacktest
  readonly inProcess: SessionLog
  readonly live: SessionLog
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
  const { name } = prepared.loaded.strategy
  const compared = comparedOf(name, prepared)
  const { failure } = await runBacktest(noted(prepared, compared.inProcess.onMarketData), sinkOf(compared))
  const warnings = await goLive([compared], { serviceMarkets, onProgress })
  return { ...resultOf(compared, failure), warnings }
}

/**
 * The results of the strategies, in their order. The warnings are those of the whole account.
 *
 * @throws {InputError} for invalid options, such as a tape of candles
 */
export async function portfolioParity(options: PortfolioParityOptions): Promise<readonly ParityResult[]> {
  const { serviceMarkets, onProgress, ...run } = options
  const asked = { ...run, latency: NO_LATENCY, limits: false } as const
  const portfolio = await preparePortfolio(asked)
  const { members, reserve } = portfolio
  const compared = members.map(({ name, prepared }) => comparedOf(name, withTrades(prepared)))
  const risk = limitsThatAreOn(portfolio.walletRisk)
  const { rebalance } = portfolio
  const { results } = await runPortfolio({
    members: compared.map((each) => {
      const { name, prepared, inProcess } = each
      return { name, prepared: noted(prepared, inProcess.onMarketData), outside: sinkOf(each) }
    }),
    reserve,
    risk,
    rebalance,
    outside: SILENT,
    isDrawn: false,
  })
  const wallet = {
    credit: addedUp([reserve, ...members.map(({ prepared }) => prepared.credit)]),
    capitals: options.strategies.map(({ capital }) => capital),
    risk,
    rebalance,
  }
  const warnings = await goLive(compared, { serviceMarkets, onProgress }, wallet)
  return compared.map((each, index) => ({ ...resultOf(each, results[index]?.failure), warnings }))
}

const comparedOf = (name: string, prepared: PreparedBacktest): Compared => ({
  name,
  prepared,
  inProcess: new SessionLog(),
  live: new SessionLog(),
})

/** @returns the warnings of the live adapter */
async function goLive(
  compared: readonly Compared[],
  { serviceMarkets, onProgress }: ServiceOptions,
  wallet?: LiveWallet,
): Promise<readonly string[]> {
  const warnings: string[] = []
  const [first] = compared
  invariant(first !== undefined, 'a run has a strategy')
  const { from, to, markets } = first.prepared
  await runLiveSide({
    members: compared.map(({ name, prepared, live }) => {
      return { name, prepared: noted(prepared, live.onMarketData), onLine: wholeLines(live) }
    }),
    wallet,
    markets: serviceMarkets?.(markets),
    onWarning: (text) => warnings.push(text),
    onProgress: (time) => onProgress?.({ time, from, to }),
  })
  return warnings
}

function resultOf(
  { name, inProcess, live }: Compared,
  failure: StrategyError | undefined,
): Omit<ParityResult, 'warnings'> {
  const counts = Object.fromEntries(LOG_KINDS.map((kind) => [kind, inProcess.lines(kind).length]))
  return {
    ...compareLogs(inProcess, live),
    strategy: name,
    counts: counts as Record<LogKind, number>,
    failure: failure?.message,
  }
}

const sinkOf = ({ inProcess }: Compared): SimulatedRunListener => ({ ...SILENT, onLine: wholeLines(inProcess) })

function addedUp(all: readonly ReadonlyMap<string, bigint>[]): ReadonlyMap<string, bigint> {
  const sum = new Map<string, bigint>()
  for (const [asset, units] of all.flatMap((each) => [...each])) sum.set(asset, (sum.get(asset) ?? 0n) + units)
  return sum
}

const none = (): void => undefined

const SILENT = { onOrder: none, onFill: none, onLog: none }
const NO_LATENCY = { orderMs: 0, responseMs: 0, feedMs: 0 }

async function prepareParity(options: Omit<ParityOptions, keyof ServiceOptions>): Promise<PreparedBacktest> {
  const { settings, given } = settingsOfOptions({ ...options, latency: NO_LATENCY, limits: false })
  return withTrades(await prepareBacktest(settings, given, { signal: options.signal }))
}

/** @throws {InputError} for a tape of candles */
function withTrades(prepared: PreparedBacktest): PreparedBacktest {
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
