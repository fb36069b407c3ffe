/**
 * Flattening of an account: every session that runs, every owner that does not run but left orders or a position, and
 * with `wholeAccount` whatever else the account has.
 *
 * Invariant: without `wholeAccount` no order and no holding is touched that no owner's orders account for.
 */
import type { ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { LiveTime } from '../../adapter/live/live-time.ts'
import { Decimal, ZERO } from '../../domain/decimal.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { joinedReports, type FlatReport } from '../session/flatten/flat-report.ts'
import { Flattening, type FlattenOwner } from '../session/flatten/flattening.ts'
import { FollowedOrders } from '../session/followed-orders.ts'
import { readRequest, writeRequest } from '../session/intent-request.ts'
import type { MarketView } from '../../strategy/market-view.ts'

/** One whose orders are cancelled first. */
interface PlannedOwner extends FlattenOwner {
  /** Most of a base asset that may be sold once its open orders are cancelled. */
  held(asset: string): Decimal
}

/** What an account offers to get flat; see `AccountHoldings`. */
export interface FlattenAccess {
  readonly markets: readonly MarketView[]
  /** Owners of orders, positions, or orders that wait. */
  readonly owners: readonly string[]
  holderOf(owner: string): PlannedOwner
  /** All that the account has, and the orders that are no owner's. */
  readonly whole: PlannedOwner
  cancelForeign(orderId: string, reply: (outcome: RequestOutcome) => void): void
  /** Gives up what waits for an owner that does not run. */
  giveUpWaits(owner: string): void
  /** The view of an owner that does not run. */
  exchangeOf(owner: string): ExchangeAdapter
  /** A number that no request of this process has. */
  nextReference(): number
}

/** A session that runs. */
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

/** What would be done, before anything is. */
export interface FlattenPlan {
  readonly openOrders: readonly PlannedOrder[]
  readonly sells: readonly PlannedSell[]
}

interface PlannedOrder {
  readonly id: string
  /** Undefined for one that no session here placed. */
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
const WHY = 'by an operator: flatten'

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

/** Owners side by side, and what else the account has when all of them are done. */
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

/**
 * What the account has beyond the positions of owners: sold under another name, those would stay in the owners' books.
 */
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
      session.flatten(WHY, withinMs, resolve)
    })
  })

function absentFlat(owner: string, parts: OwnerParts, withinMs: number): Promise<FlatReport> {
  parts.access.giveUpWaits(owner)
  return ownerFlat(owner, parts.access.holderOf(owner), parts, withinMs)
}

/**
 * Of an owner without a session: its fills are in no file of a run until its next session recovers them.
 *
 * @param owner  undefined for what the account has beyond owners
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
        sell: (intent, listener) => {
          const reference = access.nextReference()
          const decoded = readRequest(writeRequest(intent), marketOf)
          if (!decoded.ok) {
            adapter.after(0, () => listener.onRefused?.(decoded.refusal))
            return
          }
          followed.follow(reference, listener)
          const lastLook = (): Refusal | undefined => (listener.isWanted?.() === false ? NOT_WANTED : undefined)
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
