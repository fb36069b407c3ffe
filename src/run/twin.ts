/** The twin of a session: a backtest of the very data that it received, and the gap in money between the two. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Decimal, toDecimal } from '../domain/decimal.ts'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { isoTime } from '../domain/time.ts'
import { writeFault } from '../domain/write-fault.ts'
import { twinGap, type OperatorAction, type TwinGap } from '../report/twin/twin-gap.ts'
import { type ReceivedTrade, TwinPrices } from '../report/twin/twin-prices.ts'
import { twinReport, totalsOf, type TwinReport, type TwinTotal } from '../report/twin/twin-report.ts'
import { type TwinTrace, twinTraceOf } from '../report/twin/twin-trace.ts'
import { journalLines } from '../runtime/journal/journal-reader.ts'
import { unwatched } from '../runtime/heartbeat.ts'
import { isByOperator } from '../runtime/session-state.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { RECEIVED_FILE, receivedFileOf } from '../store/runs/received-file.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { checkThere, readRunFile, type RunFile } from './run-file.ts'
import { runTwin, type TwinTerms } from './twin-run.ts'
import { readReceived, writeTwinTapes, type Received } from './twin-tapes.ts'

/** Options of `twin`. */
export interface TwinOptions extends TwinTerms {
  /** Directory of a session that ended: that of a strategy, or of several. */
  readonly session: string
  /** Strategies of a program by their names, which no file has. */
  readonly strategies?: Readonly<Record<string, Strategy>> | undefined
  /** Directory of the twin's own run, of several strategies a directory each in it; default: it is not kept. */
  readonly out?: string | undefined
  /** Replaces an earlier run there; default: false. */
  readonly force?: boolean | undefined
  /** Stops it; then nothing is written. */
  readonly signal?: AbortSignal | undefined
}

/** A session and its twin. */
export interface Twins {
  /** The strategies of the session. */
  readonly strategies: readonly TwinReport[]
  /** All of them together, by the asset in which they are valued. */
  readonly totals: readonly TwinTotal[]
}

/**
 * Repeats a live or paper session as a backtest of the data that it received, and splits the gap in money into causes.
 *
 * @throws {InputError} if the session cannot be repeated, naming what of it cannot
 * @throws {AbortError} when `signal` aborts
 */
export async function twin(options: TwinOptions): Promise<Twins> {
  const { session, out: target } = options
  if (target !== undefined && resolve(target) === resolve(session))
    throw new InputError(setting('out'), 'is the session itself: name another directory')
  const directories = directoriesOf(session)
  const strategies: TwinReport[] = []
  for (const { directory, name } of directories) {
    const { out } = options
    strategies.push(
      await twinOf({ directory, name }, { ...options, out: out === undefined ? undefined : join(out, name) }),
    )
  }
  return { strategies, totals: totalsOf(strategies) }
}

interface SessionRun {
  readonly directory: string
  /** Name of one of several strategies; otherwise empty. */
  readonly name: string
}

/** The run directories of a session; several strategies have one each. */
function directoriesOf(session: string): readonly SessionRun[] {
  if (existsSync(join(session, 'journal.jsonl'))) return [{ directory: session, name: '' }]
  const names = existsSync(session) ? readdirSync(session) : []
  const runs = names.filter((name) => existsSync(join(session, name, 'journal.jsonl')))
  if (runs.length > 0) return runs.sort().map((name) => ({ directory: join(session, name), name }))
  throw new InputError(join(session, REPORT_FILE), 'no such file; expected a directory written by live or paper --out')
}

async function twinOf({ directory, name }: SessionRun, options: TwinOptions): Promise<TwinReport> {
  settleRunDirectory(directory)
  checkThere(directory)
  const run = readRunFile(directory)
  const place = join(directory, REPORT_FILE)
  if (run.live === undefined && run.paper === undefined)
    throw new InputError(place, 'is no session: expected a run of papertape live or papertape paper')
  const path = receivedPath(directory)
  const session = traceOf(directory)
  refuseContinued(place, run, session)
  const received = unwatched(() => readReceived(path))
  const folder = temporaryFolder()
  try {
    return await gapOf(
      { directory, name: name === '' ? run.strategy.name : name, run, session, received, path, folder },
      options,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A session up to a moment, while it still runs. */
export interface SessionCut extends SessionRun {
  /** The content of its `run.json` as far as a twin needs it. */
  readonly run: RunFile
  /** Unix milliseconds. */
  readonly until: number
  /** Bytes of its journal, and of the received data, both of whole lines. */
  readonly journalBytes: number
  readonly receivedBytes: number
}

/**
 * The twin of a session up to a moment.
 *
 * @param folder  an empty one for temporary files
 * @throws {InputError} as `twin`
 */
export async function twinOfCut(
  { directory, name, run, until, journalBytes, receivedBytes }: SessionCut,
  folder: string,
): Promise<TwinReport> {
  const path = receivedPath(directory)
  const session = { ...traceOf(directory, journalBytes), endedAt: until }
  refuseContinued(directory, run, session)
  const received = unwatched(() => readReceived(path, receivedBytes))
  return await gapOf({ directory, name, run, session, received, path, folder }, { session: directory })
}

const traceOf = (directory: string, bytes?: number): TwinTrace =>
  unwatched(() => twinTraceOf(journalLines(join(directory, 'journal.jsonl'), bytes)))

function receivedPath(directory: string): string {
  const path = receivedFileOf(directory)
  if (path !== undefined) return path
  const why = `has no ${RECEIVED_FILE}, the trades as they arrived: run the session with --out, without --no-received`
  throw new InputError(join(directory, REPORT_FILE), why)
}

/** @throws {InputError} naming the parts of a session that its twin would lack */
function refuseContinued(place: string, { config }: RunFile, { continued }: TwinTrace): void {
  const parts = [...continued, ...(config.warmupMs === null ? [] : ['a warm-up on candles of the service'])]
  if (parts.length > 0) throw new InputError(place, `the session has ${parts.join(', ')}, which no twin can repeat yet`)
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'papertape-twin-'))
  } catch (error) {
    throw writeFault(tmpdir(), 'no temporary folder can be made', error)
  }
}

interface TwinParts {
  readonly directory: string
  /** Name of the strategy. */
  readonly name: string
  readonly run: RunFile
  readonly session: TwinTrace
  readonly received: Received
  readonly path: string
  readonly folder: string
}

/** Further runs of a twin, to find out whether its strategy decides the same again. */
const REPETITIONS = 4

async function gapOf(
  { directory, name, run, session, received, path, folder }: TwinParts,
  options: TwinOptions,
): Promise<TwinReport> {
  const isPaper = run.paper !== undefined
  const isOwn = isPaper ? () => false : takenBy(session)
  const tapes = writeTwinTapes(folder, { received, markets: session.head?.markets ?? [], isOwn, path })
  const parts = { run, session, received, tapes, path, directory, signal: options.signal }
  const out = options.out ?? join(folder, 'run')
  const first = await runTwin(parts, options, { out, replaces: options.force === true })
  const prices = new TwinPrices(received.trades, isOwn, isPaper)
  const valuation = valuationOf(prices, run.quoteAsset, path)
  const gaps = received.gaps.map(({ arrivedAt }) => arrivedAt)
  const operator = options.withOperator === true ? [] : operatorOf(run)
  const gapBy = (isRepeatable: boolean | undefined): TwinGap =>
    twinGap({ session, twin: first.trace, prices, valuation, operator, gaps, isRepeatable })
  let gap = gapBy(undefined)
  if (gap.isDoubtful) {
    // A strategy that fails in one of the two alone used something that the other did not have.
    let isRepeatable = first.unrepeatable.length === 0 && (first.failure === undefined) === (run.failure === null)
    for (let turn = 0; isRepeatable && turn < REPETITIONS; turn += 1)
      isRepeatable = (await runTwin(parts, options)).digest === first.digest
    gap = gapBy(isRepeatable)
  }
  return twinReport({
    name,
    session: resolve(directory),
    out: options.out === undefined ? undefined : resolve(options.out),
    quoteAsset: run.quoteAsset,
    gap,
    notes: [...failuresOf(run.failure, 'session'), ...failuresOf(first.failure ?? null, 'twin'), ...first.notes],
  })
}

interface Failure {
  /** Unix milliseconds. */
  readonly time: number
  readonly message?: string
}

const failuresOf = (failure: Failure | null, what: string): readonly string[] =>
  failure === null
    ? []
    : [`The strategy of the ${what} failed at ${isoTime(failure.time)}: ${failure.message ?? 'its run.json says why'}`]

/** Trades that orders of the session took, which its twin takes by itself. */
function takenBy({ orders }: TwinTrace): (trade: ReceivedTrade) => boolean {
  const taken = new Set(
    orders.flatMap(({ fills }) =>
      fills.flatMap(({ isMaker, symbol, tradeId }) => (isMaker ? [] : [`${symbol} ${tradeId}`])),
    ),
  )
  return ({ symbol, id }) => taken.has(`${symbol} ${id}`)
}

function operatorOf({ states, paramChanges }: RunFile): readonly OperatorAction[] {
  const ofStates = states.flatMap(({ time, state, why }) =>
    isByOperator(why) || state === 'ACTIVE' ? [{ t: time, words: `${state} ${why}`, isHeld: state !== 'ACTIVE' }] : [],
  )
  const ofParams = paramChanges.map(({ time }) => ({
    t: time,
    words: 'parameters changed by an operator',
    isHeld: undefined,
  }))
  return [...ofStates, ...ofParams].sort((one, other) => one.t - other.t)
}

/** @throws {InputError} in its use, for a market whose last price is unknown */
function valuationOf(prices: TwinPrices, quoteAsset: string, path: string): Parameters<typeof twinGap>[0]['valuation'] {
  const markOf = (symbol: string): Decimal => {
    const mark = prices.markOf(symbol)
    if (mark === undefined) throw new InputError(path, `has no trade of ${symbol}, so its fills cannot be valued`)
    return mark
  }
  return {
    markOf,
    rateOf: (symbol) => {
      const asset = symbol.slice(symbol.indexOf('_') + 1)
      return asset === quoteAsset ? toDecimal(1) : markOf(`${asset}_${quoteAsset}`)
    },
  }
}
