/**
 * A backtest: replays recorded tapes into a simulated exchange on which a strategy trades.
 *
 * Purpose: connects the stage, the session, the journal and the figures, and runs them in virtual time.
 * Invariant: the same prepared backtest gives the same journal, byte for byte.
 * Known limitation: the globals and RxJS schedulers are replaced during a run, so a thread runs one backtest at a time;
 * further ones wait.
 */
import { believeOf } from '../settings/former-terms.ts'
import { throwIfAborted } from '../../domain/errors.ts'
import { EventQueue } from '../../simulation/event-queue.ts'
import { Replay, type ReplayWatcher } from '../../simulation/replay/replay.ts'
import { channelsOf, type TapeChannel } from '../../simulation/replay/tape-channel.ts'
import { mergeTapes } from '../../tape/merge.ts'
import type { PlayedBlock, TapeWindow } from '../../tape/tape.ts'
import { heartbeat, watchedWork } from '../heartbeat.ts'
import type { Session } from '../session/session.ts'
import { Turn } from '../session/turn.ts'
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

async function runWatched(
  prepared: PreparedBacktest,
  outside: SimulatedRunListener,
  signal: AbortSignal | undefined,
  hooks: RunHooks,
): Promise<BacktestResult> {
  const turn = new Turn()
  const queue = new EventQueue(prepared.warmupFrom ?? prepared.from, heartbeat().time)
  const run = new SimulatedRun({ prepared, outside, turn, queue, hooks })
  const { session, stage, onError, onInexactMath, onUnrepeatable } = run
  const { simulated, adapter } = stage
  const channels = tapeChannels(prepared, run)
  await inVirtualWorld({ queue: simulated.queue, turn, onError, onInexactMath, onUnrepeatable }, async () => {
    throwIfAborted(signal)
    const onReplay = replayWatcher(prepared, run, turn, hooks)
    onReplay.enter()
    start(session, hooks)
    onReplay.leave()
    if (onReplay.wantsTurn()) await onReplay.turn()
    const replay = new Replay(simulated, channels, onReplay)
    const played = [...prepared.tapes, ...prepared.books].map((tape) => abortable(tape, signal))
    await replay.play(mergeTapes<PlayedBlock>(played), prepared.to)
    // The strategy's promise callbacks may run only now; their effects must be noticed.
    await macrotask()
    await run.stop()
    // Requests that have arrived are answered; a failed run is not drained further.
    replay.drain(adapter.now() + prepared.settings.responseLatencyMs)
    session.stop()
  })
  heartbeat().enter('ours')
  return run.finish(new Map(channels.map(({ symbol, printFilter }) => [symbol, printFilter])))
}

function start(session: Session, { within }: RunHooks): void {
  if (within === undefined) session.start()
  else within(() => session.start())
}

/** Destinations of each tape's rows. */
function tapeChannels(
  { tapes, books, liquiditySetups, settings }: PreparedBacktest,
  run: SimulatedRun,
): readonly TapeChannel[] {
  const played = tapes.map((tape) => {
    const { symbol } = tape.info
    const setup = liquiditySetups.get(symbol)
    return {
      tape,
      longestSilenceMs: setup?.terms.staleAfterMs ?? Number.POSITIVE_INFINITY,
      believe: believeOf(settings),
      spread: setup?.spread,
      listener: run.listenerOf(symbol),
    }
  })
  return channelsOf(played, books)
}

function replayWatcher(
  prepared: PreparedBacktest,
  { session, onGap, watcher }: SimulatedRun,
  turn: Turn,
  { within }: RunHooks,
): ReplayWatcher {
  const isAsync = prepared.loaded.strategy.async === true
  const pulse = heartbeat()
  return {
    // Checked after every event.
    stopped: () => {
      pulse.beat()
      return session.failure !== undefined
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
    onGap,
    onProgress: (rows, time) => {
      watcher.onProgress?.(rows, time)
    },
  }
}
