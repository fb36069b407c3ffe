/** Messages between the main thread and the strategy thread, on a port that strategies cannot access. */
import type { MessagePort } from 'node:worker_threads'
import type { WrittenPlace } from '../../store/runs/pending-runs.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import type { FlagValues } from '../cli-command.ts'
import type { TerminalSize } from './thread-output.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'

/** A command that ends by itself, as parsed by yargs. */
export type SingleJob =
  | { readonly command: 'backtest'; readonly strategy: string | undefined; readonly values: FlagValues }
  | { readonly command: 'check'; readonly strategy: string; readonly values: FlagValues }
  | { readonly command: 'verify'; readonly directory: string; readonly values: FlagValues }

/** Backtests of one command line: the first one immediately, and one more after each message. */
export interface WatchJob {
  readonly command: 'watch'
  readonly strategy: string | undefined
  readonly values: FlagValues
}

export type ThreadJob = SingleJob | WatchJob

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
