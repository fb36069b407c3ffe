/**
 * Flattens an account: every running session, every owner without a session that left orders or a position, and with
 * `wholeAccount` everything else in the account.
 *
 * Invariant: without `wholeAccount` only orders and holdings of known owners are touched.
 */
import type { ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { LiveTime } from '../../adapter/live/live-time.ts'
import { Decimal, ZERO } from '../../domain/decimal.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { BY_FLATTEN } from '../session-state.ts'
import { joinedReports, type FlatReport } from '../session/flatten/flat-report.ts'
import { Flattening, type FlattenOwner } from '../session/flatten/flattening.ts'
import { FollowedOrders } from '../session/followed-orders.ts'
import { readRequest, writeRequest } from '../session/intent-request.ts'
import type { MarketView } from '../../strategy/market-view.ts'

/** An owner whose orders are cancelled first. */
interface PlannedOwner extends FlattenOwner {
  /** Maximum quantity of a base asset that may be sold once its open orders are cancelled. */
  held(asset: string): Decimal
}

/** Access to an account for flattening; see `AccountHoldings`. */
export interface FlattenAccess {
  readonly markets: readonly MarketView[]
  /** Owners of orders, positions or conditional orders. */
  readonly owners: readonly string[]
  holderOf(owner: string): PlannedOwner
  /** The whole account, including orders without an owner. */
  readonly whole: PlannedOwner
  cancelForeign(orderId: string, reply: (outcome: RequestOutcome) => void): void
  /** Drops the conditional orders of an owner without a session. */
  giveUpWaits(owner: string): void
  /** The view of an owner without a session. */
  exchangeOf(owner: string): ExchangeAdapter
  /** A reference that no other request of this process uses. */
  nextReference(): number
}

/** A running session. */
export interface FlattenedSession {
  readonly owner: string
  readonly quoteAsset: string
  flatten(why: string, withinMs: number, onDone: (report: FlatReport) => void): void
}

export interface FlattenAccountOptions {
  readonly time: LiveTime
  readonly access: FlattenAccess
  readonly sessions: readonly FlattenedSession[]
  readonly wholeAccount: boolean
  readonly withinMs: number
}

/** Planned actions, before anything is executed. */
export interface FlattenPlan {
  readonly openOrders: readonly PlannedOrder[]
  readonly sells: readonly PlannedSell[]
}

interface PlannedOrder {
  readonly id: string
  /** Undefined for an order that no session here placed. */
  readonly owner: string | undefined
}

interface PlannedSell {
  readonly asset: string
  /** Decimal string. */
  readonly qty: string
  readonly owner: string | undefined
}

const NOT_WANTED: Refusal = { code: 'ORDER_REJECTED', message: 'flatten ran out of time' }
/** Owner of sells for the whole account. */
const WHOLE_ACCOUNT_OWNER = 'flatten'

type PlanOptions = Pick<FlattenAccountOptions, 'access' | 'wholeAccount'>

export async function planFlatten({ access, wholeAccount }: PlanOptions): Promise<FlattenPlan> {
  const { markets, owners, whole } = access
  await refreshed(whole)
  const assets = [...new Set(markets.map(({ baseAsset }) => baseAsset))]
  const free = new Map(assets.map((asset) => [asset, whole.held(asset)]))
  const partOf = (owner: string | undefined, holder: PlannedOwner): FlattenPlan => {
    const sells = assets.flatMap((asset) => {
      const left = free.get(asset) ?? ZERO
      const qty = Decimal.min(holder.held(asset), left)
      free.set(asset, left.minus(qty))
      return qty.gt(0) ? [{ asset, qty: qty.toFixed(), owner }] : []
    })
    return { openOrders: holder.openOrderIds().map((id) => ({ id, owner })), sells }
  }
  const parts = [
    ...owners.map((owner) => partOf(owner, access.holderOf(owner))),
    ...(wholeAccount ? [partOf(undefined, { ...whole, held: (asset) => free.get(asset) ?? ZERO })] : []),
  ]
  return {
    openOrders: parts.flatMap(({ openOrders }) => openOrders),
    sells: parts.flatMap(({ sells }) => sells),
  }
}

const refreshed = (holder: FlattenOwner): Promise<void> =>
  new Promise((resolve) => {
    holder.refresh(resolve)
  })

/** Owners run concurrently; the rest of the account follows when all of them are done. */
export async function flattenAccount(options: FlattenAccountOptions): Promise<FlatReport> {
  const { time, access, sessions, wholeAccount, withinMs } = options
  const until = time.monotonic() + withinMs
  const running = new Set(sessions.map(({ owner }) => owner))
  const absent = access.owners.filter((owner) => !running.has(owner))
  const [first] = sessions
  const quoteAsset = first?.quoteAsset ?? access.markets[0]?.quoteAsset ?? ''
  const parts = { time, access, quoteAsset }
  const reports = await Promise.all([
    ...sessions.map((session) => sessionFlat(session, time, withinMs)),
    ...absent.map((owner) => absentFlat(owner, parts, withinMs)),
  ])
  if (!wholeAccount) return joinedReports(reports)
  const rest = await ownerFlat(undefined, unowned(access), parts, Math.max(0, until - time.monotonic()))
  return joinedReports([...reports, rest])
}

/** Holdings beyond the positions of owners: positions sold under another owner would stay in their owners' books. */
function unowned(access: FlattenAccess): PlannedOwner {
  const { whole } = access
  const owners = access.owners.map((owner) => access.holderOf(owner))
  const beyond = (asset: string, all: Decimal): Decimal =>
    owners.reduce((left, owner) => Decimal.max(ZERO, left.minus(owner.held(asset))), all)
  return {
    ...whole,
    held: (asset) => beyond(asset, whole.held(asset)),
    sellable: (asset) => beyond(asset, whole.sellable(asset)),
  }
}

interface OwnerParts {
  readonly time: LiveTime
  readonly access: FlattenAccess
  readonly quoteAsset: string
}

const sessionFlat = (session: FlattenedSession, time: LiveTime, withinMs: number): Promise<FlatReport> =>
  new Promise((resolve) => {
    time.enter(() => {
      session.flatten(BY_FLATTEN, withinMs, resolve)
    })
  })

function absentFlat(owner: string, parts: OwnerParts, withinMs: number): Promise<FlatReport> {
  parts.access.giveUpWaits(owner)
  return ownerFlat(owner, parts.access.holderOf(owner), parts, withinMs)
}

/**
 * Flattens an owner without a session: its fills are in no file of a run until its next session recovers them.
 * @param owner  undefined for holdings without an owner
 */
function ownerFlat(
  owner: string | undefined,
  holder: FlattenOwner,
  { time, access, quoteAsset }: OwnerParts,
  withinMs: number,
): Promise<FlatReport> {
  const adapter = access.exchangeOf(owner ?? WHOLE_ACCOUNT_OWNER)
  const followed = new FollowedOrders()
  const marketOf = (symbol: string): MarketView | undefined => access.markets.find((each) => each.symbol === symbol)
  return new Promise((resolve) => {
    time.enter(() => {
      const updates = adapter.updates$.subscribe((update) => {
        followed.onUpdate(update)
      })
      const flattening = new Flattening({
        owner: holder,
        adapter,
        quoteAsset,
        withinMs,
        cancel: (orderId, reply) => {
          if (owner === undefined) access.cancelForeign(orderId, reply)
          else adapter.cancel(orderId, reply)
        },
        sell: (intent, follower) => {
          const reference = access.nextReference()
          const decoded = readRequest(writeRequest(intent), marketOf)
          if (!decoded.ok) {
            adapter.after(0, () => {
              follower.process({ type: 'refused', refusal: decoded.refusal, by: 'session' })
            })
            return
          }
          followed.follow(reference, follower)
          const lastLook = (): Refusal | undefined => (follower.isWanted?.() === false ? NOT_WANTED : undefined)
          adapter.place({ request: decoded.request, reference, tag: intent.tag, lastLook, isExit: true }, (outcome) => {
            followed.onOutcome(reference, outcome)
          })
        },
        onDone: (report) => {
          updates.unsubscribe()
          resolve(report)
        },
      })
      flattening.start()
    })
  })
}
