/**
 * Adds up the exact fee of each order from the trades that were told, at each fill's own role (decision 12).
 */
import { CROWD } from '../../src/domain/command.ts'
import { invariant } from '../../src/domain/errors.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { feeRate, quoteUnits } from './random-commands.ts'

export class ExactFees {
  /** In 10^-8 ledger units. */
  readonly #byOrder = new Map<number, bigint>()

  of(orderId: number): bigint {
    return this.#byOrder.get(orderId) ?? 0n
  }

  add(exchange: Exchange, { trade, maker, taker }: Extract<ExchangeEvent, { type: 'traded' }>): void {
    const market = exchange.markets.find(({ symbol }) => symbol === trade.symbol)
    invariant(market !== undefined, `no market ${trade.symbol}`)
    const notional = quoteUnits(exchange, market, BigInt(trade.price) * BigInt(trade.qty))
    const charge = (order: { id: number; userId: string }, bps: string): void => {
      if (order.userId === CROWD) return
      this.#byOrder.set(order.id, this.of(order.id) + notional * feeRate(bps))
    }
    charge(maker, market.makerFeeBps)
    charge(taker, market.takerFeeBps)
  }
}
