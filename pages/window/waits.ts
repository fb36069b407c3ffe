/** Sentences about everything that a session waits for. */
import type { LiveStatus, StrategyStatus } from '../../src/runtime/live/live-status.ts'
import { marketWords } from '../parts/words.ts'

export function waitsOf(strategy: StrategyStatus, status: LiveStatus | undefined): readonly string[] {
  const { state, awaited = [], waiting, openOrders } = strategy
  const isConnected = status?.connection === 'connected'
  const lines = [
    isConnected ? [] : 'the connection to the service',
    state === 'ACTIVE' ? [] : 'an operator, before it sends new orders',
    status?.dataAt === undefined ? 'the first trade' : [],
    awaited.map(
      ({ seen, needed, symbol, interval }) =>
        `candles of ${interval} of ${marketWords(symbol)}: it has ${seen} of the ${needed} that it needs`,
    ),
    waiting === 0
      ? []
      : `the rate limit or the service: ${waiting} ${waiting === 1 ? 'request is' : 'requests are'} not sent yet`,
    openOrders.length === 0
      ? []
      : `a fill of ${openOrders.length === 1 ? 'its open order' : `its ${openOrders.length} open orders`}`,
  ].flat()
  return lines.length === 0 ? ['a signal of the strategy'] : lines
}
