/** Messages between a pool and its threads, on a port that strategies cannot access. Plain data. */
import type { MessagePort } from 'node:worker_threads'
import type { PlainInputError } from '../../domain/errors.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../sweep/sweep-point.ts'
import type { InspectedMarkets } from '../../runtime/backtest/inspected-markets.ts'
import type { SharedTape } from '../../store/tapes/shared-tape.ts'
import type { SweepCode } from './point-runner.ts'

/** Setup shared by all points of a sweep. */
export interface SweepSetup extends InspectedMarkets {
  readonly settings: BacktestSettings
  /** Shared rows per tape; undefined for a tape that is decoded for every run. */
  readonly shared: readonly (SharedTape | undefined)[]
}

export type ThreadRequest =
  { readonly type: 'open'; readonly setup: SweepSetup } | { readonly type: 'run'; readonly point: SweepPoint }

export type ThreadAnswer =
  | { readonly type: 'opened'; readonly code: SweepCode }
  | { readonly type: 'refused'; readonly error: PlainInputError }
  | { readonly type: 'done'; readonly outcome: PointOutcome }
  /** An internal error, with its stack. */
  | { readonly type: 'broken'; readonly text: string }

/** Start data of a thread. */
export interface PointThreadData {
  /** Removed before any user code is loaded. */
  port?: MessagePort
  /** Shared memory of its heartbeat. */
  readonly memory: SharedArrayBuffer
}
