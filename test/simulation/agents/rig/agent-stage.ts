/**
 * A market for agents in tests, whose fair value moves only when it is asked to.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Side } from '../../../../src/domain/order.ts'
import type { Trade } from '../../../../src/domain/trade.ts'
import { createExchange } from '../../../../src/exchange/create-exchange.ts'
import type { FairValue } from '../../../../src/simulation/agents/fair-value.ts'
import type { Agent, Scene } from '../../../../src/simulation/agents/agent.ts'
import { Chance } from '../../../../src/simulation/agents/chance.ts'
import { AgentAccount } from '../../../../src/simulation/agents/agent-account.ts'
import { EventQueue } from '../../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../../src/simulation/simulated-markets.ts'
import { oneMarket } from '../../../exchange/rig/configs.ts'

export const SYMBOL = 'BTC_USD'
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
/** Noon, UTC. */
export const START = Date.UTC(2024, 0, 1, 12)

export const chanceOf = (seed: number): Chance => new Chance(xoroshiro128plus(seed)).split()

class ReportedWorth implements Pick<FairValue, 'price' | 'volatility' | 'onNews'> {
  volatility = 1
  #price: number
  readonly #listeners: ((move: number) => void)[] = []

  constructor(price: number) {
    this.#price = price
  }

  get price(): number {
    return this.#price
  }

  onNews(listener: (move: number) => void): void {
    this.#listeners.push(listener)
  }

  become(price: number): void {
    const move = price / this.#price - 1
    this.#price = price
    for (const listener of this.#listeners) listener(move)
  }
}

export class AgentStage {
  readonly queue = new EventQueue(START)
  readonly exchange = createExchange(oneMarket({ pricePrecision: 2, qtyPrecision: 5, selfTrade: 'reject' }))
  readonly market = new SimulatedMarkets(this.exchange, this.queue, () => new IdealLiquidity())
  readonly worth = new ReportedWorth(4_200_000)
  readonly scene: Scene = { queue: this.queue, fairValue: this.worth, unitQty: 100, pace: 1 }
  readonly trades: Trade[] = []
  #traders = 0

  constructor() {
    this.market.listen(SYMBOL, { onTrade: (trade) => this.trades.push(trade) })
  }

  /** The account of a trader with more than enough of both assets. */
  trader(account = `agent-${this.#traders}`, amount = 10n ** 18n): AgentAccount {
    this.#traders += 1
    const trader = new AgentAccount(this.market, SYMBOL, account)
    this.market.onEvents((events) => {
      for (const event of events) if (isOf(event, account)) trader.hear(event)
    })
    for (const asset of ['BTC', 'USD']) {
      this.market.execute({ type: 'credit', time: this.queue.now(), account, asset, amount })
    }
    return trader
  }

  start(create: (trader: AgentAccount, scene: Scene, chance: Chance) => Agent, seed = 1): AgentAccount {
    const trader = this.trader()
    const agent = create(trader, this.scene, chanceOf(seed))
    agent.listen()
    agent.start()
    return trader
  }

  /** Rests more than anyone will take, a tick from the price on both sides. */
  deepBook(price = this.worth.price, trader = this.trader()): AgentAccount {
    trader.cancelAll()
    trader.limit('BUY', price - 1, 1_000_000_000)
    trader.limit('SELL', price + 1, 1_000_000_000)
    return trader
  }

  run(ms: number): void {
    const end = this.queue.now() + ms
    while (this.queue.nextTime <= end) this.queue.runNext()
    this.queue.advance(end)
  }
}

function isOf(event: Parameters<AgentAccount['hear']>[0], account: string): boolean {
  if (event.type === 'traded') return [event.maker.userId, event.taker.userId].includes(account)
  return 'order' in event ? event.order.userId === account : event.account === account
}

export const sideOf = ({ isBuyerMaker }: Trade): Side => (isBuyerMaker ? 'SELL' : 'BUY')
