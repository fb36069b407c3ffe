/**
 * Messages between a pool and the threads in which it runs points, on a port that strategies do not have. All of it is
 * plain data.
 */
import type { MessagePort } from 'node:worker_threads'
import type { PlainInputError } from '../../domain/errors.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import type { SweepPoint } from '../../runtime/sweep/sweep-point.ts'
import type { InspectedMarkets } from '../../runtime/backtest/inspected-markets.ts'
import type { SharedTape } from '../../store/tapes/shared-tape.ts'
import type { SweepCode } from './point-runner.ts'

/** What all points of a sweep are run with. */
export interface SweepSetup extends InspectedMarkets {
  readonly settings: BacktestSettings
  /** The rows of the tapes, one for each; undefined for one that is decoded for every run. */
  readonly shared: readonly (SharedTape | undefined)[]
}

export type ThreadRequest =
  { readonly type: 'open'; readonly setup: SweepSetup } | { readonly type: 'run'; readonly point: SweepPoint }

export type ThreadAnswer =
  | { readonly type: 'opened'; readonly code: SweepCode }
  | { readonly type: 'refused'; readonly error: PlainInputError }
  | { readonly type: 'done'; readonly outcome: PointOutcome }
  /** A bug of ours, with its stack. */
  | { readonly type: 'broken'; readonly text: string }

/** Given to a thread at its start. */
export interface PointThreadData {
  /** Taken away before any code of others is loaded. */
  port?: MessagePort
  /** Of its heartbeat. */
  readonly memory: SharedArrayBuffer
}
