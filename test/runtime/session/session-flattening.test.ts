/** Flattenings of one session that are asked for while another runs. */
import { expect, it } from 'vitest'
import type { FlatReport } from '../../../src/runtime/session/flatten/flat-report.ts'
import { toDecimal } from '../../../src/domain/decimal.ts'
import { market } from '../../exchange/rig/configs.ts'
import { HeldAccount, riskSession } from '../rig/risk-session.ts'

it('who joins a flattening gets its result by the deadline of its own', () => {
  const account = new HeldAccount([market('BTC_USD')])
  account.reportOrder({
    id: '1',
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'OPEN',
    createdAt: 0,
    price: toDecimal(1),
    qty: toDecimal(1),
    filledQty: toDecimal(0),
  })
  const { session } = riskSession(account, {})
  session.start()
  const reports: FlatReport[] = []
  const onDone = (report: FlatReport): void => void reports.push(report)
  session.flatten('by an operator', 120_000, onDone)
  // Its cancel is never answered.
  account.passTo(1_000)
  session.flatten('the session ends', 2_000, onDone)
  account.passTo(2_999)
  expect(reports).toEqual([])
  account.passTo(3_000)
  expect(reports).toMatchObject([{ openOrders: ['1'] }, { openOrders: ['1'] }])
})

it('a buy that becomes known behind the flattening of a limit is sold as well', () => {
  const account = new HeldAccount([market('BTC_USD')])
  account.setBalances({ USD: '1000', BTC: '10' })
  account.setPrice('BTC_USD', '100')
  const { session } = riskSession(account, { dayLoss: toDecimal(50), atLimit: 'flatten' })
  session.start()
  account.passTo(1)
  account.setPrice('BTC_USD', '90')
  account.passTo(10_000)
  expect(session.state).toBe('REDUCING')
  // What it began with is not sold.
  expect(account.placed).toEqual([])
  account.reportFill(
    {
      id: '1',
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'LIMIT',
      status: 'FILLED',
      createdAt: 0,
      price: toDecimal(89),
      qty: toDecimal(1),
      filledQty: toDecimal(1),
    },
    1,
  )
  account.passTo(20_000)
  expect(account.placed.map(({ request }) => request)).toMatchObject([{ side: 'SELL', type: 'MARKET' }])
})
