/** The exports of `papertape/run`, for programs: whole runs, without the command line. */
export { backtest, type BacktestRun } from './run/backtest.ts'
export {
  backtestPortfolio,
  type PortfolioBacktest,
  type PortfolioOptions,
  type PortfolioStrategy,
} from './run/portfolio.ts'
export { backtestEvents, type BacktestEvent } from './run/backtest-events.ts'
export type {
  BacktestOptions,
  BacktestProgress,
  FeeOptions,
  LatencyOptions,
  LiquidityOptions,
  RiskOptions,
  TapeOptions,
  TapesOfMarket,
} from './run/backtest-options.ts'
export type { KeepOptions, KeptAs, SavedRun, SaveOptions } from './run/save-options.ts'
export type { EquityPoint, FillRow, OrderRow, TripRow } from './runtime/figures/run-rows.ts'
export type { NoteRow, PlotRow } from './runtime/session/plot-commands.ts'
export { live, paper } from './run/real-time.ts'
export {
  liveEvents,
  paperEvents,
  type LiveEvent,
  type OwnedStatus,
  type PaperEvent,
  type SessionEventOf,
} from './run/live-events.ts'
export type {
  EndedSession,
  EndedShadow,
  LiveListener,
  LiveOnlooker,
  LiveOptions,
  LiveResult,
  StartedSession,
} from './run/live-options.ts'
export type { PaperListener, PaperOnlooker, PaperOptions, PaperRun, PaperStrategy } from './run/paper-options.ts'
export type { PaperStatus } from './runtime/live/live-status.ts'
export type { MachineClocks } from './adapter/live/machine-clocks.ts'
export { fork, type ForkChange, type ForkedRun, type ForkOptions } from './run/fork.ts'
export { twin, type TwinOptions, type Twins } from './run/twin.ts'
export type { TwinTerms } from './run/twin-run.ts'
export type { NightlyTwin } from './run/nightly/nightly.ts'
export type { TwinPart } from './report/twin/twin-part.ts'
export type { TwinAmounts, TwinOrderReport, TwinReport, TwinRequest, TwinTotal } from './report/twin/twin-report.ts'
export { verify, type Verification } from './run/verify.ts'
export {
  diff,
  exportTape,
  importTapes,
  record,
  report,
  why,
  type ExportTapeOptions,
  type ImportedTape,
  type ImportTapesOptions,
  type RecordToOptions,
  type ReportOptions,
  type RunComparison,
  type TapeExport,
  type WhyAnswer,
} from './run/tools.ts'
export type { RecordStatus } from './run/record.ts'
export { sweep, type SweepResult } from './run/sweep/sweep.ts'
export type { ScorePoint, SweepOptions, SweepProgress, SweptValue, SweptValues } from './run/sweep/sweep-options.ts'
export { sweepWorker, type SweepWorkerEvent, type SweepWorkerOptions } from './run/sweep/machines/sweep-worker.ts'
export type { MachinesEvent } from './run/sweep/machines/machine-watch.ts'
export type { RankedPoint, SweepReport } from './run/sweep/sweep-report.ts'
export type { BestNeighbours, SweepVerdict } from './sweep/verdict-report.ts'
export type { ParamDrift, WalkForwardReport, WalkForwardWindow } from './sweep/walk-forward.ts'
export type { CrossValidationReport, ValidatedPath } from './sweep/cross-validation.ts'
export type { NullReport } from './sweep/null-tapes.ts'
export type { MonteCarloReport } from './sweep/best-monte-carlo.ts'
export type { PointOutcome } from './sweep/point-outcome.ts'
export type { RunReport } from './report/run/run-report.ts'
export type { ComparedFigures, ShadowComparison } from './report/run/shadow-comparison.ts'
export type { Statistics } from './analysis/statistics.ts'
export type { SessionState, StateChange } from './runtime/session-state.ts'
export { AbortError, InputError } from './domain/errors.ts'
