/**
 * The recorded market as a participant: it trades in the same books as everyone else, as the account `crowd`.
 *
 * Between commands it rests only at prices where our orders rest, as queue ahead of them, so a recorded trade with nothing of
 * ours at or beyond its price is printed at once. How much it shows, says the liquidity model of the market.
 */
import { CROWD } from '../domain/command.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import { opposite, type OrderRequest, type Side } from '../domain/order.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { LadderLevel, LiquidityModel, RecordedTrade } from './liquidity/liquidity-model.ts'

const MAX_QTY = BigInt(Number.MAX_SAFE_INTEGER)

export class Crowd {
  readonly #exchange: Exchange
  readonly #symbol: string
  readonly #model: LiquidityModel

  constructor(exchange: Exchange, symbol: string, model: LiquidityModel) {
    this.#exchange = exchange
    this.#symbol = symbol
    this.#model = model
  }

  /**
   * Trades a recorded trade with our orders that it touches. The caller prints what `printed` says, then calls `learn`.
   *
   * @returns what happened to our orders, and the lots that are left to print
   */
  meet(trade: RecordedTrade): { readonly events: readonly ExchangeEvent[]; readonly printed: number } {
    const side = this.#touchedSide(trade.price)
    if (side === undefined) return { events: [], printed: this.#model.remainder(trade, 0n) }
    const resting = this.#restingQty(side, trade.price)
    const reach = this.#model.reach(trade, resting)
    const events = this.#sweep(opposite(side), trade, reach < resting ? reach : resting)
    return { events, printed: this.#model.remainder(trade, tradedQty(events)) }
  }

  learn(trade: RecordedTrade): void {
    this.#model.learn(trade)
  }

  /** Enters an order of ours. The crowd's ladder is there while it is matched, and gone afterwards. */
  place(time: number, account: string, request: OrderRequest): readonly ExchangeEvent[] {
    const ladder = this.#model.ladder(request.side, request.qty).filter((level) => isReached(level, request))
    const orderIds = ladder.map((level) => this.#rest(time, opposite(request.side), level))
    const events = this.#exchange.execute({ type: 'place', time, account, request })
    for (const orderId of orderIds) this.#exchange.execute({ type: 'cancel', time, account: CROWD, orderId })
    return events
  }

  /** The side of ours that a trade at `price` reaches. Never both: our own book is not crossed. */
  #touchedSide(price: number): Side | undefined {
    const bid = this.#exchange.bestPrice(this.#symbol, 'BUY')
    if (bid !== undefined && bid >= price) return 'BUY'
    const ask = this.#exchange.bestPrice(this.#symbol, 'SELL')
    return ask !== undefined && ask <= price ? 'SELL' : undefined
  }

  #restingQty(side: Side, price: number): bigint {
    const { bids, asks } = this.#exchange.depth(this.#symbol)
    const touched =
      side === 'BUY' ? bids.filter((level) => level.price >= price) : asks.filter((level) => level.price <= price)
    return touched.reduce((sum, level) => sum + level.qty, 0n)
  }

  /** Trades `qty` lots against our orders, down or up to the recorded price. */
  #sweep(side: Side, { time, price }: RecordedTrade, qty: bigint): readonly ExchangeEvent[] {
    const events: ExchangeEvent[] = []
    for (let left = qty; left > 0n; left -= MAX_QTY) {
      const request = {
        symbol: this.#symbol,
        side,
        type: 'LIMIT',
        price,
        qty: Number(left < MAX_QTY ? left : MAX_QTY),
      } as const
      events.push(...this.#exchange.execute({ type: 'place', time, account: CROWD, request }))
    }
    return events
  }

  #rest(time: number, side: Side, { price, qty }: LadderLevel): number {
    const request = { symbol: this.#symbol, side, type: 'LIMIT', price, qty } as const
    this.#exchange.execute({ type: 'place', time, account: CROWD, request })
    return this.#exchange.lastOrderId
  }
}

function isReached({ price }: LadderLevel, request: OrderRequest): boolean {
  if (request.type === 'MARKET') return true
  return request.side === 'BUY' ? price <= request.price : price >= request.price
}

function tradedQty(events: readonly ExchangeEvent[]): bigint {
  return events.reduce((sum, event) => (event.type === 'traded' ? sum + BigInt(event.trade.qty) : sum), 0n)
}
