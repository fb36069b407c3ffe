/**
 * One account at a live service, shared by the strategies that use its key: their orders, its balances, and the polling
 * that keeps them correct.
 *
 * Polls are authoritative; a stream message about our orders only triggers a poll.
 * Invariant: before `begin` resolves, every outcome that an earlier session left unknown is known, and nothing is sent.
 */
import type { ExchangeError } from '../../domain/errors.ts'
import { ledgerScales, type Market, type MarketFees } from '../../domain/market.ts'
import { isOpen } from '../../domain/order.ts'
import { isReported } from '../../store/state/live/persisted-intent.ts'
import { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { WireBalances } from '../../wire/wire-balances.ts'
import type { WireOrder } from '../../wire/wire-order.ts'
import type { WireFill, WireTrade } from '../../wire/wire-trade.ts'
import { inEvent, type LiveTime, type LiveTimer } from './live-time.ts'
import type { AccountUpdate } from '../exchange-adapter.ts'
import { AccountHoldings } from './account-holdings.ts'
import { AccountBooks } from './books/account-books.ts'
import type { BookStore, StrategyBooks } from './books/strategy-books.ts'
import { LiveExchange, type LiveFeed } from './live-exchange.ts'
import { ReadTroubles, type ReadKind } from './read-troubles.ts'
import { AccountWatch } from './orders/account-watch.ts'
import { earlierBalances, isSameBalances, ownBalancesOf, readBaseline } from './orders/account-baseline.ts'
import type { LiveOrderListener } from './orders/live-order-state.ts'
import { orderAtStart } from './orders/order-at-start.ts'
import { orderOf } from './orders/own-orders.ts'
import type { EarlierFills } from './orders/reported-fills.ts'
import type { Intent, IntentStore } from './orders/intent.ts'
import { intentText } from './orders/intent-text.ts'
import type { MutationGate, OnLimit } from './rest/mutation-queue.ts'
import { AssumedFees } from './orders/order-fees.ts'
import { LiveOrderManager } from './orders/live-order-manager.ts'
import type { ServiceCalls } from './rest/service-calls.ts'

export interface LiveAccountOptions {
  readonly markets: readonly Market[]
  readonly calls: ServiceCalls
  readonly feed: LiveFeed
  readonly time: LiveTime
  readonly store: IntentStore
  /** Books of strategies that share the account; default: nothing is persisted. */
  readonly bookStore?: BookStore | undefined
  readonly gate: MutationGate
  /** Assumed fees of a market, because the service does not report them. */
  readonly feesOf: (symbol: string) => MarketFees
  /** Identifies this session among those of the account. */
  readonly session: string
  readonly settleMs: number
  readonly holdMs: number
  readonly quarantineMs: number
  /** Interval between two audits, milliseconds. */
  readonly auditMs: number
  readonly isUnique: boolean
  /**
   * Halts the sessions after this many milliseconds of answers that do not come from the service. Default: a minute.
   */
  readonly haltAfterMs?: number | undefined
  /** Fills of an owner's orders in the files of its earlier sessions; default: none are known. */
  readonly earlierFills?: ((owner: string) => EarlierFills) | undefined
  /** Reports a line to the operator. */
  readonly onWarning: (text: string) => void
  /** Reports an internal error. */
  readonly onError: (error: unknown) => void
  /** Closes what the account is built on: connections, files. */
  readonly onClose: () => Promise<void>
}

const HALT_AFTER_MS = 60_000
/** Delay before everything is read again after a failed read. */
const RETRY_MS = 5_000
/** Fills and balances are read every so many audits while nothing is open. */
const QUIET_AUDITS = 3

export class LiveAccount {
  readonly markets: readonly MarketView[]
  readonly manager: LiveOrderManager
  readonly holdings: AccountHoldings
  readonly #options: LiveAccountOptions
  readonly #watch: AccountWatch
  readonly #exchanges = new Map<string, LiveExchange>()
  readonly #assets: readonly string[]
  readonly #fees: AssumedFees
  readonly #books: AccountBooks
  #balances: OwnBalances = new Map()
  #auditTimer: LiveTimer | undefined
  #retryTimer: LiveTimer | undefined
  readonly #troubles: ReadTroubles
  #audits = 0
  /** Owners whose sessions have ended: later updates of their orders go to their next sessions. */
  readonly #left = new Set<string>()
  /** A fill was emitted after the balances that already include it. */
  #areBalancesDue = false
  #isRead = false
  #isBegun = false
  #isClosed = false

  constructor(options: LiveAccountOptions) {
    const { markets, calls, store, time, gate, session, settleMs, holdMs, quarantineMs, isUnique, feesOf } = options
    this.#options = options
    this.markets = markets.map((market) => new MarketView(market, feesOf(market.symbol)))
    this.#assets = [...ledgerScales(markets).keys()]
    this.#balances = ownBalancesOf(new Map(), this.#assets)
    const { onWarning, onError } = options
    this.#troubles = new ReadTroubles({
      ...{ time, onWarning, haltAfterMs: options.haltAfterMs ?? HALT_AFTER_MS },
      onFault: (error) => {
        for (const exchange of this.#exchanges.values()) exchange.faults$.push(error)
      },
    })
    const onRead = (kind: ReadKind): void => {
      this.#troubles.onRead(kind)
    }
    const fees = new AssumedFees(markets, feesOf)
    this.#fees = fees
    this.manager = new LiveOrderManager({
      ...{ markets, calls, store, time, gate, fees, session, settleMs, holdMs, quarantineMs, isUnique },
      lastPrice: (symbol) => options.feed.lastPrice(symbol),
      refusal: (owner, request) => this.books.refusal(owner, request),
      exactFeeOf: (owner, orderId) => this.books.exactFeeOf(owner, orderId),
      listener: { ...this.#ownListener(), onWarning, onFault: this.#onFault, onRead, onError },
    })
    this.#books = new AccountBooks({
      ...{ ...options, fees, manager: this.manager, exchanges: this.#exchanges, assets: this.#assets },
      readAgain: () => {
        this.#watch.request({ fills: true })
      },
    })
    this.holdings = new AccountHoldings({
      ...{ markets, manager: this.manager, calls, gate, time, onError },
      balances: () => this.#balances,
      audited: () => this.audited(),
    })
    this.#watch = new AccountWatch({
      ...{ time, calls, own: this.manager.own, onFault: this.#onFault, onRead, onError },
      onBalances: (balances) => {
        this.#onBalances(balances)
      },
    })
  }

  #ownListener(): Pick<LiveOrderListener, 'onUpdates' | 'isReporting' | 'isWritten' | 'onActivity'> {
    return {
      onUpdates: (owner, updates) => {
        this.#report(owner, updates)
      },
      isReporting: (owner) => this.#exchanges.has(owner) && !this.#left.has(owner),
      isWritten: (owner) => this.find(owner)?.isWritten === true,
      onActivity: (fills) => {
        // Before that, a start reads all fills anyway.
        if (this.#isRead) this.#watch.request({ fills })
      },
    }
  }

  /** The view of one strategy. Call before `begin`. */
  exchangeOf(owner: string, onLimit: OnLimit): LiveExchange {
    const { feed, time } = this.#options
    this.manager.addOwner(owner, onLimit)
    this.#left.delete(owner)
    this.#books.onJoined(owner)
    const exchange = new LiveExchange({
      ...{ owner, markets: this.markets, feed, manager: this.manager, time, balances: this.#balances },
      onWritten: () => {
        this.manager.saveReports(owner)
      },
    })
    this.#exchanges.set(owner, exchange)
    return exchange
  }

  /**
   * Reconciles outcomes that an earlier session left unknown, takes over its open orders, and finds fills that are in
   * no file yet.
   * @param symbols  of the markets that will be traded, as far as they are known
   * @throws {ExchangeError} if the service cannot be read
   */
  async begin(symbols: readonly string[]): Promise<void> {
    const { feed, earlierFills } = this.#options
    for (const symbol of symbols) feed.watch(symbol)
    this.#books.bookAbsent(this.#join)
    for (const owner of this.#exchanges.keys()) {
      const fills = earlierFills?.(owner) ?? new Map<string, never>()
      this.#books.onFiled(owner, fills)
      this.manager.takeReported(fills)
    }
    await this.manager.begin(symbols)
    await this.#recover()
    this.#areBalancesDue = false
    this.#books.emit(this.#balances)
    await feed.start()
    this.#isBegun = true
    this.#auditLater()
    this.#options.feed.state$.subscribe((state) => {
      if (state === 'connected') this.look()
    })
  }

  balances(): OwnBalances {
    return this.#balances
  }

  get books(): StrategyBooks {
    return this.#books.books
  }

  /** From now on the strategies of these owners see and spend their books alone. Call after `begin`. */
  openBooks(owners: readonly string[]): void {
    this.#books.open(owners, this.markets)
  }

  /** Takes each trade of the public stream, as an event. */
  onPublicTrade({ id, symbol, buyOrderId, sellOrderId, buyerId, sellerId }: WireTrade): void {
    if (!this.#isBegun) return
    const { own, intents, userId, auditor, underWay } = this.manager
    const orderIds = [buyOrderId, sellOrderId]
    const owned = orderIds.filter((id) => intents.isOwned(id))
    if (owned.length > 0) {
      // Also for a finished order: its end may come from an answer that was older than this trade.
      if (owned.some((orderId) => !own.isKnown({ id, orderId }))) this.#watch.request({ fills: true })
      return
    }
    const isOfAccount = userId !== undefined && (buyerId === userId || sellerId === userId)
    // A request in flight may be this order; its answer triggers the read.
    if (!isOfAccount || underWay > 0) return
    auditor.suspect(symbol)
    this.look()
  }

  /** Reads everything now: after a lost connection, a sleep, or on suspicion. */
  look(): void {
    if (!this.#isBegun || this.#isClosed) return
    this.manager.auditor.audit().catch(this.#options.onError)
    this.#watch.request({ fills: true })
  }

  /** Refuses requests of an owner that were not sent yet. */
  dropWaiting(owner: string): void {
    this.manager.dropWaiting(owner)
  }

  /** Resolves when no request has an unknown outcome. */
  async settled(): Promise<void> {
    await this.manager.settled()
  }

  /**
   * Resolves when everything was read again and every fill included in an answer was reported.
   * @throws {ExchangeError} if a read failed
   */
  async audited(): Promise<void> {
    const unaudited = await this.manager.auditor.audit()
    const fault = (await this.#watch.caughtUp()) ?? unaudited
    if (fault !== undefined) throw fault
  }

  /** Orders of an owner that can still be filled, as far as is known. */
  openOrderIds(owner: string): readonly string[] {
    return this.manager.own.all.flatMap(({ owner: its, order }) =>
      its === owner && !order.isSeenFinished ? [order.id] : [],
    )
  }

  /** Order creations of an owner with an unknown outcome, each described in a few words. */
  undecided(owner: string): readonly string[] {
    const intents = this.manager.intents.inState('SENDING', 'UNKNOWN').filter((intent) => intent.owner === owner)
    return intents.map((intent) => intentText(intent, this.#options.markets))
  }

  /** Owners of open orders that have no session here. */
  get absentOwners(): readonly string[] {
    const owners = this.manager.own.all.map(({ owner }) => owner)
    return [...new Set(owners)].filter((owner) => !this.#exchanges.has(owner) || this.#books.isAbsent(owner))
  }

  /** The view of an owner; undefined if it has none. */
  find(owner: string): LiveExchange | undefined {
    return this.#exchanges.get(owner)
  }

  /** Detaches an owner whose session has ended. */
  leave(owner: string): void {
    if (this.find(owner)?.isWritten === true) this.manager.saveReports(owner)
    this.#left.add(owner)
    this.#books.onLeft(owner, this.#join)
  }

  readonly #join = (owner: string): LiveExchange => this.exchangeOf(owner, 'wait')

  /** Closes the account. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#auditTimer?.cancel()
    this.#retryTimer?.cancel()
    this.manager.close()
    this.#watch.close()
    await this.#options.onClose()
  }

  /** Fills before, during and between earlier sessions are reported by this one, unless a file has them. */
  async #recover(): Promise<void> {
    const { fills, orders, balances } = await readBaseline(
      { calls: this.#options.calls, assets: this.#assets, orderOf: (intent) => orderAtStart(intent, this.#options) },
      this.manager.intents.inState('PLACED'),
    )
    await inEvent(this.#options.time, () => {
      for (const [intent, order] of orders) this.#takeOverOrAsk(intent, order, fills)
      // An order that ended while its owner was not running.
      for (const intent of this.#options.store.intents()) {
        const { orderId, owner, isFinished } = intent
        if (orderId === undefined || !isFinished || isReported(intent) || !this.#exchanges.has(owner)) continue
        this.manager.recover(intent, orderOf(intent, orderId), fills)
      }
      this.manager.own.takeFills(fills)
      this.#isRead = true
      this.#takeBalances(balances)
      this.#reportStart(fills)
    })
  }

  /** Emits the balances at which the sessions begin: before the first fill that they report. */
  #reportStart(fills: readonly WireFill[]): void {
    const exchanges = [...this.#exchanges.values()]
    const running = exchanges.filter(({ owner }) => !this.#books.isAbsent(owner))
    const reported = running.flatMap((exchange) => exchange.earlierFills)
    const accountParts = { balances: this.#balances, markets: this.markets, fees: this.#fees }
    const start = earlierBalances({ ...accountParts, fills, reported })
    for (const exchange of exchanges) exchange.startBalances = start
  }

  /** An operator may have assigned an order while no process ran that could read it. */
  #takeOverOrAsk(intent: Intent, order: WireOrder, fills: readonly WireFill[]): void {
    if (this.manager.reconciliations.isPossible(intent, order)) this.#takeOver(intent, order, fills)
    else this.manager.reconciliations.revertAdoption(intent, order)
  }

  #takeOver(intent: Intent, order: WireOrder, fills: readonly WireFill[]): void {
    // Adopted and reported a moment ago; it may have ended since.
    if (this.manager.own.find(order.id) !== undefined || this.manager.intents.find(intent.id) === undefined) return
    const own = this.manager.recover(intent, order, fills)
    if (isOpen(own.order.reported.status)) this.#exchanges.get(intent.owner)?.takeOver(own.order.reported)
  }

  #onBalances(balances: WireBalances): void {
    const isChanged = this.#takeBalances(balances)
    this.#books.check(this.#balances)
    if (!isChanged && !this.#areBalancesDue) return
    this.#areBalancesDue = false
    this.#books.emit(this.#balances)
  }

  /** @returns whether the balances changed */
  #takeBalances(balances: WireBalances): boolean {
    const next = ownBalancesOf(balances, this.#assets)
    const isSame = isSameBalances(this.#balances, next)
    if (!isSame) this.#balances = next
    return !isSame
  }

  #report(owner: string, updates: readonly AccountUpdate[]): void {
    this.#books.report(owner, updates)
    // A session that adds fills to the last balances must learn that these balances include them.
    this.#areBalancesDue ||= updates.some(({ type }) => type === 'fill')
  }

  readonly #onFault = (error: ExchangeError, kind: ReadKind): void => {
    if (this.#isClosed) return
    this.#troubles.onFault(error, kind)
    this.#retryTimer ??= this.#options.time.after(RETRY_MS, () => {
      this.#retryTimer = undefined
      this.look()
    })
  }

  #auditLater(): void {
    if (this.#isClosed) return
    this.#auditTimer = this.#options.time.after(this.#options.auditMs, () => {
      this.#audits += 1
      if (this.manager.auditor.isNeeded) this.look()
      else if (this.#audits % QUIET_AUDITS === 0) this.#watch.request({ fills: true })
      this.#auditLater()
    })
  }
}
