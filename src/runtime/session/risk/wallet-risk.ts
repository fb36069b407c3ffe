/**
 * Risk limits of all strategies on one wallet together. Each session asks it before an order, and calls it after every
 * change of a balance or price.
 *
 * Invariants: an order is within the limits with everything that any strategy holds or could still buy. A reached loss
 * limit holds every session.
 */
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { ZERO, type Decimal } from '../../../domain/decimal.ts'
import { MINUTE_MS } from '../../../domain/time.ts'
import type { LossRule, PersistedMarks } from '../../../store/state/live/persisted-risk.ts'
import type { OwnBalances } from '../../../strategy/own-order.ts'
import type { RiskLimits } from '../../settings/risk-limits.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'
import { EquityWatch, type Look, type WatchedAccount } from './equity-watch.ts'
import { collarFault, positionFault, sizeFault, type CheckedOrder } from './order-checks.ts'
import { OrderPace } from './order-pace.ts'
import { RiskNotes, type RiskStore } from './risk-store.ts'
import type { SessionStates } from './session-states.ts'

export const WALLET_RULES = ['wallet-day-loss', 'wallet-drawdown'] as const satisfies readonly LossRule[]

export interface WalletRiskOptions {
  readonly limits: RiskLimits
  /** Asset in which losses are counted. */
  readonly quoteAsset: string
  /** Anything that reads the clock, the markets and the prices of the exchange. */
  readonly adapter: Pick<ExchangeAdapter, 'after' | 'lastPrice' | 'markets' | 'now'>
  /** Holdings of the whole wallet, including what no strategy has. */
  readonly balances: () => OwnBalances
  /** True if every session sees all of them; false if each has an account or a book of its own. */
  readonly isOneAccount: boolean
  /** Persists the reference equities; default: nothing is persisted. */
  readonly store?: RiskStore | undefined
}

/** A session on the wallet. */
export interface WalletMember {
  readonly adapter: Pick<ExchangeAdapter, 'balances'>
  readonly unfilled: UnfilledOrders
  readonly states: SessionStates
  /** Units of a base asset by the updates that the session has received. */
  readonly held: (asset: string) => Decimal
}

const WHO = 'all strategies together: '

export class WalletRisk {
  readonly account: WatchedAccount
  readonly #options: WalletRiskOptions
  readonly #members: WalletMember[] = []
  /** Members whose sessions have ended: nothing reaches them, and what they ordered still counts. */
  readonly #ended = new Set<WalletMember>()
  readonly #equity: EquityWatch
  readonly #pace: OrderPace
  readonly #notes: RiskNotes | undefined
  /** Whether marks of an earlier session are of this day. */
  readonly isSameDay: boolean
  /** Marks of an earlier session that no session has reported; undefined if there are none. */
  #restored: PersistedMarks | undefined

  constructor(options: WalletRiskOptions) {
    const { limits, quoteAsset, adapter, balances, store } = options
    this.#options = options
    this.account = {
      balances,
      markets: adapter.markets,
      now: () => adapter.now(),
      lastPrice: (symbol) => adapter.lastPrice(symbol),
    }
    this.#equity = new EquityWatch(this.account, quoteAsset, limits)
    const saved = store?.load()?.marks
    if (saved !== undefined && this.#equity.restore(saved)) this.#restored = saved
    this.isSameDay = saved === undefined || saved.day >= this.#equity.day
    this.#pace = new OrderPace(store?.sentSince(adapter.now() - MINUTE_MS))
    this.#notes =
      store &&
      new RiskNotes({
        store,
        after: (delayMs, action) => {
          adapter.after(delayMs, action)
        },
        current: () => ({ marks: this.#equity.marks(), holds: [] }),
      })
  }

  /** @returns marks of an earlier session, once; undefined if there are none */
  takeRestored(): { readonly marks: PersistedMarks; readonly isSameDay: boolean } | undefined {
    const marks = this.#restored
    this.#restored = undefined
    return marks && { marks, isSameDay: this.isSameDay }
  }

  get limits(): RiskLimits {
    return this.#options.limits
  }

  get atLimit(): 'flatten' | null {
    return this.#options.limits.atLimit
  }

  /** True if it needs every price. */
  get watchesEquity(): boolean {
    return this.#equity.isOn || this.#members.some(({ states }) => states.isHeldBy(WALLET_RULES))
  }

  join(member: WalletMember): void {
    this.#members.push(member)
  }

  /** Restarts the count of losses. */
  reset(): void {
    this.#equity.reset()
  }

  /** Checks the equity. Call after every change of a price or balance. */
  look(): Look | undefined {
    if (!this.watchesEquity) return undefined
    const look = this.#equity.look()
    for (const { states } of this.#running) {
      if (look.isNewDay) states.release('wallet-day-loss', 'a new day began')
      for (const { rule, why } of look.breaches) states.reduce(`wallet-${rule}`, WHO + why)
    }
    if (look.isNews) this.#notes?.change()
    return look
  }

  /** A balance has changed. */
  onBalances(): void {
    if (this.watchesEquity) this.#notes?.change()
  }

  /** @returns text of a refusal; undefined if the wallet allows it */
  fault(order: CheckedOrder, by: WalletMember): string | undefined {
    const { limits } = this.#options
    const own = sizeFault(order, limits) ?? collarFault(order, limits)
    return own ?? together(positionFault(this.#withOthers(order, by), limits))
  }

  /** @returns text of a refusal; undefined if one more order may be sent now */
  paceFault(now: number): string | undefined {
    return together(this.#pace.fault(now, this.#options.limits.ordersPerMinute))
  }

  /** Counts an order that is sent. */
  onSent(now: number): void {
    this.#pace.add(now)
  }

  /** The session of a member ends. After the last one nothing is persisted any more. */
  leave(member: WalletMember): void {
    this.#ended.add(member)
    if (this.#running.length === 0) this.#notes?.stop()
  }

  get #running(): readonly WalletMember[] {
    return this.#members.filter((member) => !this.#ended.has(member))
  }

  #withOthers(order: CheckedOrder, by: WalletMember): CheckedOrder {
    const { baseAsset } = order.market
    const sum = (part: (member: WalletMember) => Decimal): Decimal => sumOf(this.#members, part)
    return {
      ...order,
      held: this.#options.isOneAccount ? by.held(baseAsset) : this.#held(baseAsset),
      couldBuy: sum(({ unfilled }) => unfilled.qty('BUY', baseAsset)),
      couldSell: sum(({ unfilled }) => unfilled.qty('SELL', baseAsset)),
    }
  }

  /** The balances may be ahead of the fills that a session has received, and that still count as open. */
  #held(asset: string): Decimal {
    const aheadOf = ({ adapter, held }: WalletMember): Decimal => totalOf(adapter.balances(), asset).minus(held(asset))
    const ahead = sumOf(this.#running, aheadOf)
    return totalOf(this.account.balances(), asset).minus(ahead)
  }
}

const sumOf = (members: readonly WalletMember[], part: (member: WalletMember) => Decimal): Decimal =>
  members.reduce((all, member) => all.plus(part(member)), ZERO)

const together = (fault: string | undefined): string | undefined => fault && WHO + fault

function totalOf(balances: OwnBalances, asset: string): Decimal {
  const balance = balances.get(asset)
  return balance === undefined ? ZERO : balance.available.plus(balance.locked)
}
