/** Messages between the main thread and the strategy thread, on a port that strategies cannot access. */
import type { MessagePort } from 'node:worker_threads'
import type { WrittenPlace } from '../../store/runs/pending-runs.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import type { FlagValues } from '../cli-command.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'
import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setInterval } from 'node:timers'
import { heartbeat, unwatched } from '../../runtime/heartbeat.ts'

/** A command that ends by itself, as parsed by yargs. */
export type SingleJob =
  | {
      readonly command: 'backtest'
      readonly strategy: string | undefined
      readonly values: FlagValues
      /** Directory that receives the run, whatever flags and config say of its output. */
      readonly into?: string
    }
  | { readonly command: 'check'; readonly strategy: string | undefined; readonly values: FlagValues }
  | { readonly command: 'verify'; readonly directory: string; readonly values: FlagValues }
  | { readonly command: 'fork'; readonly directory: string; readonly values: FlagValues }
  | { readonly command: 'twin'; readonly directory: string; readonly values: FlagValues }

/** Backtests of one command line: the first one immediately, and one more after each message. */
export interface WatchJob {
  readonly command: 'watch'
  readonly strategy: string | undefined
  readonly values: FlagValues
}

/** The command line of the process, which the thread parses itself: the main thread loads only its watchdog. */
export interface LineJob {
  readonly command: 'line'
  readonly name: SingleJob['command']
}

export type ThreadJob = SingleJob | WatchJob | LineJob

/** Result of one run of a watch job. */
export interface WatchedRound {
  readonly shown: Shown
  /** Undefined for a run that could not start. */
  readonly report: RunReport | undefined
  /** Absolute paths of the user's files, including those that were read. */
  readonly files: readonly string[]
}

/** Result of a command. */
export interface Shown {
  readonly code: number
  /** Complete lines to print. */
  readonly stdout: string
  readonly stderr: string
  /** Directories of runs that need a page. */
  readonly pageOf?: string | readonly string[] | undefined
}

export type ThreadMessage =
  /** Name of the code that is about to be loaded or run. */
  | { readonly type: 'working'; readonly who: string }
  /** Time limit for a turn. */
  | { readonly type: 'limit'; readonly limit: TurnLimit }
  /** A run is about to be written there. */
  | { readonly type: 'place'; readonly place: WrittenPlace }
  /** The event loop is empty, but the command has not ended. */
  | { readonly type: 'idle' }
  | { readonly type: 'done'; readonly shown: Shown }
  /** A run of a watch job has ended. */
  | { readonly type: 'round'; readonly round: WatchedRound }
  /** Absolute paths of files that a watched run is about to read. */
  | { readonly type: 'sources'; readonly files: readonly string[] }

/** Start data of the thread. */
export interface ThreadData {
  /** Removed before any user code is loaded. */
  port?: MessagePort
  /** Shared memory of the heartbeat. */
  readonly memory: SharedArrayBuffer
  readonly stdout: TerminalSize
  readonly stderr: TerminalSize
}

/**
 * stdout and stderr of the strategy thread: synchronous and in order; a writer blocks if the reader is slow.
 *
 * The streams that Node gives to a thread buffer everything until both threads are idle.
 */
const BEAT_MS = 500

/**
 * Starts the heartbeat, which runs until the thread ends. It beats while a tape is waited for, which lets the event
 * loop turn, and stops for a strategy that never ends its turn. Not for loading, which must end by itself.
 */
export function startHeartbeat(): void {
  setInterval(() => {
    const pulse = heartbeat()
    if (pulse.stage !== 'loading') pulse.beat()
  }, BEAT_MS).unref()
}

/** Properties of the process's stream. */
export interface TerminalSize {
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly rows: number | undefined
}

export const terminalSize = ({ isTTY, columns, rows }: Partial<NodeJS.WriteStream>): TerminalSize => ({
  isTTY: isTTY === true,
  columns,
  rows,
})

const WAIT_MS = 2

let isMuted = false

/** Runs an action without output. */
export async function muted<T>(action: () => Promise<T>): Promise<T> {
  isMuted = true
  try {
    return await action()
  } finally {
    isMuted = false
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4))

type Output = 'stdout' | 'stderr'

/** Makes a stream of this thread write directly, with the properties of the terminal. */
export function directOutput(name: Output, { isTTY, columns, rows }: TerminalSize): void {
  const descriptor = name === 'stdout' ? 1 : 2
  writeBy(name, (bytes) => {
    if (!isMuted) unwatched(() => writeAll(descriptor, bytes))
  })
  // Without a terminal these properties are absent.
  Object.assign(process[name], { fd: descriptor }, isTTY && { isTTY, columns, rows })
}

/** Makes a stream of this thread discard its output. */
export function silenceOutput(name: Output): void {
  writeBy(name, () => undefined)
}

/** Patches Node's stream instead of replacing it, because a replaced stream ends the thread. */
function writeBy(name: Output, write: (bytes: Buffer) => void): void {
  const stream: Pick<Writable, '_write' | '_writev'> = process[name]
  const bytesOf = (chunk: Buffer | string, encoding: BufferEncoding): Buffer =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
  stream._write = (chunk: Buffer | string, encoding, done) => {
    write(bytesOf(chunk, encoding))
    done()
  }
  stream._writev = (chunks, done) => {
    for (const { chunk, encoding } of chunks) write(bytesOf(chunk as Buffer | string, encoding))
    done()
  }
}

/** Errors are ignored: printing the result will report the same. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(descriptor, bytes, from)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(neverNotified, 0, 0, WAIT_MS)
    }
  }
}
