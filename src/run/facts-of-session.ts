/**
 * A finished session on a live exchange as the facts of a report.
 */
import type { AuditLine } from '../domain/audit.ts'
import type { RunFacts, RunRemarks } from '../report/run/run-facts.ts'
import type { LiveReport, RunConfig } from '../report/run/run-report.ts'
import { LIVE_LIQUIDITY, type LiveSession } from '../runtime/live/live-session.ts'
import type { SessionEnd } from '../runtime/live/session-end.ts'
import { termsOf } from '../runtime/settings/run-terms.ts'
import { failureReport, strategyReport } from './strategy-facts.ts'

export interface SessionFacts {
  /** Of papertape. */
  readonly version: string
  readonly session: LiveSession
  readonly end: SessionEnd
  /** Of the account, with all its sessions. */
  readonly audit: readonly AuditLine[]
  /** Base URL of the service. */
  readonly url: string
  /** Names the session among all of the account. */
  readonly name: string
  /** Math functions of the strategies whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
}

export function factsOfSession({ version, session, end, audit, url, name, inexactMath }: SessionFacts): RunFacts {
  const { options, watch, record } = session
  const { loaded, params, quoteAsset } = options
  const { ledger, figures } = watch
  return {
    version,
    strategy: strategyReport(loaded),
    params,
    tapes: [],
    config: configOf(session),
    digest: session.digest(),
    failure: failureReport(session.failure, loaded),
    account: { quoteAsset, scales: ledger.scales, balances: ledger.balances(), figures: figures.account, record },
    audit,
    bounds: null,
    unfinishedCandles: 0,
    remarks: { ...NO_REMARKS, inexactMath },
    live: liveReport(session, end, url, name),
  }
}

/** Of a market that nobody recorded or simulated. */
const NO_REMARKS: RunRemarks = {
  caution: '',
  guessedSpreads: [],
  longWaits: [],
  candleSymbols: [],
  unsent: 0,
  endedAt: 0,
  inexactMath: [],
  unrepeatable: [],
  prints: {},
}

function configOf({ options, credits }: LiveSession): RunConfig {
  return { credit: credits, liquiditySha256: null, ...termsOf(options.terms), liquidity: LIVE_LIQUIDITY }
}

function liveReport(session: LiveSession, end: SessionEnd, url: string, name: string): LiveReport {
  const { startedAt, endedAt = startedAt, options, watch, waiting } = session
  const { openOrders, fault } = end
  const told = { openOrders, fault: fault?.message ?? null }
  return { url, owner: options.owner, session: name, startedAt, endedAt, ...watch.counts, unsent: waiting, ...told }
}
