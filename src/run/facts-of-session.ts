/** The facts of a report, from a finished session on a live exchange. */
import type { SeriesReport } from '../tape/series-info.ts'
import type { AuditLine } from '../domain/audit.ts'
import { jsonFields } from '../domain/json-fault.ts'
import { thrownText } from '../domain/thrown-text.ts'
import type { RunFacts, RunRemarks } from '../report/run/run-facts.ts'
import type { LiveReport, RunConfig } from '../report/run/run-report.ts'
import { LIVE_LIQUIDITY, type LiveSession } from '../runtime/live/live-session.ts'
import type { SessionEnd } from '../runtime/live/session-end.ts'
import { termsThatAreOn } from '../runtime/settings/risk-limits.ts'
import { termsOf } from '../runtime/settings/run-terms.ts'
import type { OwnOrder } from '../strategy/own-order.ts'
import type { NightlyStrategy } from './nightly/nightly.ts'
import { failureReport, strategyReport } from './strategy-facts.ts'

export interface SessionFacts {
  /** Version of papertape. */
  readonly version: string
  readonly session: LiveSession
  readonly end: SessionEnd
  /** Audit of the account, over all its sessions. */
  readonly audit: readonly AuditLine[]
  /** Base URL of the service. */
  readonly url: string
  /** Identifies the session among all of the account. */
  readonly name: string
  /** Internal or disk error that ended it; undefined if none did. */
  readonly failure: unknown
  /** Math functions of the strategies whose last digit depends on the engine. */
  readonly inexactMath: readonly string[]
  readonly series: readonly SeriesReport[]
}

export function factsOfSession({
  version,
  session,
  end,
  audit,
  url,
  name,
  failure,
  inexactMath,
  series,
}: SessionFacts): RunFacts {
  const { options, watch, record } = session
  const { loaded, params, quoteAsset } = options
  const { ledger, figures } = watch
  return {
    version,
    strategy: strategyReport(loaded),
    params: jsonFields(params),
    tapes: [],
    ...(series.length > 0 && { series }),
    config: configOf(session),
    digest: session.digest(),
    failure: failureReport(session.failure, loaded),
    account: { quoteAsset, scales: ledger.scales, balances: ledger.balances(), figures, record },
    audit,
    bounds: null,
    unfinishedCandles: 0,
    remarks: { ...NO_REMARKS, inexactMath, endedAt: session.endedAt ?? session.startedAt },
    live: { ...liveReport(session, end, url, name), fault: faultText(end, failure) },
  }
}

interface Trader {
  readonly session: LiveSession
  readonly files: { readonly path: string }
}

/** Sessions that still run, for their twins. */
export const soFarOf = (traders: readonly Trader[], series: readonly SeriesReport[] = []): readonly NightlyStrategy[] =>
  traders.map(({ session, files }) => {
    const { startedAt, failure, record, options } = session
    const { loaded, params, quoteAsset, owner: name } = options
    const own = { loaded, params, quoteAsset, config: configOf(session), series, failure, record }
    return { kind: 'live', directory: files.path, name, startedAt, ...own }
  })

/** Short descriptions of everything that a session leaves on the service. */
export function leftOf({ openOrders, undecided, flat }: SessionEnd, known: readonly OwnOrder[]): readonly string[] {
  const orders = openOrders.map((id) => {
    const order = known.find((each) => each.id === id)
    if (order === undefined) return `order ${id}`
    const { side, qty, symbol, price } = order
    return `order ${id} (${side} ${qty.toFixed()} ${symbol} ${price === undefined ? 'at market' : `at ${price.toFixed()}`})`
  })
  const unsold = flat?.left.map(({ qty, asset, why }) => `${qty} ${asset}, which was not sold (${why})`) ?? []
  return [...orders, ...undecided.map((intent) => `${intent}, whose outcome is unknown`), ...unsold]
}

/** Remarks of a market that was neither recorded nor simulated. */
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

function configOf({ options: { terms, walletRisk }, credits }: LiveSession): RunConfig {
  return {
    credit: credits,
    liquiditySha256: null,
    ...(walletRisk !== undefined && { walletRisk: termsThatAreOn(walletRisk.limits) }),
    ...termsOf(terms),
    liquidity: LIVE_LIQUIDITY,
  }
}

const faultText = ({ fault }: SessionEnd, failure: unknown): string | null =>
  fault?.message ?? (failure === undefined ? null : thrownText(failure))

function liveReport(session: LiveSession, end: SessionEnd, url: string, name: string): Omit<LiveReport, 'fault'> {
  const { startedAt, endedAt = startedAt, options, watch, waiting } = session
  const { openOrders, undecided, flat } = end
  const left = { openOrders, undecided, ...(flat !== undefined && { flat: { sold: flat.sold, left: flat.left } }) }
  return { url, owner: options.owner, session: name, startedAt, endedAt, ...watch.counts, unsent: waiting, ...left }
}
