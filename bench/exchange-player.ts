/**
 * Plays a stream of orders against an exchange with ids, histories and events: commands in, events out.
 */
import type { Command } from '../src/domain/command.ts'
import { createExchange } from '../src/exchange/create-exchange.ts'
import type { Player } from './core-player.ts'
import { ACCOUNTS, CANCEL, CREDIT, LIMIT, marketConfig, type OrderStream } from './order-stream.ts'

export function exchangePlayer(stream: OrderStream): Player {
  const history = { orders: 100, fills: 100, trades: 500, candles: 500 }
  const exchange = createExchange({ markets: [marketConfig('0', '0')], quoteAsset: 'USD', history })
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `account-${index}`)
  for (const account of accounts) {
    for (const asset of ['BTC', 'USD']) exchange.execute({ type: 'credit', time: 1, account, asset, amount: CREDIT })
  }
  const ids = new Float64Array(stream.length)
  const owners = new Int32Array(stream.length)
  return (first, end) => {
    for (let index = first; index < end; index += 1) {
      const number = stream.order[index] ?? 0
      const isPlaced = stream.kind[index] !== CANCEL
      const owner = isPlaced ? (stream.account[index] ?? 0) : (owners[number] ?? 0)
      exchange.execute(commandOf(stream, index, accounts[owner] ?? '', ids[number] ?? 0))
      if (!isPlaced) continue
      owners[number] = owner
      if (stream.kind[index] === LIMIT) ids[number] = exchange.lastOrderId
    }
  }
}

function commandOf(stream: OrderStream, index: number, account: string, orderId: number): Command {
  const time = 1 + index
  if (stream.kind[index] === CANCEL) return { type: 'cancel', time, account, orderId }
  const side = stream.isBuy[index] === 1 ? 'BUY' : 'SELL'
  const qty = stream.qty[index] ?? 0
  const request =
    stream.kind[index] === LIMIT
      ? ({ symbol: 'BTC_USD', side, type: 'LIMIT', price: stream.price[index] ?? 0, qty } as const)
      : ({ symbol: 'BTC_USD', side, type: 'MARKET', qty } as const)
  return { type: 'place', time, account, request }
}
