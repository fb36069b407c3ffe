/**
 * A take is a short word for what commands can say at length: the orders are cancelled, the crowd places its offers,
 * the orders are placed again with what was left of them, and the crowd cancels what is left of the offers.
 *
 * Known limit: without fees, since an order that is placed again has forgotten what it was charged.
 */
import { expect, it } from 'vitest'
import { CROWD, type Command } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange, RestingOrder, SnapshotExchange } from '../../src/exchange/exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { again, PROPERTY_SEED, runs } from '../property/property.ts'
import { CommandSource } from './rig/random-commands.ts'
import { randomScript, type RandomScript } from './rig/random-script.ts'

type TakeCommand = Extract<Command, { type: 'take' }>

const SCRIPTS = runs(150)

function withoutFees(script: RandomScript): RandomScript {
  const markets = script.markets.map((each) => ({
    ...each,
    config: { ...each.config, makerFeeBps: '0', takerFeeBps: '0' },
  }))
  return { ...script, markets, config: { ...script.config, markets: markets.map(({ config }) => config) } }
}

/** The same at length. @returns the trades of it */
function spellOut(exchange: Exchange, { time, symbol, orderIds, offers }: TakeCommand): readonly object[] {
  const reported: ExchangeEvent[] = []
  const execute = (command: Command): void => {
    const events = exchange.execute(command)
    expect(events[0]?.type).not.toMatch(/-refused$/)
    reported.push(...events)
  }
  const place = (account: string, side: 'BUY' | 'SELL', price: number, qty: number): number => {
    execute({ type: 'place', time, account, request: { symbol, side, type: 'LIMIT', price, qty } })
    return exchange.lastOrderId
  }
  const bids = exchange.restingTo(symbol, 'BUY', 1)
  const resting = [...bids, ...exchange.restingTo(symbol, 'SELL', Number.MAX_SAFE_INTEGER)]
  const takers = orderIds.flatMap((id) => resting.find(({ orderId }) => orderId === id) ?? [])
  const side = takers.some((taker) => bids.includes(taker)) ? 'BUY' : 'SELL'
  for (const { account, orderId } of takers) execute({ type: 'cancel', time, account, orderId })
  const offered = offers.map(({ price, qty }) => place(CROWD, side === 'BUY' ? 'SELL' : 'BUY', price, qty))
  for (const { account, price, qty } of takers) place(account, side, price, qty)
  const open = new Set(exchange.openOrders(CROWD).map(({ id }) => id))
  for (const orderId of offered) if (open.has(orderId)) execute({ type: 'cancel', time, account: CROWD, orderId })
  return tradesOf(reported)
}

const tradesOf = (events: readonly ExchangeEvent[]): readonly object[] =>
  events.flatMap((event) => {
    if (event.type !== 'traded') return []
    const { trade, taker, makerFee, takerFee } = event
    const { id, price, qty, isBuyerMaker, createdAt, buyerId, sellerId } = trade
    return [{ id, price, qty, isBuyerMaker, createdAt, buyerId, sellerId, side: taker.side, makerFee, takerFee }]
  })

/** What is left, but for the ids of orders. */
const leftBy = (exchange: Exchange, symbol: string, accounts: readonly string[]): object => {
  const queue = (orders: readonly RestingOrder[]): readonly object[] =>
    orders.map(({ account, price, qty }) => ({ account, price, qty }))
  return {
    bids: queue(exchange.restingTo(symbol, 'BUY', 1)),
    asks: queue(exchange.restingTo(symbol, 'SELL', Number.MAX_SAFE_INTEGER)),
    balances: accounts.map((account) => exchange.balances(account)),
    audit: exchange.audit(),
  }
}

/** @returns how many takes there were of which something was taken */
function play(script: RandomScript): number {
  const exchange: SnapshotExchange = createExchange(script.config)
  const source = new CommandSource(script)
  let takes = 0
  for (const step of script.steps) {
    for (const action of source.actionsOf(step, exchange)) {
      if (action.do === 'enter') exchange.enter(action.row)
      else if (action.do !== 'execute') exchange[action.do](action.print)
      else if (action.command.type !== 'take') exchange.execute(action.command)
      else {
        const { command } = action
        const other = restoreExchange(exchange.snapshot())
        const trades = tradesOf(exchange.execute(command))
        expect(trades).toEqual(spellOut(other, command))
        const { accounts } = script
        expect(leftBy(exchange, command.symbol, accounts)).toEqual(leftBy(other, command.symbol, accounts))
        if (trades.length > 0) takes += 1
      }
    }
  }
  return takes
}

it('a take without fees is the same as cancelling, offering, placing again and cancelling what is left', () => {
  let takes = 0
  for (let seed = PROPERTY_SEED; seed < PROPERTY_SEED + SCRIPTS; seed += 1) {
    try {
      takes += play(withoutFees(randomScript(seed)))
    } catch (cause) {
      throw new Error(again(seed), { cause })
    }
  }
  expect(takes, 'takes that took something').toBeGreaterThan(SCRIPTS)
})
