/**
 * A session with limits of risk on an account that a test holds in hand: its balances, prices, open orders, time, and
 * every answer.
 */
import { NEVER, Subject } from 'rxjs'
import { z } from 'zod'
import type {
  AccountUpdate,
  EarlierCandles,
  ExchangeAdapter,
  ReportedCandles,
  Placement,
  RequestOutcome,
} from '../../../src/adapter/exchange-adapter.ts'
import { decimalOf, toDecimal, type Decimal } from '../../../src/domain/decimal.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import { Journal } from '../../../src/runtime/journal/journal.ts'
import type { RiskLimits } from '../../../src/runtime/settings/risk-limits.ts'
import type { StateChange } from '../../../src/runtime/session-state.ts'
import { Session } from '../../../src/runtime/session/session.ts'
import type { SessionOptions } from '../../../src/runtime/session/session-parts.ts'
import { Turn } from '../../../src/runtime/session/turn.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import type { Intent, Outcome } from '../../../src/strategy/intent.ts'
import { MarketView } from '../../../src/strategy/market-view.ts'
import type { OwnBalances, OwnOrder } from '../../../src/strategy/own-order.ts'

const NO_LIMITS: RiskLimits = {
  maxOrder: null,
  maxPosition: null,
  collarPercent: null,
  ordersPerMinute: null,
  dayLoss: null,
  drawdownPercent: null,
  atLimit: null,
}

export interface AskedPlacement extends Placement {
  readonly reply: (outcome: RequestOutcome) => void
}

/** Does nothing by itself. */
export class HeldAccount implements ExchangeAdapter {
  readonly markets: readonly MarketView[]
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly placed: AskedPlacement[] = []
  readonly cancelled: { readonly orderId: string; readonly reply: (outcome: RequestOutcome) => void }[] = []
  readonly #timers: { readonly at: number; readonly action: () => void }[] = []
  readonly prices$ = new HotStream<Decimal>()
  readonly prices = (): HotStream<Decimal> => this.prices$
  readonly lastPrices = new Map<string, Decimal>()
  readonly open: OwnOrder[] = []
  #balances: OwnBalances = new Map()
  time = 0
  readonly connection = 'connected'
  readonly connection$ = NEVER
  readonly faults$ = NEVER

  constructor(markets: readonly MarketConfig[]) {
    this.markets = markets.map((market) => new MarketView(market, market))
  }

  readonly trades = (): typeof NEVER => NEVER
  readonly tickers = (): typeof NEVER => NEVER
  readonly candles = (): typeof NEVER => NEVER
  readonly at = (): void => undefined
  readonly reportedCandles = (): readonly ReportedCandles[] => []
  readonly earlierCandles = (): EarlierCandles => ({ since: 0, candles: [] })
  readonly afterCandles = (): void => undefined
  readonly gaps = (): typeof NEVER => NEVER
  readonly close = (): Promise<void> => Promise.resolve()
  readonly now = (): number => this.time
  readonly balances = (): OwnBalances => this.#balances
  readonly openOrders = (): readonly OwnOrder[] => this.open.toReversed()
  readonly lastPrice = (symbol: string): Decimal | undefined => this.lastPrices.get(symbol)

  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void {
    this.placed.push({ ...placement, reply })
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.cancelled.push({ orderId, reply })
  }

  after(delayMs: number, action: () => void): void {
    this.#timers.push({ at: this.time + delayMs, action })
  }

  /** Lets time pass, in its order. */
  passTo(time: number): void {
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.time = Math.max(this.time, next.at)
      next.action()
    }
    this.time = time
  }

  /** Before the session, or as an update in it. */
  setBalances(amounts: Readonly<Record<string, string | Decimal>>): void {
    this.#balances = new Map(
      Object.entries(amounts).map(([asset, amount]) => [asset, { available: toDecimal(amount), locked: toDecimal(0) }]),
    )
    this.updates$.push({ type: 'balances', balances: this.#balances })
  }

  setPrice(symbol: string, price: string | number): void {
    this.lastPrices.set(symbol, toDecimal(price))
    this.prices$.push(toDecimal(price))
  }

  /** Reported as an update, and known from then on. */
  reportOrder(order: OwnOrder): void {
    const index = this.open.findIndex(({ id }) => id === order.id)
    const isDone = order.status === 'FILLED' || order.status === 'CANCELLED'
    if (index >= 0) this.open.splice(index, 1, ...(isDone ? [] : [order]))
    else if (!isDone) this.open.push(order)
    this.updates$.push({ type: 'order', order })
  }

  reportFill(order: OwnOrder, qty: string | number | Decimal): void {
    const { id: orderId, symbol, side, price = toDecimal(1), createdAt } = order
    const fill = { tradeId: '1', orderId, symbol, side, price, qty: toDecimal(qty), isMaker: true, createdAt }
    this.updates$.push({ type: 'fill', fill: { ...fill, fee: toDecimal(0) } })
  }

  /** The order of a placement in a state. */
  orderOf(
    placement: Placement,
    id: string,
    status: OwnOrder['status'],
    filled: string | number | Decimal = 0,
  ): OwnOrder {
    const { symbol, side, type, qty } = placement.request
    const market = this.markets.find((each) => each.symbol === symbol)
    if (market === undefined) throw new Error(`no market '${symbol}'`)
    const price = placement.request.type === 'LIMIT' ? placement.request.price : undefined
    return {
      id,
      symbol,
      side,
      type,
      status,
      createdAt: this.time,
      qty: decimalOf(qty, market.qtyPrecision),
      filledQty: toDecimal(filled),
      ...(price !== undefined && { price: decimalOf(price, market.pricePrecision) }),
    }
  }
}

export interface RiskSession {
  readonly session: Session
  readonly account: HeldAccount
  readonly emit: (...intents: Intent[]) => void
  readonly heard: Outcome[]
  readonly lines: string[]
  readonly states: StateChange[]
  /** Messages of refusals by the risk so far. */
  readonly refused: () => readonly string[]
}

export function riskSession(
  account: HeldAccount,
  limits: Partial<RiskLimits>,
  more: Partial<SessionOptions> = {},
): RiskSession {
  const [intents, heard, lines, states] = [
    new Subject<readonly Intent[]>(),
    [] as Outcome[],
    [] as string[],
    [] as StateChange[],
  ]
  const turn = new Turn()
  turn.begin()
  const session = new Session({
    strategy: {
      name: 'test',
      params: z.object({}),
      run: ({ outcomes$ }) => {
        outcomes$.subscribe((outcome) => heard.push(outcome))
        return intents
      },
    },
    params: {},
    adapter: account,
    limits: undefined,
    onLimit: 'refuse',
    rounding: null,
    quoteAsset: 'USD',
    turn,
    risk: { ...NO_LIMITS, ...limits },
    journal: new Journal((line) => lines.push(line)),
    random: () => 0,
    log: () => undefined,
    report: (event) => {
      if (event.type === 'state') states.push(event.change)
    },
    ...more,
  })
  const refused = (): readonly string[] =>
    heard.flatMap((outcome) => (outcome.type === 'refused' && outcome.by === 'risk' ? [outcome.refusal.message] : []))
  const emit = (...all: Intent[]): void => {
    intents.next(all)
    account.passTo(account.time)
  }
  return { session, account, emit, heard, lines, states, refused }
}
