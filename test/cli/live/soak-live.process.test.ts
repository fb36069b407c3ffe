/**
 * The soak of live sessions: each of its checks fails where it should, and one short episode holds.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { liveMisses, paperMisses, type LiveEvidence, type SessionEvidence } from './rig/soak/soak-checks.ts'
import { soakEpisode } from './rig/soak/soak-episode.ts'

const { folder } = temporaryFiles()

const BOUGHT = { order_id: '1', trade_id: '7', symbol: 'BTC_USD', side: 'BUY', price: '42000.00', qty: '0.01' }
const ORDER = { type: 'LIMIT', status: 'FILLED', price: '42000.00', createdAt: '2026-01-01T00:00:00.000Z' }
const BTC_BUY = { ...ORDER, id: '1', symbol: 'BTC_USD', side: 'BUY', qty: '0.01', filledQty: '0.01' } as const
const FOREIGN = { ...BTC_BUY, id: '2', status: 'OPEN', filledQty: '0' }
const ETH_SELL = { ...BTC_BUY, id: '3', symbol: 'ETH_USD', side: 'SELL', filledQty: '0.01' } as const
const FILL = {
  id: '7',
  orderId: '1',
  symbol: 'BTC_USD',
  side: 'BUY',
  price: '42000.00',
  qty: '0.01',
  createdAt: 0,
} as const

const SESSION: SessionEvidence = {
  exitCode: 0,
  endedByItself: false,
  hasReports: true,
  output: 'ended',
  fills: [BOUGHT],
  orders: [{ id: '1', status: 'FILLED', filled_qty: '0.01' }],
}
const HOLDS: LiveEvidence = {
  sessions: [SESSION],
  credits: { USD: '1000', BTC: '1' },
  isRough: false,
  orders: [BTC_BUY, FOREIGN],
  fills: [FILL],
  balances: { USD: { available: '579', locked: '1' }, BTC: { available: '1.01', locked: '0' } },
  foreign: new Set(['2']),
  cancelled: new Set(['1']),
}
const session = (change: Partial<SessionEvidence>): Partial<LiveEvidence> => ({ sessions: [{ ...SESSION, ...change }] })

describe('what the soak holds of a live session', () => {
  it('misses nothing where all holds', () => expect(liveMisses(HOLDS)).toEqual([]))

  it.each<[why: string, change: Partial<LiveEvidence>, miss: RegExp]>([
    ['a row of fills.csv is missing', session({ fills: [] }), /^a lost fill: 1 BTC_USD BUY/],
    ['a row of fills.csv is there twice', session({ fills: [BOUGHT, BOUGHT] }), /^a fill is in the files twice: 7 1/],
    [
      'a fill is made up',
      session({ fills: [{ ...BOUGHT, trade_id: '8' }] }),
      /^a fill of the files that the service does/,
    ],
    [
      'a price is wrong',
      session({ fills: [{ ...BOUGHT, price: '42000.01' }] }),
      /^the account is not what the files say: USD/,
    ],
    ['an order was sent again', { orders: [BTC_BUY, { ...BTC_BUY, id: '4', status: 'CANCELLED', filledQty: '0' }] }, /^two orders of one intent: BUY LIMIT/], // prettier-ignore
    ['an order is left', { orders: [{ ...FOREIGN, id: '5' }, BTC_BUY] }, /^an own order is open: 5/],
    ['a foreign order was cancelled', { cancelled: new Set(['2']) }, /^a foreign order was cancelled by a session: 2/],
    ['a bracket sold what it never bought', { orders: [ETH_SELL, BTC_BUY] }, /^brackets sold more than they bought/],
    [
      'the session ended too early',
      session({ endedByItself: true, exitCode: 1 }),
      /^a session ended by itself: exit code 1/,
    ],
    ['the end was not in order', session({ exitCode: 3 }), /^exit code 3: ended/],
    ['the end never came', session({ exitCode: null }), /^exit code null/],
    ['run.json is missing', session({ hasReports: false }), /^no run.json or report.html/],
    ['something was thrown', session({ output: 'Error\n    at run (file.ts:1:2)\n' }), /^a stack trace/],
  ])('%s', (_, change, miss) => {
    expect(liveMisses({ ...HOLDS, ...change })).toContainEqual(expect.stringMatching(miss))
  })

  it('accepts an open order after a rough end if it is named', () => {
    const left = { ...HOLDS, isRough: true, orders: [...HOLDS.orders, { ...FOREIGN, qty: '0.02', id: '5' }] }
    expect(liveMisses({ ...left, ...session({ exitCode: 3, output: 'open: "5"' }) })).toEqual([])
    expect(liveMisses({ ...left, ...session({ exitCode: 3 }) })).not.toEqual([])
  })
})

it('holds the account of a session on paper to its own files', () => {
  const rows = [1, 2, 3].map((id) => ({ id: String(id), status: 'FILLED', filled_qty: '0.01' }))
  const fills = rows.map(({ id }) => ({ ...BOUGHT, order_id: id, price: '100.00' }))
  const paper = {
    sessions: [{ ...SESSION, orders: rows, fills }],
    credits: { USD: '1000' },
    isRough: false,
    privateRequests: [],
  }
  const balances = { USD: { available: '997', locked: '0' }, BTC: { available: '0.03', locked: '0' } }
  expect(paperMisses({ ...paper, balances })).toEqual([])
  expect(paperMisses({ ...paper, balances: {}, privateRequests: ['/orders'] })).toMatchObject([
    /^a request that is not for market data: \/orders/,
    /^the account is not what the files say/,
  ].map((miss) => expect.stringMatching(miss))) // prettier-ignore
})

it('plays an episode, and sees a row that was dropped from fills.csv', async () => {
  const settings = { seed: 1, isPaper: false, folder: join(folder, 'episode'), chaosMs: 8000, dropsFill: true }
  const { misses, counts } = await soakEpisode(settings)
  expect(misses.map((miss) => miss.split(':')[0])).toEqual(['a lost fill', 'the account is not what the files say'])
  expect(counts.requests).toBeGreaterThan(10)
})
