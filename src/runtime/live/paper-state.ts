/**
 * The state of paper sessions on disk: a later session continues their orders, balances and conditional orders.
 *
 * Invariant: a change of a strategy's account is durable before the strategy, its journal or its files receive it. So
 * after a kill the state has everything that a file has; what only the state has is handed to the next session.
 * Known limitation: requests that had not arrived when the process ended were never sent. Statistics restart with
 * each session; the equity of the first one is saved.
 */
import type { EarlierUpdate } from '../../adapter/exchange-adapter.ts'
import type { OrderFate } from '../../adapter/live/orders/order-fate.ts'
import type { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { decimalOf, toDecimal, ZERO, type Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import type { SnapshotExchange } from '../../exchange/exchange.ts'
import type { BooksSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import { persistedAccount, saveAccount, saveMarkets } from '../../store/state/live/persisted-facts.ts'
import { linksOf, type PersistedLink } from '../../store/state/live/persisted-conditional.ts'
import {
  savePaper,
  type PersistedPaper,
  type PersistedPaperFill,
  type PersistedPaperOrder,
  type PersistedPaperSessions,
} from '../../store/state/live/persisted-paper.ts'
import { persistedRisk, saveRisk, WALLET_OWNER } from '../../store/state/live/persisted-risk.ts'
import type { EarlierStage } from '../backtest/backtest-stage.ts'
import { accountOf, ownerOf } from '../backtest/portfolio.ts'
import type { SessionStores } from '../backtest/simulated-run.ts'
import type { OwnFill } from '../../strategy/own-order.ts'
import { DurableTransfers } from './durable-transfers.ts'
import { earlierUpdates, persistedFill, type Traded } from './earlier-paper-fill.ts'
import { strategyStateStore } from './strategy-state-store.ts'
import type { RiskStore } from '../session/risk/risk-store.ts'

export interface PaperStateParts {
  readonly state: LiveState
  /** Undefined for the first session. */
  readonly saved: PersistedPaper | undefined
  /** The exchange of the session, with the saved orders and balances. */
  readonly exchange: SnapshotExchange
  /** Base URL of the service. */
  readonly url: string
  /** Given credits: decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  /** Identifies this session. */
  readonly session: string
  /** Unix milliseconds. */
  readonly now: number
  /** True if the files of the strategy's earlier sessions have the fill. */
  readonly isWritten: (fill: PersistedPaperFill) => boolean
  readonly onWarning: (text: string) => void
}

/** Finished orders that are saved although nothing refers to them: what was sent within a minute counts for a limit. */
const SAVED_ORDERS = 100

/** Earlier sessions of a strategy: start of the first one, their number, and the equity at that start. */
export interface ContinuedSessions {
  readonly startedAt: number
  readonly sessions: number
  readonly initialEquity: string
  /** Net capital that came from other strategies, over all sessions; undefined without a transfer. */
  readonly transferred?: string | undefined
}

type Adapters = ReadonlyMap<string, Pick<SimulatedExchange, 'arriving'>>

export class PaperState {
  readonly #parts: PaperStateParts
  readonly transfers: DurableTransfers
  readonly #sessions: Map<string, PersistedPaperSessions>
  readonly #orders = new Map<number, PersistedPaperOrder>()
  readonly #bought = new Map<string, Map<string, Decimal>>()
  /** Fills that no file has yet, by trade and order. */
  readonly #unwritten = new Map<string, PersistedPaperFill>()
  /** Adapters by account, once they exist. */
  #adapters: Adapters = new Map()

  constructor(parts: PaperStateParts) {
    const { state, saved, onWarning: onMissed } = parts
    this.#parts = parts
    const save = (): void => {
      this.save()
    }
    this.transfers = new DurableTransfers({ state, saved: saved?.transfers ?? {}, save, onMissed })
    this.#sessions = new Map(Object.entries(saved?.sessions ?? {}))
    for (const fill of saved?.unwritten ?? []) this.#unwritten.set(fillKey(fill), fill)
    for (const order of saved?.orders ?? []) this.#orders.set(order.id, order)
    for (const [owner, assets] of Object.entries(saved?.bought ?? {})) {
      this.#bought.set(owner, new Map(Object.entries(assets).map(([asset, qty]) => [asset, toDecimal(qty)])))
    }
  }

  /** Its stage, which continues that of the last session. */
  get stage(): EarlierStage {
    const tags = new Map<string, Map<number, string>>()
    for (const { id, owner, tag, isOpen: open } of this.#orders.values()) {
      if (!open || tag === undefined) continue
      const account = accountOf(owner)
      tags.set(account, (tags.get(account) ?? new Map<number, string>()).set(id, tag))
    }
    const onMade = (simulated: SimulatedMarkets): void => {
      simulated.onEvents(this.#onEvents)
    }
    return { exchange: this.#parts.exchange, tags, onMade }
  }

  /**
   * Saves the beginning of the session. Before it, a state that is new has nothing.
   *
   * @param adapters  by account
   * @param owners    strategies that run
   */
  begin(adapters: Adapters, owners: readonly string[]): void {
    const { state, url, now, exchange } = this.#parts
    this.#adapters = adapters
    for (const owner of owners) {
      const { startedAt = now, count = 0, initialEquity } = this.#sessions.get(owner) ?? {}
      this.#sessions.set(owner, { startedAt, count: count + 1, initialEquity })
    }
    state.together(() => {
      this.save()
      saveAccount(state, { baseUrl: url, createdAt: persistedAccount(state)?.createdAt ?? now })
      saveMarkets(
        state,
        exchange.markets.map(({ symbol, pricePrecision, qtyPrecision }) => ({ symbol, pricePrecision, qtyPrecision })),
      )
    })
  }

  /** Everything that the session of a strategy continues, and where it is saved. */
  storesOf(owner: string, onWarning: (text: string) => void): SessionStores {
    const { state, session } = this.#parts
    return {
      waits: {
        session,
        waits: () => state.waits.of(owner),
        save: (waits, over) => {
          state.waits.save(owner, waits, over)
        },
        fateOf: (link) => this.#fateOf(owner, link),
      },
      riskStore: this.riskStoreOf(owner, onWarning),
      takeEarlier: (write) => {
        this.#takeEarlier(owner, write)
      },
      boughtBefore: new Map(this.boughtBy(owner)),
      strategyState: strategyStateStore(state, owner),
    }
  }

  /** Risk state of a strategy. @param owner  undefined for that of all strategies together */
  riskStoreOf(owner: string | undefined, onWarning: (text: string) => void): RiskStore {
    const { state } = this.#parts
    let isTroubleReported = false
    return {
      load: () => persistedRisk(state, owner ?? WALLET_OWNER),
      save: (risk) => {
        try {
          saveRisk(state, owner ?? WALLET_OWNER, owner === undefined ? risk : this.transfers.withUnknown(owner, risk))
        } catch (error) {
          const whose = owner === undefined ? 'all strategies together' : `'${owner}'`
          if (!isTroubleReported) onWarning(`a restart would forget the loss limits of ${whose}: ${String(error)}`)
          isTroubleReported = true
        }
      },
      sentSince: (time) =>
        [...this.#orders.values()]
          .flatMap((order) =>
            (owner ?? order.owner) === order.owner && order.createdAt > time ? [order.createdAt] : [],
          )
          .toSorted((a, b) => a - b),
    }
  }

  /** Net quantity that the sessions of a strategy bought, by base asset. */
  boughtBy(owner: string): ReadonlyMap<string, Decimal> {
    return this.#bought.get(owner) ?? new Map<string, Decimal>()
  }

  /** Saves the equity at the start of a strategy's first session. @returns that of its first one */
  firstEquity(owner: string, equity: string): string {
    const sessions = this.#sessions.get(owner)
    if (sessions?.initialEquity !== undefined) return sessions.initialEquity
    if (sessions !== undefined) this.#sessions.set(owner, { ...sessions, initialEquity: equity })
    this.save()
    return equity
  }

  /** The earlier sessions of a strategy; undefined if there are none. */
  continuedOf(owner: string): ContinuedSessions | undefined {
    const { startedAt, count = 0, initialEquity } = this.#parts.saved?.sessions[owner] ?? {}
    if (startedAt === undefined || initialEquity === undefined) return undefined
    const moved = this.transfers.of(owner)
    const transferred = moved && toDecimal(moved.in).minus(moved.out).toFixed()
    return { startedAt, sessions: count, initialEquity, ...(transferred !== undefined && { transferred }) }
  }

  readonly #onEvents = (events: readonly ExchangeEvent[]): void => {
    let isChanged = false
    for (const event of events) {
      if (event.type === 'order-accepted' || event.type === 'order-cancelled') {
        isChanged = this.#take(event.order) || isChanged
      } else if (event.type === 'traded') {
        isChanged = this.#takeFill(event, true) || isChanged
        isChanged = this.#takeFill(event, false) || isChanged
      }
    }
    if (isChanged) this.save()
  }

  #takeFill(event: Traded, isMaker: boolean): boolean {
    const order = isMaker ? event.maker : event.taker
    if (!this.#take(order)) return false
    const fill = persistedFill(ownerOf(order.userId) ?? '', event, isMaker)
    this.#unwritten.set(fillKey(fill), fill)
    this.#count(order, event.trade)
    return true
  }

  /** The files have a fill; the next change saves that. */
  onWritten({ tradeId, orderId }: Pick<OwnFill, 'tradeId' | 'orderId'>): void {
    this.#unwritten.delete(`${tradeId} ${orderId}`)
  }

  /** @returns false for an order of the crowd */
  #take({ id, userId, symbol, filledQty, status, createdAt }: Order): boolean {
    const owner = ownerOf(userId)
    if (owner === undefined) return false
    const known = this.#orders.get(id)
    const { reference = 0, tag } = known ?? this.#adapters.get(userId)?.arriving ?? {}
    const session = known?.session ?? this.#parts.session
    const order = { id, owner, session, reference, tag, symbol, createdAt, filledQty, isOpen: isOpen(status) }
    this.#orders.set(id, order)
    return true
  }

  #count({ userId, symbol, side }: Order, { qty }: Trade): void {
    const owner = ownerOf(userId)
    const market = this.#parts.exchange.markets.find((each) => each.symbol === symbol)
    invariant(owner !== undefined && market !== undefined, 'a fill has an owner and a market')
    const assets = this.#bought.get(owner) ?? new Map<string, Decimal>()
    const lots = decimalOf(side === 'BUY' ? qty : -qty, market.qtyPrecision)
    this.#bought.set(owner, assets.set(market.baseAsset, (assets.get(market.baseAsset) ?? ZERO).plus(lots)))
  }

  #fateOf(owner: string, { session, reference }: PersistedLink): OrderFate {
    const order = this.#ofOwner(owner).find((each) => each.session === session && each.reference === reference)
    if (order === undefined) return { type: 'unsent' }
    const market = this.#parts.exchange.markets.find(({ symbol }) => symbol === order.symbol)
    invariant(market !== undefined, 'a market of an order stays')
    const filled = decimalOf(order.filledQty, market.qtyPrecision)
    return { type: order.isOpen ? 'open' : 'over', orderId: String(order.id), filled }
  }

  #ofOwner(owner: string): readonly PersistedPaperOrder[] {
    return [...this.#orders.values()].filter((order) => order.owner === owner)
  }

  /** Fills that were saved, and that the process could not write to a file any more. */
  #takeEarlier(owner: string, write: (updates: readonly EarlierUpdate[]) => void): void {
    const { exchange, isWritten } = this.#parts
    const own = [...this.#unwritten.values()].filter((each) => each.owner === owner)
    const missing = own.filter((each) => !isWritten(each))
    for (const each of own) if (!missing.includes(each)) this.#unwritten.delete(fillKey(each))
    if (missing.length > 0) write(missing.flatMap((each) => earlierUpdates(each, exchange, this.#orders)))
  }

  /** Saves everything, with the present place of each order in its queue. */
  save(): void {
    const { state, exchange, saved, credits } = this.#parts
    this.#dropOrders()
    savePaper(state, {
      sessions: Object.fromEntries(this.#sessions),
      credits: saved?.credits ?? credits,
      books: exchange.books() satisfies BooksSnapshot,
      orders: [...this.#orders.values()],
      bought: Object.fromEntries([...this.#bought].map(([owner, assets]) => [owner, textsOf(assets)])),
      unwritten: [...this.#unwritten.values()],
      transfers: this.transfers.sums,
    })
  }

  /** Drops the oldest finished orders to which no conditional order refers. */
  #dropOrders(): void {
    if (this.#orders.size < 2 * SAVED_ORDERS) return
    const { waits } = this.#parts.state
    const linked = new Set(
      waits.owners().flatMap((owner) => waits.of(owner).flatMap((wait) => linksOf(wait).map(linkText))),
    )
    const dropped = [...this.#orders.values()].filter((order) => !order.isOpen && !linked.has(linkText(order)))
    for (const { id } of dropped.slice(0, Math.max(0, dropped.length - SAVED_ORDERS))) this.#orders.delete(id)
  }
}

const fillKey = ({ tradeId, orderId }: PersistedPaperFill): string => `${tradeId} ${orderId}`

const linkText = ({ session, reference }: PersistedLink): string => `${session} ${reference}`

const textsOf = (amounts: ReadonlyMap<string, Decimal>): Readonly<Record<string, string>> =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toFixed()]))
