/**
 * A backtest: replays recorded tapes into a simulated exchange on which a strategy trades.
 *
 * Purpose: connects the stage, the session, the journal and the figures, and runs them in virtual time.
 * Invariant: the same prepared backtest gives the same journal, byte for byte.
 * Known limitation: the globals and RxJS schedulers are replaced during a run, so a thread runs one backtest at a time;
 * further ones wait.
 */
import { dirname, resolve } from 'node:path'
import { printFilterModeOf } from '../settings/former-terms.ts'
import { throwIfAborted } from '../../domain/errors.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { Replay, type ReplayListener } from '../../simulation/replay/replay.ts'
import { channelsOf, type RecordedListener, type TapeChannel } from '../../simulation/replay/tape-channel.ts'
import { mergeTapes } from '../../tape/merge.ts'
import type { PrintCounts } from '../../tape/print-filter.ts'
import type { PlayedBlock, TapeWindow } from '../../tape/tape.ts'
import { heartbeat, watchedWork } from '../heartbeat.ts'
import { stackHere } from '../modules/user-place.ts'
import type { Unrepeatable } from '../sandbox/virtual-globals.ts'
import type { Session } from '../session/session.ts'
import { Turn } from '../session/turn.ts'
import type { LoadedStrategy } from '../strategies/strategy-file.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import { type BacktestResult, type RunHooks, SimulatedRun, type SimulatedRunListener } from './simulated-run.ts'
import { inVirtualWorld, macrotask } from './virtual-world.ts'

/**
 * Runs it once no other run of this thread is active.
 * @param signal  aborts it, at the next block of a tape
 * @param hooks   for tests of the strategy
 * @throws {AbortError} if `signal` is aborted
 */
export async function runBacktest(
  prepared: PreparedBacktest,
  outside: SimulatedRunListener,
  signal?: AbortSignal,
  hooks: RunHooks = {},
): Promise<BacktestResult> {
  const { name } = prepared.loaded.strategy
  return await watchedWork('running', `strategy '${name}'`, () => runWatched(prepared, outside, signal, hooks))
}

/** Readable rows of any kind. */
interface Readable {
  blocks(window?: TapeWindow): AsyncIterable<unknown>
}

/** The tape itself if there is no signal. Its blocks throw an AbortError when the signal is aborted. */
const abortable = <Tape extends Readable>(tape: Tape, signal: AbortSignal | undefined): Tape =>
  signal === undefined ? tape : { ...tape, blocks: () => blocksUntil(tape, signal) }

async function* blocksUntil(tape: Readable, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
  for await (const block of tape.blocks()) {
    // A tape in memory would otherwise never yield the thread, so that an abort could not be received.
    await macrotask()
    throwIfAborted(signal)
    yield block
  }
}

/** A run and what the others need of it. */
export interface Member {
  readonly prepared: PreparedBacktest
  readonly run: SimulatedRun
}

async function runWatched(
  prepared: PreparedBacktest,
  outside: SimulatedRunListener,
  signal: AbortSignal | undefined,
  hooks: RunHooks,
): Promise<BacktestResult> {
  const turn = new Turn()
  const queue = new EventQueue(prepared.warmupFrom ?? prepared.from, heartbeat().time)
  const run = new SimulatedRun({ prepared, outside, turn, queue, hooks })
  hooks.onRun?.(run)
  const prints = await playTogether([{ prepared, run }], {
    turn,
    signal,
    hooks,
    isOver: () => run.session.failure !== undefined,
  })
  return run.finish(prints)
}

interface Playing {
  readonly turn: Turn
  readonly signal: AbortSignal | undefined
  readonly hooks: RunHooks
  /** Called after every event. @returns true if nothing more is played */
  readonly isOver: () => boolean
  /** Receives the recorded trades of a market beside the runs. */
  readonly marksOf?: ((symbol: string) => RecordedListener) | undefined
}

/**
 * Plays the tapes of the first member to the strategies of all, which share its stage.
 *
 * @returns counts of prints by market
 */
export async function playTogether(
  members: readonly [Member, ...Member[]],
  { turn, signal, hooks, isOver, marksOf }: Playing,
): Promise<ReadonlyMap<string, PrintCounts>> {
  const [{ prepared, run }] = members
  const { simulated, adapter } = run.stage
  const runs = members.map((member) => member.run)
  const channels = tapeChannels(prepared, (symbol) => [
    ...runs.map((each) => each.listenerOf(symbol)),
    ...(marksOf === undefined ? [] : [marksOf(symbol)]),
  ])
  const onError = (error: unknown): void => {
    for (const each of runsIn(stackOf(error), members)) each.onError(error)
  }
  // Called by the code that the remark is about.
  const onInexactMath = (name: string): void => {
    for (const each of runsIn(stackHere(), members)) each.onInexactMath(name)
  }
  const onUnrepeatable = (use: Unrepeatable): void => {
    for (const each of runsIn(stackHere(), members)) each.onUnrepeatable(use)
  }
  await inVirtualWorld({ queue: simulated.queue, turn, onError, onInexactMath, onUnrepeatable }, async () => {
    throwIfAborted(signal)
    const onReplay = replayListener(members, turn, hooks, isOver)
    onReplay.enter()
    for (const { session } of runs) start(session, hooks)
    onReplay.leave()
    if (onReplay.wantsTurn()) await onReplay.turn()
    const replay = new Replay(simulated, channels, onReplay)
    const played = [...prepared.tapes, ...prepared.books].map((tape) => abortable(tape, signal))
    await replay.play(mergeTapes<PlayedBlock>(played), prepared.to)
    // The strategies' promise callbacks may run only now; their effects must be noticed.
    await macrotask()
    for (const each of runs) await each.stop()
    // Requests that have arrived are answered; a failed run is not drained further.
    replay.drain(adapter.now() + prepared.settings.responseLatencyMs)
    for (const { session } of runs) session.stop()
  })
  heartbeat().enter('ours')
  return new Map(channels.map(({ symbol, printFilter }) => [symbol, printFilter]))
}

export const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? '') : '')

/** Runs whose strategy file is in a stack outside of any session, or a file that it imports; all if none is. */
export function runsIn(stack: string, members: readonly Member[]): readonly SimulatedRun[] {
  if (members.length === 1) return members.map(({ run }) => run)
  const having = (filesOf: (loaded: LoadedStrategy) => readonly string[]): readonly Member[] =>
    members.filter(({ prepared: { loaded } }) => filesOf(loaded).some((file) => stack.includes(`${file}:`)))
  const entered = having(({ path }) => (path === null ? [] : [path]))
  const own = entered.length > 0 ? entered : having(importedFiles)
  return (own.length > 0 ? own : members).map(({ run }) => run)
}

const importedFiles = ({ path, files }: LoadedStrategy): readonly string[] =>
  path === null ? [] : (files?.imports ?? []).map(({ file }) => resolve(dirname(path), file))

function start(session: Session, { within }: RunHooks): void {
  if (within === undefined) session.start()
  else within(() => session.start())
}

/** Destinations of each tape's rows. */
function tapeChannels(
  { tapes, books, liquiditySetups, settings }: PreparedBacktest,
  listenersOf: (symbol: string) => readonly RecordedListener[],
): readonly TapeChannel[] {
  const played = tapes.map((tape) => {
    const { symbol } = tape.info
    const setup = liquiditySetups.get(symbol)
    return {
      tape,
      longestSilenceMs: setup?.terms.staleAfterMs ?? Number.POSITIVE_INFINITY,
      filterMode: printFilterModeOf(settings),
      spread: setup?.spread,
      listener: eachListener(listenersOf(symbol)),
    }
  })
  return channelsOf(played, books)
}

/** One listener in place of several; undefined for none. */
export function eachListener(listeners: readonly RecordedListener[]): RecordedListener | undefined {
  const [only, ...others] = listeners
  if (others.length === 0) return only
  return {
    onRecorded: (...row) => {
      for (const listener of listeners) listener.onRecorded(...row)
    },
  }
}

function replayListener(
  members: readonly [Member, ...Member[]],
  turn: Turn,
  { within }: RunHooks,
  isOver: () => boolean,
): ReplayListener {
  const [{ run: first }] = members
  const isAsync = members.some(({ prepared: { loaded } }) => loaded.strategy.async === true)
  const gapListeners = members.map(({ run }) => run.onGap)
  const pulse = heartbeat()
  return {
    // Checked after every event.
    stopped: () => {
      pulse.beat()
      return isOver()
    },
    enter: () => {
      turn.begin()
    },
    leave: () => {
      turn.end()
    },
    within,
    wantsTurn: () => isAsync,
    turn: async () => {
      turn.begin()
      await macrotask()
      turn.end()
    },
    onGap: (gap) => {
      for (const onGap of gapListeners) onGap(gap)
    },
    onProgress: (rows, time) => {
      first.watcher.onProgress?.(rows, time)
    },
  }
}
