/**
 * Messages between the thread of the command line and the thread that runs strategies, on a port that strategies do not
 * have.
 */
import type { MessagePort } from 'node:worker_threads'
import type { WrittenPlace } from '../../store/runs/pending-runs.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import type { FlagValues } from '../flag-values.ts'
import type { TerminalSize } from './thread-output.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'

/** A command that ends by itself, as yargs has read it. */
export type SingleJob =
  | { readonly command: 'backtest'; readonly strategy: string | undefined; readonly values: FlagValues }
  | { readonly command: 'check'; readonly strategy: string; readonly values: FlagValues }
  | { readonly command: 'verify'; readonly directory: string; readonly values: FlagValues }

/** Backtests of one command line: the first at once, and one more at each further message. */
export interface WatchJob {
  readonly command: 'watch'
  readonly strategy: string | undefined
  readonly values: FlagValues
}

export type ThreadJob = SingleJob | WatchJob

/** One of them. */
export interface WatchedRound {
  readonly shown: Shown
  /** Undefined for a run that could not begin. */
  readonly report: RunReport | undefined
  /** Absolute paths of what the user may save, among them what was read. */
  readonly files: readonly string[]
}

/** What came of a command. */
export interface Shown {
  readonly code: number
  /** Texts to print, whole lines. */
  readonly stdout: string
  readonly stderr: string
  /** Directory of the run that was written, which is to have a page. */
  readonly pageOf?: string | undefined
}

export type ThreadMessage =
  /** Whose code is about to be loaded or run. */
  | { readonly type: 'working'; readonly who: string }
  /** How long a turn may take. */
  | { readonly type: 'limit'; readonly limit: TurnLimit }
  /** A run is about to be written there. */
  | { readonly type: 'place'; readonly place: WrittenPlace }
  /** Nothing can happen any more, and the command has not ended. */
  | { readonly type: 'idle' }
  | { readonly type: 'done'; readonly shown: Shown }
  /** One of the runs that are watched has ended. */
  | { readonly type: 'round'; readonly round: WatchedRound }
  /** Absolute paths of what is about to be read, in such a run. */
  | { readonly type: 'sources'; readonly files: readonly string[] }

/** Given to the thread at its start. */
export interface ThreadData {
  /** Taken away before any code of others is loaded. */
  port?: MessagePort
  /** Of the heartbeat. */
  readonly memory: SharedArrayBuffer
  readonly stdout: TerminalSize
  readonly stderr: TerminalSize
}
