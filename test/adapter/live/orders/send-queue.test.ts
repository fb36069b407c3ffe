import { expect, it } from 'vitest'
import { IntentBook } from '../../../../src/adapter/live/orders/intent-book.ts'
import { SendQueue, type WaitingPlacement } from '../../../../src/adapter/live/orders/send-queue.ts'
import { InvariantError } from '../../../../src/domain/errors.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const waiting = (turn: number): WaitingPlacement => ({
  owner: 'a',
  turn,
  reply: () => undefined,
  placement: { request: { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: turn, qty: 1 }, reference: turn },
})

it('an order goes back to its place, and never into no lane', () => {
  const queues = new SendQueue(new IntentBook(new MemoryIntentStore()), () => true)
  expect(() => {
    queues.putBack(waiting(1))
  }).toThrow(InvariantError)
  for (const turn of [1, 2, 3]) queues.push(waiting(turn))
  const [first, second] = queues.take()
  queues.push(waiting(4))
  for (const each of [second, first]) if (each !== undefined) queues.putBack(each)
  expect(queues.take().map(({ turn }) => turn)).toEqual([1, 2, 4])
})
