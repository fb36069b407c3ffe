/**
 * The exchange beside its naive twin, and the laws that it keeps by itself, under random commands.
 *
 * Repeatable: the seed is fixed. `PROPERTY_SEED=1 PROPERTY_RUNS=10000 npx vitest run test/exchange/twin.property.test.ts` looks
 * elsewhere and longer; `PROPERTY_CORNERS=1` prints how often each corner was reached.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditDifference } from '../../src/domain/audit.ts'
import { CROWD } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { divideUp } from '../../src/domain/fixed-point.ts'
import { FEE_RATE_ONE } from '../../src/domain/market.ts'
import type { Order } from '../../src/domain/order.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { createNaiveExchange } from '../twin/naive-exchange.ts'
import { Corners } from './corners.ts'
import { ExactFees } from './exact-fees.ts'
import { observe, withoutWords } from './observation.ts'
import { baseUnits, CommandSource, higherFeeRate, quoteUnits } from './random-commands.ts'
import type { Action } from './random-commands.ts'
import { ACCOUNTS, randomScript } from './random-market.ts'
import type { RandomScript } from './random-market.ts'

const SEED = Number(process.env.PROPERTY_SEED ?? 20_250_101)
const RUNS = Number(process.env.PROPERTY_RUNS ?? 400)
/** No claim about speed: a slow machine, or many runs, must not fail. */
const SLOW = { timeout: 600_000 }

interface Outcome {
  readonly events: readonly ExchangeEvent[]
  /** Id of a printed trade. */
  readonly printed?: number
}

function apply(exchange: Exchange, action: Action): Outcome {
  if (action.do === 'execute') return { events: exchange.execute(action.command) }
  return { events: [], printed: exchange.print(action.print) }
}

describe('the exchange and its naive twin', SLOW, () => {
  const corners = new Corners()

  it('answer every command and every question alike', () => {
    const law = fc.property(randomScript, (script) => {
      compare(script, corners)
    })
    fc.assert(law, { seed: SEED, numRuns: RUNS })
    if (process.env.PROPERTY_CORNERS !== undefined) console.log(corners.report())
    expect(corners.missed(), 'corners that no command reached').toEqual([])
  })
})

function compare(script: RandomScript, corners: Corners): void {
  const exchange = createExchange(script.config)
  const twin = createNaiveExchange(script.config)
  const source = new CommandSource(script)
  const watch = corners.watch()
  const checkReads = (turn: number): void => {
    const [found, expected] = [observe(exchange, source.now, turn), observe(twin, source.now, turn)]
    if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected)
  }
  script.steps.forEach((step, turn) => {
    for (const action of source.actionsOf(step, twin)) {
      const { events, printed } = apply(twin, action)
      const found = apply(exchange, action)
      expect(found.printed).toBe(printed)
      expect(withoutWords(found.events)).toStrictEqual(withoutWords(events))
      watch.see({ exchange: twin, action, events, now: source.now })
      checkReads(turn)
    }
    if (step.do === 'wait') checkReads(turn)
  })
}

describe('the exchange', SLOW, () => {
  /** Plays random scripts and calls `check` after each action with what happened. */
  const always = (newCheck: () => (exchange: Exchange, outcome: Outcome) => void) => {
    const law = fc.property(randomScript, (script) => {
      const exchange = createExchange(script.config)
      const source = new CommandSource(script)
      const check = newCheck()
      for (const step of script.steps) {
        for (const action of source.actionsOf(step, exchange)) check(exchange, apply(exchange, action))
      }
    })
    fc.assert(law, { seed: SEED, numRuns: RUNS })
  }

  it('decision 12: what was credited is held by accounts or was taken as a fee, to the last unit', () => {
    always(() => {
      const credited = new Map<string, bigint>()
      const fees = new Map<string, bigint>()
      const add = (sums: Map<string, bigint>, asset: string, amount: bigint): void => {
        sums.set(asset, (sums.get(asset) ?? 0n) + amount)
      }
      return (exchange, { events }) => {
        for (const event of events) {
          if (event.type === 'credited') add(credited, event.asset, event.amount)
          if (event.type !== 'traded') continue
          const { quoteAsset = '' } = exchange.markets.find(({ symbol }) => symbol === event.trade.symbol) ?? {}
          add(fees, quoteAsset, event.makerFee + event.takerFee)
        }
        for (const line of exchange.audit()) {
          const balances = ACCOUNTS.map((account) => exchange.balances(account).get(line.asset))
          const held = balances.reduce((sum, balance) => sum + (balance?.available ?? 0n) + (balance?.locked ?? 0n), 0n)
          expect(auditDifference(line)).toBe(0n)
          expect(line).toMatchObject({
            held,
            credited: credited.get(line.asset) ?? 0n,
            fees: fees.get(line.asset) ?? 0n,
          })
        }
      }
    })
  })

  it('decision 12: locked is the sum of the reservations of the live orders', () => {
    always(() => {
      const fees = new ExactFees()
      return (exchange, { events }) => {
        for (const event of events) if (event.type === 'traded') fees.add(exchange, event)
        for (const account of ACCOUNTS) {
          const locked = new Map([...exchange.scales.keys()].map((asset) => [asset, 0n]))
          for (const order of exchange.openOrders(account)) {
            const { asset, amount } = reservationOf(exchange, order, fees)
            locked.set(asset, (locked.get(asset) ?? 0n) + amount)
          }
          const found = [...exchange.balances(account)].map(([asset, balance]) => [asset, balance.locked] as const)
          expect(new Map(found)).toEqual(locked)
        }
      }
    })
  })

  it('no balance of a participant is ever negative', () => {
    always(() => (exchange) => {
      for (const account of ACCOUNTS) {
        for (const { available, locked } of exchange.balances(account).values()) {
          expect(account === CROWD || available >= 0n).toBe(true)
          expect(locked >= 0n).toBe(true)
        }
      }
    })
  })

  it('decision 11: no bid meets an ask', () => {
    always(() => (exchange) => {
      for (const { symbol } of exchange.markets) {
        const { bids, asks } = exchange.depth(symbol)
        const prices = [...asks.map(({ price }) => price).toReversed(), ...bids.map(({ price }) => price)]
        expect(prices).toEqual([...new Set(prices)].toSorted((a, b) => b - a))
        for (const { qty } of [...bids, ...asks]) expect(qty > 0n).toBe(true)
      }
    })
  })

  it('decision 10: a refused command changes nothing and takes no id', () => {
    const law = fc.property(randomScript, (script) => {
      const exchange = createExchange(script.config)
      const source = new CommandSource(script)
      script.steps.forEach((step, turn) => {
        for (const action of source.actionsOf(step, exchange)) {
          const before = structuredClone(observe(exchange, source.now, turn))
          const isRefused = apply(exchange, action).events.some(({ type }) => type.endsWith('-refused'))
          if (isRefused) expect(observe(exchange, source.now, turn)).toEqual(before)
        }
      })
    })
    fc.assert(law, { seed: SEED, numRuns: RUNS })
  })

  it('decision 18: ids of orders and of trades go up by one, over all markets and accounts', () => {
    always(() => {
      let lastOrderId = 0
      let lastTradeId = 0
      return (exchange, { events, printed }) => {
        if (printed !== undefined) {
          lastOrderId += 2
          expect(printed).toBe((lastTradeId += 1))
        }
        for (const event of events) {
          if (event.type === 'order-accepted') expect(event.order.id).toBe((lastOrderId += 1))
          if (event.type === 'traded') expect(event.trade.id).toBe((lastTradeId += 1))
        }
        expect(exchange.lastOrderId).toBe(lastOrderId)
      }
    })
  })

  it('spec 3: accounts for every lot of an order exactly once, and its state is that of its fills', () => {
    always(() => {
      const filled = new Map<number, number>()
      const finished = new Set<number>()
      return (_exchange, { events }) => {
        for (const event of events) {
          if (event.type === 'order-cancelled') expect(finished.has(event.order.id)).toBe(false)
          if (event.type === 'order-cancelled') finished.add(event.order.id)
          if (event.type !== 'traded') continue
          for (const order of [event.maker, event.taker]) {
            const qty = (filled.get(order.id) ?? 0) + event.trade.qty
            filled.set(order.id, qty)
            expect(finished.has(order.id)).toBe(false)
            expect(order.filledQty).toBe(qty)
            expect(qty).toBeLessThanOrEqual(order.qty)
            expect(order.status).toBe(qty === order.qty ? 'FILLED' : 'PARTIALLY_FILLED')
            if (qty === order.qty) finished.add(order.id)
          }
        }
      }
    })
  })
})

/** Decision 12, from the order as it is shown and the trades that were told. */
function reservationOf(exchange: Exchange, order: Order, fees: ExactFees): { asset: string; amount: bigint } {
  const market = exchange.markets.find(({ symbol }) => symbol === order.symbol)
  if (market === undefined || order.price === undefined) throw new Error(`order ${order.id} cannot rest`)
  const remaining = BigInt(order.qty - order.filledQty)
  const asset = order.side === 'BUY' ? market.quoteAsset : market.baseAsset
  if (order.userId === CROWD) return { asset, amount: 0n }
  if (order.side === 'SELL') return { asset, amount: baseUnits(exchange, market, remaining) }
  const rest = quoteUnits(exchange, market, BigInt(order.price) * remaining)
  const highestFee = divideUp(fees.of(order.id) + rest * higherFeeRate(market), FEE_RATE_ONE)
  return { asset, amount: rest + highestFee - order.fee }
}
