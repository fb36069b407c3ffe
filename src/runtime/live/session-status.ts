/** Status of a session, live or on paper, for display. */
import type { LiveMarketData } from '../../adapter/live/market-data/live-market-data.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'
import type { LiveSession } from './live-session.ts'
import { transferSums } from '../figures/transfer-sums.ts'
import type { RunRecord } from '../figures/run-record.ts'
import type { SessionState } from '../session-state.ts'
import type { Session } from '../session/session.ts'
import type { LiveStatus, PaperStatus, ShownOrder, StrategyStatus } from './live-status.ts'
import type { Member } from '../backtest/backtest.ts'
import type { PaperSession } from './paper-session.ts'

/**
 * @param runDirectory  of its files
 * @param transfers     over all sessions
 */
export function statusOfSession(
  session: LiveSession,
  runDirectory: string,
  transfers: StrategyStatus['transfers'],
): StrategyStatus {
  const { owner, quoteAsset, adapter } = session.options
  const { equity } = session.watch.figures
  const { state, record, waiting, awaited } = session
  const initial = equity.initialEquity()
  return {
    owner,
    state,
    why: whyOf(state, record),
    quoteAsset,
    waiting,
    awaited,
    runDirectory,
    transfers,
    equity: equity.isPartial ? undefined : text(equity.equity(), equity.scale),
    change: equity.isPartial || initial <= 0n ? undefined : Number(equity.profit()) / Number(initial),
    positions: positionsOf(session),
    openOrders: adapter.openOrders().map(shownOrder),
  }
}

/** @param health  of its market data */
export function paperStatus(
  { options, rows }: PaperSession,
  { prepared, run }: Member,
  health: ReturnType<LiveMarketData['health']>,
): PaperStatus {
  const { markets, quoteAsset } = prepared
  const { session, stage, record } = run
  const { equity } = run.figures
  const { adapter } = stage
  const { reconnects, lastMessageAgeMs } = health
  const time = options.loop.queue.now()
  const prices = markets.flatMap(({ symbol }) => {
    const price = adapter.lastPrice(symbol)
    return price === undefined ? [] : [[symbol, price.toFixed()] as const]
  })
  return {
    time,
    connection: health.state,
    ...stateOf(session, record),
    reconnects,
    dataAt: lastMessageAgeMs === undefined ? undefined : Math.round(time - lastMessageAgeMs),
    trades: rows,
    equity: formatTrimmed(equity.equity(), equity.scale),
    isPartial: equity.isPartial,
    quoteAsset,
    openOrders: stage.simulated.exchange.openOrders(stage.account).length,
    orders: adapter.openOrders().map(shownOrder),
    positions: [...adapter.balances()].flatMap(([asset, { available, locked }]) => {
      const held = available.plus(locked)
      return asset === quoteAsset || held.isZero() ? [] : [{ asset, qty: held.toFixed() }]
    }),
    waiting: session.waiting,
    awaited: session.awaited,
    fills: record.fills,
    transfers: equity.transfers.length === 0 ? undefined : transferSums(equity),
    lastPrices: Object.fromEntries(prices),
  }
}

/** A strategy that has failed sends nothing more. */
const stateOf = (
  { failure, state }: Pick<Session, 'failure' | 'state'>,
  record: RunRecord,
): Pick<PaperStatus, 'state' | 'why'> =>
  failure === undefined
    ? { state, why: whyOf(state, record) }
    : { state: 'HALTED', why: `the strategy failed: ${failure.message}` }

/** Why the state is not ACTIVE. */
const whyOf = (state: SessionState, { states }: RunRecord): string =>
  state === 'ACTIVE' ? '' : (states.at(-1)?.why ?? '')

/** Positions from its own fills only, like its equity. */
function positionsOf({ options: { quoteAsset }, watch: { ledger } }: LiveSession): StrategyStatus['positions'] {
  return [...ledger.balances()].flatMap(([asset, { available }]) => {
    if (asset === quoteAsset || available === 0n) return []
    return [{ asset, qty: text(available, ledger.scales.get(asset) ?? 0) }]
  })
}

/** Negative if the session sold assets that reached the account in another way. */
const text = (units: bigint, scale: number): string =>
  units < 0n ? `-${formatTrimmed(-units, scale)}` : formatTrimmed(units, scale)

const shownOrder = ({ id, symbol, side, type, price, qty, filledQty, tag }: OwnOrder): ShownOrder => ({
  id,
  symbol,
  side,
  type,
  tag,
  price: price?.toFixed(),
  qty: qty.toFixed(),
  filledQty: filledQty.toFixed(),
})

/** Facts of a paper session that its status does not have. */
export interface PaperPlace {
  readonly url: string
  readonly startedAt: number
  readonly events: LiveStatus['events']
  /** The strategies, each with its equity at its start and the directory of its files. */
  readonly strategies: readonly {
    readonly owner: string
    readonly status: PaperStatus
    readonly firstEquity: string
    /** Over the time since that equity; default: those of the session. */
    readonly transfers?: StrategyStatus['transfers']
    readonly runDirectory: string
  }[]
}

/** A paper session in the form of a live one, for what shows both. */
export function liveStatusOfPaper({ url, startedAt, events, strategies }: PaperPlace): LiveStatus | undefined {
  const [first] = strategies
  if (first === undefined) return undefined
  const { time, connection, dataAt } = first.status
  return {
    time,
    startedAt,
    baseUrl: url,
    connection,
    dataAt,
    budget: undefined,
    stream: connection === 'connected' ? 'open' : 'lost',
    strategies: strategies.map(({ owner, status, firstEquity, transfers = status.transfers, runDirectory }) => ({
      owner,
      state: status.state,
      why: status.why,
      quoteAsset: status.quoteAsset,
      equity: status.isPartial ? undefined : status.equity,
      positions: status.positions,
      openOrders: status.orders,
      waiting: status.waiting,
      awaited: status.awaited,
      transfers,
      runDirectory,
      change: status.isPartial ? undefined : changeOf(status.equity, firstEquity, transfers),
    })),
    undecided: [],
    halts: [],
    warnings: [],
    events,
  }
}

/** Relative; undefined without a positive start. */
function changeOf(equity: string, first: string, transfers: StrategyStatus['transfers']): number | undefined {
  const own = Number(equity) - Number(transfers?.in ?? 0) + Number(transfers?.out ?? 0)
  return Number(first) > 0 ? own / Number(first) - 1 : undefined
}
