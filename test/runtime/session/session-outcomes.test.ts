/**
 * A session on an adapter of which no one knows what it will answer.
 */
import { NEVER, Subject } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type {
  AccountUpdate,
  EarlierCandles,
  ExchangeAdapter,
  RequestOutcome,
  ReportedCandles,
} from '../../../src/adapter/exchange-adapter.ts'
import { toDecimal } from '../../../src/domain/decimal.ts'
import type { RefusalCode } from '../../../src/domain/refusal.ts'
import { Journal } from '../../../src/runtime/journal/journal.ts'
import { Session } from '../../../src/runtime/session/session.ts'
import { Turn } from '../../../src/runtime/session/turn.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import type { Intent, Outcome } from '../../../src/strategy/intent.ts'
import { MarketView } from '../../../src/strategy/market-view.ts'
import { buyMarket, cancel } from '../../../src/strategy/orders.ts'
import type { OwnBalances, OwnOrder } from '../../../src/strategy/own-order.ts'
import { market } from '../../exchange/rig/configs.ts'

const CONFIG = market('BTC_USD')

const ORDER: OwnOrder = {
  id: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'MARKET',
  status: 'OPEN',
  createdAt: 0,
  qty: toDecimal(1),
  filledQty: toDecimal(0),
}

/** Keeps what it is asked, for the test to answer. */
class AskedAdapter implements ExchangeAdapter {
  readonly markets = [new MarketView(CONFIG, CONFIG)]
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly asked: { readonly what: string; readonly reply: (outcome: RequestOutcome) => void }[] = []
  readonly trades = (): typeof NEVER => NEVER
  readonly prices = (): typeof NEVER => NEVER
  readonly tickers = (): typeof NEVER => NEVER
  readonly candles = (): typeof NEVER => NEVER
  readonly at = (): void => undefined
  readonly reportedCandles = (): readonly ReportedCandles[] => []
  readonly earlierCandles = (): EarlierCandles => ({ since: 0, candles: [] })
  readonly afterCandles = (): void => undefined
  readonly gaps = (): typeof NEVER => NEVER
  readonly connection = 'connected'
  readonly connection$ = NEVER
  readonly faults$ = NEVER
  readonly close = (): Promise<void> => Promise.resolve()
  readonly now = (): number => 5
  readonly balances = (): OwnBalances => new Map()
  readonly openOrders = (): readonly OwnOrder[] => []
  readonly lastPrice = (): undefined => undefined
  readonly after = (): undefined => undefined

  place(_placement: unknown, reply: (outcome: RequestOutcome) => void): void {
    this.asked.push({ what: 'place', reply })
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.asked.push({ what: `cancel ${orderId}`, reply })
  }
}

let adapter: AskedAdapter
let intents: Subject<Intent>
let heard: Outcome[]
let lines: string[]
let refusals: RefusalCode[]
let session: Session
beforeEach(() => {
  adapter = new AskedAdapter()
  intents = new Subject()
  heard = []
  lines = []
  refusals = []
  const turn = new Turn()
  turn.begin()
  session = new Session({
    strategy: {
      name: 'test',
      params: z.object({}),
      run: ({ outcomes$, orders$ }) => {
        outcomes$.subscribe((outcome) => heard.push(outcome))
        orders$.subscribe(({ status, tag }) => lines.push(`reported ${status} ${String(tag)}`))
        return intents
      },
    },
    params: {},
    adapter,
    limits: undefined,
    onLimit: 'refuse',
    rounding: null,
    risk: undefined,
    quoteAsset: 'USD',
    turn,
    journal: new Journal((line) => lines.push(line)),
    random: () => 0,
    log: () => undefined,
    report: (event) => {
      if (event.type === 'refusal') refusals.push(event.refused.refusal.code)
    },
  })
  session.start()
})

describe('an outcome', () => {
  it('that no one knows is reported as such, with its intent, and is no refusal', () => {
    const intent = buyMarket('BTC_USD', 1, { tag: 'mine' })
    intents.next(intent)
    adapter.asked[0]?.reply({ type: 'unknown', reason: 'timeout' })
    expect(heard).toEqual([{ type: 'unknown', intent, reason: 'timeout' }])
    expect(lines.at(-1)).toBe('{"t":5,"type":"unknown","ref":1,"reason":"timeout"}')
    expect(refusals).toEqual([])
  })

  it('of each request finds its own intent, in whatever order they are answered', () => {
    const [first, second] = [buyMarket('BTC_USD', 1), cancel('7')]
    intents.next(first)
    intents.next(second)
    expect(adapter.asked.map(({ what }) => what)).toEqual(['place', 'cancel 7'])
    adapter.asked[1]?.reply({ type: 'refused', refusal: { code: 'ORDER_NOT_FOUND', message: 'gone' } })
    adapter.asked[0]?.reply({ type: 'acknowledged', order: ORDER })
    expect(heard.map(({ intent }) => intent)).toEqual([second, first])
    expect(refusals).toEqual(['ORDER_NOT_FOUND'])
  })

  it('that was unknown is reported again when it is settled, with its intent', () => {
    const [lost, other] = [buyMarket('BTC_USD', 1, { tag: 'lost' }), buyMarket('BTC_USD', 2)]
    intents.next(lost)
    intents.next(other)
    for (const { reply } of adapter.asked) reply({ type: 'unknown', reason: 'timeout' })
    heard.length = 0
    adapter.updates$.push({ type: 'settled', reference: 2, settlement: { type: 'absent' } })
    adapter.updates$.push({ type: 'settled', reference: 1, settlement: { type: 'ambiguous', reason: 'two of them' } })
    adapter.updates$.push({ type: 'settled', reference: 1, settlement: { type: 'adopted', order: ORDER } })
    adapter.updates$.push({ type: 'settled', reference: 2, settlement: { type: 'adopted', order: ORDER } })
    expect(heard).toEqual([
      { type: 'absent', intent: other },
      { type: 'ambiguous', intent: lost, reason: 'two of them' },
      { type: 'acknowledged', intent: lost, order: ORDER },
      { type: 'acknowledged', intent: other, order: ORDER },
    ])
    expect(lines.slice(-4).map((line) => line.slice(0, 30))).toEqual([
      '{"t":5,"type":"absent","ref":2',
      '{"t":5,"type":"ambiguous","rea',
      '{"t":5,"type":"adopted","ref":',
      '{"t":5,"type":"adopted","ref":',
    ])
  })

  it('is journaled, though not reported, after the strategy is over', () => {
    intents.next(buyMarket('BTC_USD', 1))
    session.stopStrategy()
    adapter.asked[0]?.reply({ type: 'unknown', reason: 'timeout' })
    intents.next(buyMarket('BTC_USD', 1))
    expect(heard).toEqual([])
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['place', 'unknown'])
    expect(adapter.asked).toHaveLength(1)
  })
})

describe('an update', () => {
  it('is no longer heard when the session is over', () => {
    session.stop()
    adapter.updates$.push({ type: 'order', order: ORDER })
    expect(lines).toEqual([])
    expect(adapter.updates$.isWatched).toBe(false)
  })
})
