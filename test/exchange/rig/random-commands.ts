/**
 * Turns random steps into commands for the state that the exchange is in: ids that exist, amounts that fit an order.
 */
import { CROWD, type Command, type Offer } from '../../../src/domain/command.ts'
import { invariant } from '../../../src/domain/errors.ts'
import type { MarketConfig } from '../../../src/domain/market.ts'
import type { Order, OrderRequest } from '../../../src/domain/order.ts'
import type { Exchange, Print, RecordedRow } from '../../../src/exchange/exchange.ts'
import { feeRateOf, tenTo, withFee } from '../../twin/naive-numbers.ts'
import { Chance } from './chance.ts'
import type { RandomMarket } from './random-market.ts'
import type { RandomOrder, RandomScript, Step } from './random-script.ts'

type StepOf<Do extends Step['do']> = Extract<Step, { do: Do }>

/** `over` says by how much a funded order's account has more than it needs. */
export type Action =
  | { readonly do: 'execute'; readonly command: Command; readonly over?: -1 | 0 | 1 }
  | { readonly do: 'print' | 'list'; readonly print: Print }
  | { readonly do: 'enter'; readonly row: RecordedRow }

function higherFeeRate({ makerFeeBps, takerFeeBps }: MarketConfig): bigint {
  const [maker, taker] = [feeRateOf(makerFeeBps), feeRateOf(takerFeeBps)]
  return maker > taker ? maker : taker
}

/** Ledger units of the base asset of lots. */
const baseUnits = ({ scales }: Exchange, { baseAsset, qtyPrecision }: MarketConfig, lots: bigint): bigint =>
  lots * tenTo((scales.get(baseAsset) ?? 0) - qtyPrecision)

/** Ledger units of the quote asset of ticks x lots. */
const quoteUnits = ({ scales }: Exchange, rules: MarketConfig, notional: bigint): bigint =>
  notional * tenTo((scales.get(rules.quoteAsset) ?? 0) - rules.pricePrecision - rules.qtyPrecision)

const openQty = ({ qty, filledQty }: Order): number => qty - filledQty

function isAheadOfUser(exchange: Exchange, { id, symbol, side, price = 0 }: Order): boolean {
  const queue = exchange.restingAt(symbol, side, price)
  return queue.slice(queue.findIndex(({ orderId }) => orderId === id)).some(({ account }) => account !== CROWD)
}

/** Time goes on with the steps; nothing else is remembered between them. */
export class CommandSource {
  readonly #script: RandomScript
  now = Date.UTC(2025, 0, 1)

  constructor(script: RandomScript) {
    this.#script = script
  }

  /**
   * The actions of a step, each for the state that the one before it left; a wait has none, nor have offers that no one
   * is there for, nor the shrinking of an order where the crowd has none.
   */
  *actionsOf(step: Step, exchange: Exchange): Generator<Action> {
    switch (step.do) {
      case 'wait':
        this.now += step.ms
        return
      case 'place':
        yield { do: 'execute', command: this.#place(step) }
        return
      case 'fund-and-place':
        yield* this.#fundAndPlace(step, exchange)
        return
      case 'fund-in-part':
        yield* this.#fundInPart(step, exchange)
        return
      case 'cancel':
        yield this.#cancel(step.account, step.pick % (exchange.lastOrderId + 2))
        return
      case 'cancel-own':
        yield this.#cancelOwn(step, exchange)
        return
      case 'credit':
        yield { do: 'execute', command: this.#credit(step, exchange) }
        return
      case 'credit-to-power':
        yield { do: 'execute', command: this.#creditToPower(step, exchange) }
        return
      case 'print':
      case 'list':
        yield { do: step.do, print: this.#print(step) }
        return
      case 'enter': {
        const { symbol, time, price, qty } = this.#print(step)
        yield { do: 'enter', row: { symbol, time, price, qty, part: step.part } }
        return
      }
      case 'take':
        yield* this.#take(step, exchange)
        return
      case 'reduce':
        yield* this.#reduce(step, exchange)
        return
      case 'burst':
        yield* this.#burst(step)
    }
  }

  #marketOf(index: number): RandomMarket {
    const market = this.#script.markets[index % this.#script.markets.length]
    invariant(market !== undefined, 'a script has markets')
    return market
  }

  #requestOf({ market, side, type, price, qty }: RandomOrder): OrderRequest {
    const { config, ladder, qtyUnit } = this.#marketOf(market)
    const common = { symbol: config.symbol, side, qty: qty * qtyUnit }
    return type === 'LIMIT' ? { ...common, type, price: ticksOf(ladder, price) } : { ...common, type }
  }

  #place(order: RandomOrder): Command {
    const request = this.#requestOf(order)
    const offers = this.#offersOf(order)
    const command = { type: 'place', time: this.now, account: order.account, request, ...marked(order) } as const
    return offers.length === 0 ? command : { ...command, offers }
  }

  #offersOf({ market, offers }: Pick<RandomOrder, 'market' | 'offers'>): readonly Offer[] {
    const { ladder, qtyUnit } = this.#marketOf(market)
    return offers.map(({ price, qty }) => ({ price: ticksOf(ladder, price), qty: qty * qtyUnit }))
  }

  *#fundAndPlace(step: StepOf<'fund-and-place'>, exchange: Exchange): Generator<Action> {
    const { config } = this.#marketOf(step.market)
    const { account, over } = step
    const asset = step.side === 'BUY' ? config.quoteAsset : config.baseAsset
    const available = exchange.balances(account).get(asset)?.available ?? 0n
    const amount = needOf(exchange, config, this.#requestOf(step), this.#offersOf(step)) + BigInt(over) - available
    yield { do: 'execute', command: { type: 'credit', time: this.now, account, asset, amount } }
    yield { do: 'execute', command: this.#place(step), over }
  }

  *#fundInPart(step: StepOf<'fund-in-part'>, exchange: Exchange): Generator<Action> {
    const { config, qtyUnit } = this.#marketOf(step.market)
    const makers = exchange.restingTo(config.symbol, 'SELL', Number.MAX_SAFE_INTEGER).slice(0, step.makers)
    const lots = makers.reduce((total, { qty }) => total + qty, 0)
    const over = makers.length < step.makers ? 0 : step.over
    const [credit, place] = this.#fundAndPlace({ ...step, do: 'fund-and-place', over, qty: lots / qtyUnit }, exchange)
    if (credit === undefined || place?.do !== 'execute' || place.command.type !== 'place') return
    yield credit
    const { command } = place
    yield { do: 'execute', command: { ...command, request: { ...command.request, qty: lots + step.qty * qtyUnit } } }
  }

  #cancel(account: string, orderId: number): Action {
    return { do: 'execute', command: { type: 'cancel', time: this.now, account, orderId } }
  }

  /** An open order of the account, or of another one if it has none. */
  #cancelOwn({ account, pick }: Extract<Step, { do: 'cancel-own' }>, exchange: Exchange): Action {
    for (const owner of [account, ...this.#script.accounts]) {
      const open = exchange.openOrders(owner)
      const order = open[pick % Math.max(1, open.length)]
      if (order !== undefined) return this.#cancel(owner, order.id)
    }
    return this.#cancel(account, 0)
  }

  /**
   * Every other time one that has a user behind it, if there is any. By units of its market where the step does not say
   * all, so that long scripts go on in units.
   */
  *#reduce({ pick, qty }: StepOf<'reduce'>, exchange: Exchange): Generator<Action> {
    const open = exchange.openOrders(CROWD).filter((order) => openQty(order) > 1)
    const ahead = pick % 2 === 0 ? open.filter((order) => isAheadOfUser(exchange, order)) : []
    const orders = ahead.length > 0 ? ahead : open
    const order = orders[Math.floor(pick / 2) % Math.max(1, orders.length)]
    if (order === undefined) return
    const most = openQty(order) - 1
    const { qtyUnit } = this.#marketOf(exchange.markets.findIndex(({ symbol }) => symbol === order.symbol))
    const lots = qty === 0 ? most : Math.min(qty, Math.floor(most / qtyUnit)) * qtyUnit
    if (lots === 0) return
    const { now: time } = this
    yield { do: 'execute', command: { type: 'reduce', time, account: CROWD, orderId: order.id, qty: lots } }
  }

  #credit(step: Extract<Step, { do: 'credit' }>, exchange: Exchange): Command {
    const { config, ladder, qtyUnit } = this.#marketOf(step.market)
    const lots = BigInt(step.qty) * BigInt(qtyUnit)
    const ticks = BigInt(ticksOf(ladder, step.price))
    const units = step.of === 'base' ? baseUnits(exchange, config, lots) : quoteUnits(exchange, config, lots * ticks)
    const asset = assetOf(config, step.of)
    const amount = (units + BigInt(step.over)) * (step.isDebit ? -1n : 1n)
    return { type: 'credit', time: this.now, account: step.account, asset, amount }
  }

  #creditToPower(step: Extract<Step, { do: 'credit-to-power' }>, exchange: Exchange): Command {
    const { account, of, power, over } = step
    const asset = assetOf(this.#marketOf(step.market).config, of)
    const available = exchange.balances(account).get(asset)?.available ?? 0n
    return { type: 'credit', time: this.now, account, asset, amount: 2n ** BigInt(power) + BigInt(over) - available }
  }

  #print(step: Extract<Step, { do: 'print' | 'list' | 'enter' }>): Print {
    const { config, ladder, qtyUnit } = this.#marketOf(step.market)
    const [price, qty] = [ticksOf(ladder, step.price), step.qty * qtyUnit]
    return { symbol: config.symbol, time: this.now, price, qty, isBuyerMaker: step.side === 'SELL' }
  }

  *#burst({ market, rows, ms, seed }: StepOf<'burst'>): Generator<Action> {
    const { config, ladder, qtyUnit } = this.#marketOf(market)
    const chance = new Chance(seed)
    for (let row = 0; row < rows; row += 1) {
      this.now += ms
      const [price, qty] = [chance.pick(ladder), chance.between(1, 9) * qtyUnit]
      yield { do: 'enter', row: { symbol: config.symbol, time: this.now, price, qty, part: 'whole' } }
    }
  }

  *#take(step: StepOf<'take'>, exchange: Exchange): Generator<Action> {
    const { side, others, shuffle } = step
    const { symbol } = this.#marketOf(step.market).config
    const offers = this.#offersOf(step)
    const prices = offers.map(({ price }) => price)
    const [best, worst] = side === 'BUY' ? [Math.min(...prices), 1] : [Math.max(...prices), Number.MAX_SAFE_INTEGER]
    const count = exchange.restingTo(symbol, side, best).length + others
    const ids = exchange.restingTo(symbol, side, worst).map(({ orderId }) => orderId)
    if (count === 0 || ids.length === 0) return
    const orderIds = shuffled(ids.slice(0, count), shuffle)
    yield { do: 'execute', command: { type: 'take', time: this.now, symbol, orderIds, offers, ...marked(step) } }
  }
}

function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  if (seed === 0) return list
  const chance = new Chance(seed)
  const left = [...list]
  return list.flatMap(() => left.splice(chance.below(left.length), 1))
}

const marked = ({ matches }: Pick<RandomOrder, 'matches'>): Pick<Extract<Command, { type: 'place' }>, 'matches'> =>
  matches === 'counted' ? {} : { matches }

const ticksOf = (ladder: readonly number[], price: number): number => ladder[price - 1] ?? 0

const assetOf = ({ baseAsset, quoteAsset }: MarketConfig, of: 'base' | 'quote' | 'unknown'): string =>
  ({ base: baseAsset, quote: quoteAsset, unknown: 'XYZ' })[of]

/** What an order needs of its account's `available` (decision 10), in ledger units. */
function needOf(exchange: Exchange, rules: MarketConfig, request: OrderRequest, offers: readonly Offer[]): bigint {
  if (request.side === 'SELL') return baseUnits(exchange, rules, BigInt(request.qty))
  const cost = (notional: bigint, rate: bigint): bigint => withFee(quoteUnits(exchange, rules, notional), rate)
  if (request.type === 'LIMIT') return cost(BigInt(request.price) * BigInt(request.qty), higherFeeRate(rules))
  let left = BigInt(request.qty)
  let notional = 0n
  const asks = [
    ...exchange.depth(request.symbol).asks,
    ...offers.map(({ price, qty }) => ({ price, qty: BigInt(qty) })),
  ]
  for (const { price, qty } of asks.sort((a, b) => a.price - b.price)) {
    const taken = qty < left ? qty : left
    notional += BigInt(price) * taken
    left -= taken
  }
  return cost(notional, feeRateOf(rules.takerFeeBps))
}
