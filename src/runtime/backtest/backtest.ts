/**
 * A backtest: a strategy on a simulated exchange, while recorded tapes are played into it.
 *
 * Invariant: the same prepared backtest gives the same journal, byte for byte.
 */
import { throwIfAborted, type StrategyError } from '../../domain/errors.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { CandleListener } from '../../simulation/candles/candle-market.ts'
import { Replay, type ReplayWatcher } from '../../simulation/replay/replay.ts'
import {
  channelsOf,
  type GapListener,
  type RecordedListener,
  type TapeChannel,
} from '../../simulation/replay/tape-channel.ts'
import { mergeTapes } from '../../tape/merge.ts'
import type { PrintCounts } from '../../tape/print-judge.ts'
import type { MarkListener } from '../figures/account-figures.ts'
import type { AccountSetup } from '../figures/account-setup.ts'
import type { MarketLives } from './market-lives.ts'
import { ACCOUNT, setStage, type BacktestStage } from './backtest-stage.ts'
import { writeRunEnd, writeRunStart, type JournalHead } from '../journal/journal-frame.ts'
import { Journal } from '../journal/journal.ts'
import { candleRemarks, type CandleRemarks } from './candle-tapes.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import { AccountFigures } from '../figures/account-figures.ts'
import { accountFills } from './account-fills.ts'
import { OrderLives } from './order-lives.ts'
import { RunRecord, type RunSink } from '../figures/run-record.ts'
import { seededRandom } from '../strategies/seeded-random.ts'
import { riskLimitsIfAny } from '../session/risk/risk-limits.ts'
import { Session, type SessionOptions } from '../session/session.ts'
import { Turn } from '../session/turn.ts'
import { abortable } from './abortable-tape.ts'
import { inVirtualWorld, macrotask } from './virtual-world.ts'

/** Onlooker from outside of a run. Called in the middle of it: must be quick, and must not throw. */
export interface BacktestWatcher extends RunSink {
  /** A line of the journal, without its line end; without it the run has no journal, and its digest is that of nothing. */
  readonly onLine?: (line: string) => void
  /** @param rows  recorded trades played so far */
  onProgress(rows: number, time: number): void
  onLog(time: number, message: string): void
}

export interface BacktestResult {
  readonly prepared: PreparedBacktest
  readonly digest: string
  /** In its state at the end. */
  readonly exchange: Exchange
  readonly figures: AccountFigures
  readonly record: RunRecord
  /** The error that ended the run before its tape did; undefined when none did. */
  readonly failure: StrategyError | undefined
  /** Orders and cancels that had not arrived when the tape ended. */
  readonly unsent: number
  /** Of the markets that were recorded as candles, by symbol. */
  readonly candles: ReadonlyMap<string, CandleRemarks>
  /** Candles that the strategy watched and that were not over at the end: they were not published. */
  readonly unfinishedCandles: number
  /** Math functions of the strategy whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
  /** The recorded prints of each market, counted. */
  readonly prints: ReadonlyMap<string, PrintCounts>
}

/**
 * Runs it when no other run of this thread is under way.
 *
 * @param signal  ends it early, at the next block of a tape
 * @throws {AbortError} when `signal` says so
 */
export async function runBacktest(
  prepared: PreparedBacktest,
  outside: BacktestWatcher,
  signal?: AbortSignal,
): Promise<BacktestResult> {
  const turn = new Turn()
  const watcher = outsideOf(turn, outside)
  const stage = setStage(prepared)
  const { simulated, adapter } = stage
  const { exchange, queue } = simulated
  const journal = new Journal(watcher.onLine)
  const record = new RunRecord(watcher)
  const { figures, lives, onGap } = watchAccount(prepared, stage, journal)
  const session = new Session({ ...sessionParts(prepared, stage, watcher), journal, turn, observer: record })
  const inexactMath: string[] = []
  const onInexactMath = (name: string): void => void inexactMath.push(name)
  const onError = (error: unknown): void => {
    session.fail(error)
  }
  writeRunStart(journal, journalHead(prepared))
  const channels = tapeChannels(prepared, figures, lives)
  await inVirtualWorld({ queue, turn, onError, onInexactMath }, async () => {
    throwIfAborted(signal)
    const onReplay = replayWatcher({ prepared, session, turn, onGap }, watcher)
    onReplay.enter()
    session.start()
    onReplay.leave()
    if (onReplay.wantsTurn()) await onReplay.turn()
    const replay = new Replay(simulated, channels, onReplay)
    await replay.play(mergeTapes(prepared.tapes.map((tape) => abortable(tape, signal))), prepared.to)
    // What a strategy does in a promise may come only now; it must not pass unnoticed.
    await macrotask()
    session.stopStrategy()
    await adapter.close()
    // What has arrived is answered; a run that failed goes no further than that.
    replay.drain(adapter.now() + prepared.settings.responseLatencyMs)
    session.stop()
  })
  figures.finish()
  lives.finish()
  record.finish()
  writeRunEnd(journal, Math.max(adapter.now(), session.failure === undefined ? prepared.to : 0), adapter.balances())
  const unsent = adapter.inFlight + session.waiting
  const digest = journal.digest()
  const candles = candleRemarks(prepared.candleTapes, simulated)
  const unfinishedCandles = simulated.runningCandles
  const { failure } = session
  const prints = new Map(channels.map(({ symbol, judge }) => [symbol, judge]))
  const counted = { unsent, candles, unfinishedCandles, inexactMath, prints }
  return { prepared, digest, exchange, figures, record, failure, ...counted }
}

interface WatchedAccount {
  readonly figures: AccountFigures
  readonly lives: OrderLives
  readonly onGap: GapListener
}

/** Figures and lives of the strategy's account, told of every command. */
function watchAccount(
  prepared: PreparedBacktest,
  { simulated, adapter }: BacktestStage,
  journal: Journal,
): WatchedAccount {
  const { exchange, queue } = simulated
  const figures = new AccountFigures(accountSetup(prepared, exchange))
  const lives = new OrderLives(exchange, ACCOUNT, journal, () => queue.now())
  simulated.onEvents((events) => {
    const fills = accountFills(ACCOUNT, events)
    if (fills.length > 0) figures.onFills(fills, exchange.balances(ACCOUNT))
    lives.onEvents(events)
  })
  for (const symbol of prepared.candleTapes.keys()) {
    simulated.market(symbol).candles?.listeners.push(candleListener(figures.market(symbol), lives.market(symbol)))
  }
  const onGap: GapListener = (gap) => {
    const { symbol } = gap
    const open = exchange.openOrders(ACCOUNT).filter((order) => order.symbol === symbol)
    figures.onGap(symbol, open.length)
    lives.onGap(symbol)
    adapter.tellGap(gap)
  }
  return { figures, lives, onGap }
}

const journalHead = ({ loaded, liquidity, settings, creditTexts, ...others }: PreparedBacktest): JournalHead => ({
  ...others,
  strategy: loaded.strategy.name,
  candleMs: new Map([...others.candleTapes].map(([symbol, { intervalMs }]) => [symbol, intervalMs])),
  liquidity: liquidity.sha256 ?? liquidity.reference,
  terms: settings,
  credits: creditTexts,
})

const accountSetup = ({ quoteAsset, from, to }: PreparedBacktest, exchange: Exchange): AccountSetup => {
  const { markets, scales } = exchange
  return { markets, scales, balances: exchange.balances(ACCOUNT), quoteAsset, from, to }
}

/** The watcher, called as what it is: not in the strategy's turn. */
const outsideOf = (turn: Turn, watcher: BacktestWatcher): BacktestWatcher => ({
  ...(watcher.onLine !== undefined && {
    onLine: (line) => {
      turn.outside(() => {
        watcher.onLine?.(line)
      })
    },
  }),
  onOrder: (order, fee) => {
    turn.outside(() => {
      watcher.onOrder(order, fee)
    })
  },
  onFill: (fill) => {
    turn.outside(() => {
      watcher.onFill(fill)
    })
  },
  onProgress: (rows, time) => {
    turn.outside(() => {
      watcher.onProgress(rows, time)
    })
  },
  onLog: (time, message) => {
    turn.outside(() => {
      watcher.onLog(time, message)
    })
  },
})

function sessionParts(
  { loaded, params, settings, quoteAsset }: PreparedBacktest,
  { adapter, limits }: BacktestStage,
  watcher: BacktestWatcher,
): Omit<SessionOptions, 'journal' | 'turn' | 'observer'> {
  const random = seededRandom(settings.seed)
  const log = (time: number, message: string): void => {
    watcher.onLog(time, message)
  }
  const risk = riskLimitsIfAny(settings)
  return {
    strategy: loaded.strategy,
    params,
    adapter,
    limits,
    onLimit: settings.onLimit,
    risk,
    quoteAsset,
    random,
    log,
  }
}

/** Where the rows of each tape go. */
function tapeChannels(
  { tapes, liquiditySetups, settings }: PreparedBacktest,
  figures: AccountFigures,
  lives: OrderLives,
): readonly TapeChannel[] {
  const played = tapes.map((tape) => {
    const { symbol } = tape.info
    const setup = liquiditySetups.get(symbol)
    return {
      tape,
      longestSilenceMs: setup?.terms.staleAfterMs ?? Number.POSITIVE_INFINITY,
      believe: settings.believe,
      spread: setup?.spread,
      listener: recordedListener(figures.market(symbol), lives.market(symbol)),
    }
  })
  return channelsOf(played)
}

/** Hears of the recorded trades of one market for the figures, and for the lives of orders in it. */
const recordedListener = (figures: MarkListener, lives: MarketLives): RecordedListener => ({
  onRecorded: (time, price, qty) => {
    figures.onRecorded(time, price, qty)
    lives.onRecorded(price, qty)
  },
})

/** Hears of the candles of one market for the same; their marks are the opens and the closes. */
const candleListener = (figures: MarkListener, lives: MarketLives): CandleListener => ({
  onOpen: ({ time, open }) => {
    figures.onRecorded(time, open, 0)
  },
  onCandle: (candle, endsAt) => {
    figures.onCandle(endsAt, candle.close, candle.volume)
    lives.onCandle(candle)
  },
})

interface Watched {
  readonly prepared: PreparedBacktest
  readonly session: Session
  readonly turn: Turn
  readonly onGap: GapListener
}

function replayWatcher({ prepared, session, turn, onGap }: Watched, watcher: BacktestWatcher): ReplayWatcher {
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
    onGap,
    onProgress: (rows, time) => {
      watcher.onProgress(rows, time)
    },
  }
}
