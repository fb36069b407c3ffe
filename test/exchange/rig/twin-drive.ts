/**
 * Plays commands through an exchange and its naive twin, and holds the one against the other and both against the laws.
 *
 * After every command: the events are the twin's; they keep every law that a shadow of them can check (see shadow.ts);
 * balances, live orders and books that the command touched, the audit and the last id are the shadow's, and after a
 * refusal those of every account and market, and the snapshot is the one before it. Every `lookEvery` commands: every
 * read is the twin's. Every `restartEvery` commands: the exchange goes on from its snapshot, read from JSON, which must
 * answer every read as the one before and have the same snapshot.
 */
import { CROWD, type Command } from '../../../src/domain/command.ts'
import type { AuditLine } from '../../../src/domain/audit.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { Order } from '../../../src/domain/order.ts'
import type { Exchange, ExchangeConfig, Print, RecordedRow, SnapshotExchange } from '../../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../../src/exchange/snapshot/exchange-snapshot.ts'
import { createNaiveExchange } from '../../twin/naive-exchange.ts'
import type { CornerWatch } from './corner-watch.ts'
import { law, mustBeSame } from './difference.ts'
import { observe, withoutWords } from './observation.ts'
import type { Action } from './random-commands.ts'
import { Shadow } from './shadow.ts'

export interface DriveOptions {
  readonly create: (config: ExchangeConfig) => SnapshotExchange
  /** Everyone who takes part. */
  readonly accounts: readonly string[]
  /** Commands from one full look to the next; one in twice as many refusals is followed by one too. */
  readonly lookEvery: number
  readonly restore: (snapshot: ExchangeSnapshot) => SnapshotExchange
  /** Commands from one restart to the next. */
  readonly restartEvery: number
  /** Commands from one audit to the next, and refusals from one comparison of snapshots to the next; default: each. */
  readonly auditEvery?: number
  readonly watch?: CornerWatch | undefined
}

/** How large a state became. */
export interface DriveSizes {
  resting: number
  /** Price levels of one side. */
  levels: number
  finished: number
  rows: number
}

/** Best levels of a book that are looked at after a command. */
const LEVELS = 3

export class TwinDrive {
  readonly #options: DriveOptions
  readonly #twin: Exchange
  readonly #shadow: Shadow
  #exchange: SnapshotExchange
  #now = 0
  #refusals = 0
  readonly #sizes: DriveSizes = { resting: 0, levels: 0, finished: 0, rows: 0 }
  commands = 0

  constructor(config: ExchangeConfig, options: DriveOptions) {
    this.#options = options
    this.#exchange = options.create(config)
    this.#twin = createNaiveExchange(config)
    this.#shadow = new Shadow(config)
    options.watch?.begin(this.#shadow, options.accounts)
  }

  /** The exchange as it is now: to be read, not to be given commands. */
  get exchange(): Exchange {
    return this.#exchange
  }

  /** The most that were there whenever all was looked at. */
  get sizes(): DriveSizes {
    return this.#sizes
  }

  /** @throws {Difference} when the exchange does not do what it must */
  play(action: Action): readonly ExchangeEvent[] {
    this.commands += 1
    const events = this.#do(action)
    this.#options.watch?.see({ exchange: this.#exchange, action, events })
    this.#lookAround()
    return events
  }

  /** Compares all that can be asked. @param now  not before the last command */
  look(now: number): void {
    this.#now = now
    const turn = this.commands
    const { accounts } = this.#options
    mustBeSame('reads', observe(this.#exchange, accounts, now, turn), observe(this.#twin, accounts, now, turn))
    this.#options.watch?.look(this.#exchange, now)
    this.#measure()
  }

  #do(action: Action): readonly ExchangeEvent[] {
    if (action.do === 'execute') return this.#execute(action)
    if (action.do === 'enter') this.#enter(action.row)
    else this.#print(action)
    this.#lookAtExchange()
    return []
  }

  #print({ do: form, print }: Extract<Action, { do: 'print' | 'list' }>): void {
    this.#now = print.time
    const id = this.#printByTurns(form, print)
    mustBeSame('id of a print', id, this.#twin[form](print))
    this.#shadow.print(print.time, id)
  }

  /** A print may come by either of two ways. */
  #printByTurns(form: 'print' | 'list', print: Print): number {
    if (this.commands % 2 === 0) return this.#exchange[form](print)
    return this.#exchange.market(print.symbol)[form](print.time, print.price, print.qty, print.isBuyerMaker)
  }

  /** So may a row. */
  #enter(row: RecordedRow): void {
    this.#now = row.time
    this.#sizes.rows += 1
    this.#twin.enter(row)
    this.#shadow.enter(row.time)
    if (this.commands % 2 === 0) this.#exchange.enter(row)
    else this.#exchange.market(row.symbol).enter(row.time, row.price, row.qty, row.part)
  }

  #execute({ command }: Extract<Action, { do: 'execute' }>): readonly ExchangeEvent[] {
    this.#now = command.time
    const expected = this.#twin.execute(command)
    const isRefused = expected[0]?.type.endsWith('-refused') === true
    const state = isRefused && this.#isTurnOf(this.#refusals) ? this.#stateText() : ''
    const events = this.#exchange.execute(command)
    mustBeSame('events', withoutWords(events), withoutWords(expected))
    this.#shadow.follow(command, events)
    this.#lookAtExchange()
    if (isRefused) this.#lookAfterRefusal(state)
    else if (command.type === 'take') this.#lookAfterTake(command)
    else this.#lookAtTouched(command.account, events)
    return events
  }

  #lookAround(): void {
    const { lookEvery, restartEvery } = this.#options
    if (this.commands % lookEvery === 0) this.look(this.#now)
    if (this.commands % restartEvery === 0) this.#restart()
  }

  #restart(): void {
    const snapshot = JSON.stringify(this.#exchange.snapshot())
    const read = (): object => observe(this.#exchange, this.#options.accounts, this.#now, this.commands)
    const before = read()
    this.#exchange = this.#options.restore(JSON.parse(snapshot) as ExchangeSnapshot)
    law(
      JSON.stringify(this.#exchange.snapshot()) === snapshot,
      'a restored exchange has the snapshot that it was made of',
    )
    mustBeSame('reads after a restart', read(), before)
    this.#options.watch?.restarted(this.#exchange)
  }

  #measure(): void {
    const sizes = this.#sizes
    const orders = [...this.#shadow.ordersById.values()]
    const resting = orders.filter(({ isOpen }) => isOpen).length
    const sides = [...this.#shadow.marketsBySymbol.values()].flatMap(({ bids, asks }) => [bids, asks])
    sizes.resting = Math.max(sizes.resting, resting)
    sizes.finished = Math.max(sizes.finished, orders.length - resting)
    sizes.levels = Math.max(sizes.levels, ...sides.map(({ levelCount }) => levelCount))
  }

  // ---- what a command touched

  #lookAtExchange(): void {
    if (this.#exchange.lastOrderId !== this.#shadow.lastOrderId) {
      mustBeSame('lastOrderId', this.#exchange.lastOrderId, this.#shadow.lastOrderId)
    }
    if (!this.#isTurnOf(this.commands)) return
    for (const line of this.#exchange.audit()) this.#lookAtAudit(line)
  }

  /** Decision 12: what was credited is held by accounts or was taken as a fee, to the last unit. */
  #lookAtAudit({ asset, credited, held, fees }: AuditLine): void {
    const { ledger } = this.#shadow
    const isTrue = credited === ledger.credited.get(asset) && fees === ledger.fees.get(asset)
    if (isTrue && held === ledger.held(asset) && credited === held + fees) return
    const expected = { credited: ledger.credited.get(asset), held: ledger.held(asset), fees: ledger.fees.get(asset) }
    mustBeSame(`audit of ${asset}`, { credited, held, fees }, expected)
    mustBeSame(`credited ${asset}`, credited, held + fees)
  }

  #isTurnOf(count: number): boolean {
    return count % (this.#options.auditEvery ?? 1) === 0
  }

  /** All that the exchange will ever answer from, but for the time. */
  #stateText(): string {
    return JSON.stringify({ ...this.#exchange.snapshot(), time: 0 })
  }

  /** Decision 10: a refused command changes nothing. @param before  the state before it, or nothing */
  #lookAfterRefusal(before: string): void {
    law(before === '' || this.#stateText() === before, 'a refused command changes nothing but the time')
    for (const account of this.#options.accounts) this.#lookAtBalances(account)
    for (const symbol of this.#shadow.marketsBySymbol.keys()) this.#lookAtBook(symbol)
    this.#refusals += 1
    if (this.#refusals % (2 * this.#options.lookEvery) === 0) this.look(this.#now)
  }

  #lookAtTouched(account: string, events: readonly ExchangeEvent[]): void {
    this.#lookAtBalances(account)
    for (const event of events) {
      if (event.type === 'traded') this.#lookAtMaker(account, event.maker)
      else if ('order' in event) this.#lookAtRest(account, event.order)
    }
  }

  #lookAfterTake({ symbol, orderIds }: Extract<Command, { type: 'take' }>): void {
    this.#lookAtBalances(CROWD)
    this.#lookAtBook(symbol)
    for (const id of orderIds) {
      const account = this.#shadow.ordersById.get(id)?.account ?? CROWD
      this.#lookAtBalances(account)
      this.#lookAtOrder(account, id)
      this.#lookAtQueue(id)
    }
  }

  #lookAtMaker(account: string, { userId, id }: Order): void {
    if (userId !== account) this.#lookAtBalances(userId)
    this.#lookAtOrder(userId, id)
  }

  /** What became of an order that came, shrank or went, and of the queue and the book in which it is or was. */
  #lookAtRest(account: string, { id, symbol }: Order): void {
    this.#lookAtOrder(account, id)
    this.#lookAtBook(symbol)
    this.#lookAtQueue(id)
  }

  /** Decision 12: locked is the sum of the reservations of the live orders, which is what the shadow locked. */
  #lookAtBalances(account: string): void {
    const expected = this.#shadow.ledger.balancesOf(account)
    for (const [asset, { available, locked }] of this.#exchange.balances(account)) {
      const balance = expected.get(asset)
      if (available === balance?.available && locked === balance.locked) continue
      mustBeSame(`${asset} of ${account}`, { available, locked }, balance)
    }
  }

  #lookAtOrder(account: string, orderId: number): void {
    const order = this.#shadow.ordersById.get(orderId)
    if (order?.isOpen === true) mustBeSame(`order ${orderId}`, this.#exchange.order(account, orderId), order.shown())
  }

  /** Decision 11: no bid meets an ask, in the shadow's book and so in the exchange's. */
  #lookAtBook(symbol: string): void {
    const market = this.#shadow.marketsBySymbol.get(symbol)
    const expected = { bids: market?.bids.depth(LEVELS), asks: market?.asks.depth(LEVELS) }
    mustBeSame(`book of ${symbol}`, this.#exchange.depth(symbol, LEVELS), expected)
    const [bid, ask] = [this.#exchange.bestPrice(symbol, 'BUY'), this.#exchange.bestPrice(symbol, 'SELL')]
    mustBeSame(`best prices of ${symbol}`, [bid, ask], [expected.bids?.[0]?.price, expected.asks?.[0]?.price])
  }

  /** The queue at the price of an order that came, shrank or went. */
  #lookAtQueue(orderId: number): void {
    const order = this.#shadow.ordersById.get(orderId)
    if (order === undefined || order.request.type === 'MARKET') return
    const { symbol, side, price } = order.request
    const queue = (side === 'BUY' ? order.market.bids : order.market.asks).ordersAt(price)
    const expected = queue.map((each) => ({ orderId: each.id, account: each.account, price, qty: each.remaining }))
    mustBeSame(`queue at ${price}`, this.#exchange.restingAt(symbol, side, price), expected)
  }
}
