/** Options, events and results of `paper`. */
import type { RunReport } from '../report/run/run-report.ts'
import type { Capital } from '../runtime/backtest/capital.ts'
import type { EquityPoint } from '../runtime/figures/run-rows.ts'
import type { ChartedSession } from '../runtime/live/session-chart.ts'
import type { LiveStatus, PaperStatus } from '../runtime/live/live-status.ts'
import type { StateChange } from '../runtime/session-state.ts'
import type { FormerTerms } from '../runtime/settings/former-terms.ts'
import type { RebalanceOptions } from '../runtime/settings/rebalance-terms.ts'
import type { GivenTerms } from '../runtime/settings/run-terms.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import type { RiskOptions } from './backtest-options.ts'
import type { GivenLiveStrategy } from './live-strategies.ts'
import type { NightlyTwin } from './nightly/nightly.ts'
import type { PublicServiceOptions } from './public-service.ts'

/** A strategy of a paper session. */
export interface PaperStrategy extends GivenLiveStrategy {
  /** Part of the credit; default: an equal part of what the others leave. */
  readonly capital?: Capital | undefined
}

/** Options of `paper`. */
export interface PaperOptions extends PublicServiceOptions {
  /** Strategy, name of a ready strategy, or path of a file, with its parameters. */
  readonly strategy?: GivenLiveStrategy | undefined
  /** Several strategies on one wallet, in place of `strategy`. */
  readonly strategies?: readonly PaperStrategy[] | undefined
  /** Risk limits of all of them together, besides those of each; default: none. */
  readonly walletRisk?: RiskOptions | undefined
  /** When and how capital moves between them; default: never. */
  readonly rebalance?: RebalanceOptions | undefined
  /** Parameters as strings, for every strategy that has them. They override the others. */
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Files with the strategies' own data by the name that they ask for; new rows are read while the session runs. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Market of a strategy that has a `symbol` parameter. */
  readonly symbol?: string | undefined
  /** Starting balances, decimal strings by asset; default: 10000 of the quote asset. */
  readonly credits?: Readonly<Record<string, string>> | undefined
  /** Terms of the run, as in a backtest. */
  readonly terms?: (Omit<GivenTerms, 'from' | 'to'> & FormerTerms) | undefined
  /**
   * Directory with the state of paper sessions: this one continues the last, with its balances, orders, conditional
   * orders and limits, and takes the commands of operators. Default: nothing is continued.
   */
  readonly state?: string | undefined
  /**
   * Directory to write the run to; default: a new one in `dataDirectory`. Several strategies have a directory each in
   * it, and their wallet `portfolio`.
   */
  readonly out?: string | undefined
  /** Directory for runs; default: the data directory of the user. */
  readonly dataDirectory?: string | undefined
  /** Records the trades as well: a directory, or a database if the name ends in `.db`. */
  readonly record?: string | undefined
  /** False to keep no `received.csv` in `out`: the trades as they arrive, which `twin` needs. Default: true. */
  readonly received?: boolean | undefined
  /** Repeats the session as its own backtest after each midnight (UTC), for `onTwin`; needs `out`. Default: false. */
  readonly nightly?: boolean | undefined
  /** Milliseconds after which the session ends; default: until `signal` aborts. */
  readonly forMs?: number | undefined
  /** Ends the session. */
  readonly signal?: AbortSignal | undefined
  /** Receives the events of the session. */
  readonly listener?: Partial<PaperListener> | undefined
  /** Former name of `listener`. */
  readonly onlooker?: Partial<PaperListener> | undefined
}

/**
 * Receives each event as it happens, outside the strategy's turn. Keep it quick: the session waits for it. An error
 * that it throws is reported by `onWarning`, and the session continues. `strategy` is the name of the strategy.
 */
export interface PaperListener {
  /** The strategy has started. @param chart  draws it as it is when called */
  onStart(directory: string, strategy: string, chart: () => ChartedSession): void
  /** The strategy logged a message, at a time in Unix milliseconds. */
  onLog(time: number, message: string, strategy: string): void
  /** An order of the strategy was filled. */
  onFill(fill: OwnFill, strategy: string): void
  /** A loss limit or an operator changed the state of the session. */
  onState(change: StateChange, strategy: string): void
  /** The strategy threw; others on the wallet go on. */
  onFailure(message: string, strategy: string): void
  /** The session was repeated as its own backtest after a midnight, if `nightly` is on, or that failed. */
  onTwin(twin: NightlyTwin): void
  /** Called once a second for each strategy. */
  onStatus(status: PaperStatus, strategy: string): void
  /** Returns the newest events, oldest first, to save with the status of a session that has a state. */
  events(): LiveStatus['events']
}

/** Former name of `PaperListener`. */
export type PaperOnlooker = PaperListener

/** A finished paper session of one strategy, or the wallet of several. */
export interface PaperRun {
  /** Directory of its files. */
  readonly directory: string
  /** The content of `run.json`. */
  readonly report: RunReport
  /** At most 2000 points, oldest first. */
  readonly equity: readonly EquityPoint[]
  /** The strategies on the wallet, in the order of the options; undefined for one that ran alone. */
  readonly strategies?: readonly (Omit<PaperRun, 'strategies'> & { readonly name: string })[]
}
