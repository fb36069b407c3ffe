import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../../src/domain/decimal.ts'
import { FollowedOrders, type OrderFollower } from '../../../src/runtime/session/followed-orders.ts'
import { Replacements } from '../../../src/runtime/session/targets/replacements.ts'
import type { RequestOutcome } from '../../../src/adapter/exchange-adapter.ts'
import type { OwnOrder } from '../../../src/strategy/own-order.ts'

const ORDER = {
  id: '1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: toDecimal(100),
  qty: toDecimal(2),
  filledQty: toDecimal(0),
} as unknown as OwnOrder
const noting = (name: string, heard: string[]): OrderFollower => ({
  process: ({ type }) => {
    if (type === 'ended') heard.push(name)
  },
})
const CANCELLED: OwnOrder = { ...ORDER, status: 'CANCELLED' }

describe('an order that several follow', () => {
  it('is reported to each of them, in their order', () => {
    const followed = new FollowedOrders()
    const heard: string[] = []
    followed.follow(7, noting('group', heard))
    followed.onOutcome(7, { type: 'acknowledged', order: ORDER })
    followed.followOrder('1', noting('replacement', heard))
    followed.onUpdate({ type: 'order', order: CANCELLED })
    expect(heard).toEqual(['group', 'replacement'])
  })
})

describe('a replacement whose cancel no one knows', () => {
  it('is asked for again, and places once', () => {
    const followed = new FollowedOrders()
    const replies: ((outcome: RequestOutcome) => void)[] = []
    const placed: string[] = []
    const replacements = new Replacements({
      openOrders: () => [ORDER],
      followed,
      cancel: (_, reply) => {
        if (reply !== undefined) replies.push(reply)
      },
      place: (intent) => {
        placed.push(intent.type === 'limit' ? toDecimal(intent.price).toFixed() : 'market')
      },
    })
    replacements.begin({ type: 'replace', orderId: '1', price: 99 })
    replies[0]?.({ type: 'unknown', reason: 'no answer' })
    replacements.begin({ type: 'replace', orderId: '1', price: 98 })
    expect(replies).toHaveLength(2)
    followed.onUpdate({ type: 'order', order: CANCELLED })
    expect(placed).toEqual(['98'])
  })
})
