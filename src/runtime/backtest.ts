/**
 * A backtest: a strategy on a simulated exchange, while recorded tapes are played into it.
 *
 * Invariant: the same prepared backtest gives the same journal, byte for byte.
 */
import type { StrategyError } from '../domain/errors.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { Replay, type ReplayWatcher } from '../simulation/replay.ts'
import type { SimulatedMarket } from '../simulation/simulated-market.ts'
import { mergeTapes } from '../tape/merge.ts'
import { TickRule } from '../tape/tick-rule.ts'
import { ACCOUNT, setStage, type BacktestStage } from './backtest-stage.ts'
import { writeRunEnd, writeRunStart } from './journal-frame.ts'
import { Journal } from './journal.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import { RecordedEquity } from './recorded-equity.ts'
import { RunRecord, type RunSink } from './run-record.ts'
import { seededRandom } from './seeded-random.ts'
import { Session, type SessionOptions } from './session.ts'
import { TradedFigures } from './traded-figures.ts'
import { Turn } from './turn.ts'
import { inVirtualWorld, macrotask } from './virtual-world.ts'

/** Who looks on from outside. Called in the middle of the run: must be quick, and must not throw. */
export interface BacktestWatcher extends RunSink {
  /** A line of the journal, without its line end. */
  onLine(line: string): void
  /** @param rows  recorded trades played so far */
  onProgress(rows: number, time: number): void
  onLog(time: number, message: string): void
}

export interface BacktestResult {
  readonly prepared: PreparedBacktest
  readonly digest: string
  /** In its state at the end. */
  readonly exchange: Exchange
  readonly equity: RecordedEquity
  readonly traded: TradedFigures
  readonly record: RunRecord
  /** Why the run ended before its tape did; undefined when it did not. */
  readonly failure: StrategyError | undefined
  /** Orders and cancels that had not arrived when the tape ended. */
  readonly unsent: number
  /** Math functions of the strategy whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
}

export async function runBacktest(prepared: PreparedBacktest, watcher: BacktestWatcher): Promise<BacktestResult> {
  const stage = setStage(prepared)
  const { simulated, adapter } = stage
  const { exchange, queue } = simulated
  const journal = new Journal((line) => {
    watcher.onLine(line)
  })
  const record = new RunRecord(watcher)
  const { equity, traded } = figuresOf(prepared, simulated)
  const turn = new Turn()
  const session = new Session({ ...sessionParts(prepared, stage, watcher), journal, turn, observer: record })
  const inexactMath: string[] = []
  const onInexactMath = (name: string): void => void inexactMath.push(name)
  const onError = (error: unknown): void => {
    session.fail(error)
  }
  writeRunStart(journal, prepared)
  await inVirtualWorld({ queue, turn, onError, onInexactMath }, async () => {
    const onReplay = replayWatcher({ prepared, session, turn, equity }, watcher)
    onReplay.enter()
    session.start()
    onReplay.leave()
    if (onReplay.wantsTurn()) await onReplay.turn()
    const replay = new Replay(simulated, ...tapeMarkets(prepared), onReplay)
    await replay.play(mergeTapes(prepared.tapes), prepared.to)
    // What a strategy does in a promise may come only now; it must not pass unnoticed.
    await macrotask()
    session.stopStrategy()
    adapter.close()
    // What has arrived is answered; a run that failed goes no further than that.
    replay.drain(adapter.now() + prepared.settings.responseLatencyMs)
    session.stop()
  })
  equity.finish()
  record.finish()
  writeRunEnd(journal, adapter.now(), adapter.balances())
  const unsent = adapter.inFlight + session.waiting
  const digest = journal.digest()
  return { prepared, digest, exchange, equity, traded, record, failure: session.failure, unsent, inexactMath }
}

/** What the run comes to, listening to the exchange and not to what the strategy is told. */
function figuresOf(
  { quoteAsset, from, to }: PreparedBacktest,
  simulated: SimulatedMarket,
): Pick<BacktestResult, 'equity' | 'traded'> {
  const { exchange } = simulated
  const equity = new RecordedEquity({ exchange, account: ACCOUNT, quoteAsset, from, to })
  const traded = new TradedFigures(exchange, ACCOUNT)
  simulated.onEvents((events) => {
    equity.onEvents(events)
    traded.onEvents(events)
  })
  return { equity, traded }
}

function sessionParts(
  { loaded, params, settings, quoteAsset }: PreparedBacktest,
  { adapter, limits }: BacktestStage,
  watcher: BacktestWatcher,
): Omit<SessionOptions, 'journal' | 'turn' | 'observer'> {
  const random = seededRandom(settings.seed)
  const log = (time: number, message: string): void => {
    watcher.onLog(time, message)
  }
  return { strategy: loaded.strategy, params, adapter, limits, onLimit: settings.onLimit, quoteAsset, random, log }
}

/** The market of each tape, and its tick rule, which tapes of one market share. */
function tapeMarkets({ tapes }: PreparedBacktest): [readonly string[], readonly TickRule[]] {
  const symbols = tapes.map(({ info }) => info.symbol)
  const rules = new Map(symbols.map((symbol) => [symbol, new TickRule()]))
  return [symbols, symbols.map((symbol) => rules.get(symbol) ?? new TickRule())]
}

function replayWatcher(
  {
    prepared,
    session,
    turn,
    equity,
  }: { prepared: PreparedBacktest; session: Session; turn: Turn; equity: RecordedEquity },
  watcher: BacktestWatcher,
): ReplayWatcher {
  const isAsync = prepared.loaded.strategy.async === true
  return {
    stopped: () => session.failure !== undefined,
    enter: () => {
      turn.begin()
    },
    leave: () => {
      turn.end()
    },
    wantsTurn: () => isAsync,
    turn: async () => {
      turn.begin()
      await macrotask()
      turn.end()
    },
    onRecorded: (symbol, time, price) => {
      equity.onRecorded(symbol, time, price)
    },
    onProgress: (rows, time) => {
      watcher.onProgress(rows, time)
    },
  }
}
