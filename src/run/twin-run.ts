/** One run of a session's twin. */
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { LiveSeries } from '../adapter/live/live-series.ts'
import { stepsOf, toDecimal } from '../domain/decimal.ts'
import type { TapeSource } from '../import/tape-source.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { type TwinTrace, twinTraceOf } from '../report/twin/twin-trace.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import { GIVEN_LIQUIDITY } from '../runtime/backtest/liquidity-choice.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { SimulatedRun } from '../runtime/backtest/simulated-run.ts'
import { unwatched } from '../runtime/heartbeat.ts'
import { journalLines } from '../runtime/journal/journal-reader.ts'
import { LIVE_LIQUIDITY } from '../runtime/live/live-session.ts'
import type { BacktestSettings } from '../runtime/settings/backtest-settings.ts'
import { version } from '../runtime/version.ts'
import { EVENT_KIND, type EventQueue } from '../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../simulation/simulated-markets.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { RECEIVED_FILE } from '../store/runs/received-file.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { warmupNeeds } from '../strategy/warmup.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { checkUnchanged } from './repeatable-run.ts'
import { type RunFile, settingsOfRun } from './run-file.ts'
import { sinkOf } from './files-sink.ts'
import { RunFiles } from './run-files.ts'
import { repeatOperator, twinStores } from './twin-operator.ts'
import type { Received } from './twin-tapes.ts'

/** Terms in which a twin may differ from its session; default: those of the session, without latency if it was live. */
export interface TwinTerms {
  /** Order latency, in milliseconds. */
  readonly orderLatency?: number | undefined
  /** Response latency, in milliseconds. */
  readonly responseLatency?: number | undefined
  /** Maker fee in basis points. */
  readonly makerFee?: string | undefined
  /** Taker fee in basis points. */
  readonly takerFee?: string | undefined
  /** Liquidity model; default: that of a paper session, or else the one that fits the data. */
  readonly liquidity?: string | undefined
  /** True to repeat what an operator did to the session: changed parameters, halt, reduce, resume and flatten. */
  readonly withOperator?: boolean | undefined
}

export interface TwinRunParts {
  readonly run: RunFile
  readonly session: TwinTrace
  readonly received: Received
  readonly tapes: readonly TapeSource[]
  /** Path of the received data. */
  readonly path: string
  /** Run directory of the session. */
  readonly directory: string
  readonly signal: AbortSignal | undefined
}

export interface TwinRun {
  readonly trace: TwinTrace
  readonly digest: string
  /** Sources of chance or time that the strategy used. */
  readonly unrepeatable: readonly unknown[]
  readonly notes: readonly string[]
  /** When the strategy failed, in Unix milliseconds, and why; undefined if it did not. */
  readonly failure: { readonly time: number; readonly message: string } | undefined
}

interface TwinRunOptions extends TwinTerms {
  readonly strategies?: Readonly<Record<string, Strategy>> | undefined
}

interface Place {
  readonly out: string
  readonly replaces: boolean
}

/** Without a place only its digest is of use. */
export async function runTwin(parts: TwinRunParts, options: TwinRunOptions, place?: Place): Promise<TwinRun> {
  const prepared = await preparedTwin(parts, options)
  const files = place && new RunFiles({ ...place, db: undefined }, prepared.markets)
  try {
    const hooks = {
      isDrawn: true,
      ...(options.withOperator === true && { stores: twinStores(prepared.loaded.strategy.name) }),
      onRun: (run: SimulatedRun) => {
        learnPast(run.stage.simulated, prepared, parts.received)
        run.stage.adapter.series = seriesAgain(parts, run.stage.simulated.queue)
        if (options.withOperator === true) repeatOperator(run, prepared, parts.run)
      },
    }
    // The session has logged the same.
    const sink = { ...sinkOf(files), onLines: (text: string) => files?.onLines(text) }
    const result = await runBacktest(prepared, sink, parts.signal, hooks)
    const { digest, unrepeatable, failure } = result
    const facts = factsOfBacktest(version(), result, undefined, () => parts.path)
    const report = twinRunReport(reportOfRun(facts), parts.run.digest)
    files?.finish(report, result.figures)
    // The twin of a live session is without latency on purpose.
    const notes = report.notices.slice(0, report.warnings).filter((text) => !text.startsWith('With zero latency'))
    if (place === undefined) return { trace: parts.session, digest, unrepeatable, notes, failure }
    const trace = unwatched(() => twinTraceOf(journalLines(join(place.out, 'journal.jsonl'))))
    return { trace, digest, unrepeatable, notes, failure }
  } catch (error) {
    files?.abandon()
    throw error
  }
}

/** @throws {InputError} if the strategy has changed, or needs what a twin cannot have */
async function preparedTwin(parts: TwinRunParts, { strategies, ...terms }: TwinRunOptions): Promise<PreparedBacktest> {
  const { run, session, directory } = parts
  const { strategy: named, config } = run
  const place = join(directory, REPORT_FILE)
  const given = strategies?.[named.name]
  if (given === undefined && named.sha256 === null && named.path === null)
    throw new InputError(place, `its strategy '${named.name}' came from a program, which alone can run its twin`)
  if (config.liquidity === GIVEN_LIQUIDITY && terms.liquidity === undefined)
    throw new InputError(place, 'its liquidity model came from a program: name another one for the twin')
  const prepared = await prepareBacktest(settingsOf(parts, terms), { isRecompiled: true, strategy: given })
  const { liquidity: model, loaded } = prepared
  const sameModel = { liquidity: model.reference, liquiditySha256: model.sha256 }
  if (given === undefined)
    checkUnchanged({ ...run, tapes: [], books: [], series: [], config: { ...config, ...sameModel } }, prepared)
  if (warmupNeeds(loaded.strategy.warmup).length > 0)
    throw new InputError(place, 'its strategy was warmed up on candles of the service, which no twin can repeat yet')
  const from = parts.received.startedAt ?? session.head?.t ?? prepared.from
  return { ...prepared, from, to: Math.max(from, session.endedAt) }
}

function settingsOf({ run, session, tapes }: TwinRunParts, terms: TwinTerms): BacktestSettings {
  const settings = settingsOfRun(run)
  const { orderLatencyMs, responseLatencyMs, makerFeeBps, takerFeeBps } = settings
  const model = run.config.liquidity === LIVE_LIQUIDITY ? null : run.config.liquidity
  return {
    ...settings,
    ...{ tapes, books: [], series: [], from: null, to: null },
    credit: creditOf(session, tapes),
    liquidity: terms.liquidity ?? model,
    orderLatencyMs: terms.orderLatency ?? orderLatencyMs,
    responseLatencyMs: terms.responseLatency ?? responseLatencyMs,
    makerFeeBps: terms.makerFee ?? makerFeeBps,
    takerFeeBps: terms.takerFee ?? takerFeeBps,
  }
}

/** The balances of the session at its start, in assets of the markets. */
function creditOf({ credits }: TwinTrace, tapes: readonly TapeSource[]): Readonly<Record<string, string>> {
  const assets = new Set(tapes.flatMap(({ symbol = '' }) => symbol.split('_')))
  return Object.fromEntries(
    Object.entries(credits).filter(([asset, amount]) => assets.has(asset) && !toDecimal(amount).isZero()),
  )
}

/** The crowd knew these trades when the session began. */
function learnPast(simulated: SimulatedMarkets, { markets, from }: PreparedBacktest, { trades }: Received): void {
  for (const { symbol, pricePrecision, qtyPrecision } of markets) {
    let time = 0
    for (const trade of trades) {
      if (trade.symbol !== symbol || trade.arrivedAt !== undefined) continue
      time = Math.min(Math.max(time, trade.createdAt), from)
      const [price, qty] = [
        stepsOf(toDecimal(trade.price), pricePrecision),
        stepsOf(toDecimal(trade.qty), qtyPrecision),
      ]
      simulated.crowd(symbol).learn(time, price, qty, trade.isBuyerMaker)
    }
  }
}

/** The series of the session, whose rows arrive when they did there. */
function seriesAgain({ run, received }: TwinRunParts, queue: EventQueue): ReadonlyMap<string, LiveSeries> {
  const all = new Map(run.series.map(({ name, columns = [] }) => [name, new LiveSeries(name, columns)]))
  for (const { name, arrivedAt, row, isSeen } of received.series) {
    const series = all.get(name)
    if (arrivedAt === undefined) series?.begin([row], isSeen)
    else {
      queue.enter(Math.max(arrivedAt, queue.now()), EVENT_KIND.series, () => {
        series?.push(row)
      })
    }
  }
  return all
}

/** The tapes were made of the received data, and are gone. */
const twinRunReport = (report: RunReport, of: string): RunReport => ({
  ...report,
  twin: { of },
  tapes: report.tapes.map((tape) => ({ ...tape, file: RECEIVED_FILE })),
})
