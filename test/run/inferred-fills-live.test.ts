/**
 * A fill that a live account infers, from the account to the files of the session, its story and its page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concat, NEVER, of } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { AssumedFees } from '../../src/adapter/live/orders/order-fees.ts'
import { TrackedOrder } from '../../src/adapter/live/orders/tracked-order.ts'
import { orderExplanation } from '../../src/report/order-explanation/order-explanation.ts'
import { reportPage } from '../../src/run/report-page.ts'
import { journalLines } from '../../src/runtime/journal/journal-reader.ts'
import { buyLimit } from '../../src/strategy/orders.ts'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { NOTHING_REPORTED } from '../../src/store/state/live/persisted-intent.ts'
import type { WireOrder } from '../../src/wire/wire-order.ts'
import { market } from '../exchange/rig/configs.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { LiveStage } from './rig/stand-in-account.ts'

const files = temporaryFiles()
const BTC = market('BTC_USD')

const bidder = defineStrategy({
  name: 'bidder',
  params: z.object({ symbol: z.string() }),
  run: ({ params }) => concat(of(buyLimit(params.symbol, 90, 3)), NEVER),
})

/** The service counts three lots at a mean of 89 and two thirds, and reports no fill. */
function loseFills(stage: LiveStage): void {
  const adapter = stage.adapters.get('bidder')
  const order: WireOrder = {
    id: '1',
    userId: 'u',
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'OPEN',
    price: 90,
    qty: 3,
    filledQty: 0,
    averagePrice: undefined,
    createdAt: stage.clocks.wall(),
  }
  const fees = new AssumedFees([BTC], () => ({ makerFeeBps: '0', takerFeeBps: '0' })).ofOrder(BTC)
  const tracked = new TrackedOrder(
    { market: BTC, tag: undefined, fees, lastPrice: () => undefined, order },
    NOTHING_REPORTED,
  )
  tracked.see({ ...order, status: 'FILLED', filledQty: 3, averagePrice: '89.66666667' })
  stage.opening?.time.enter(() => {
    for (const update of tracked.reportInferred(stage.clocks.wall())) adapter?.updates$.push(update)
  })
}

it('keeps its quantity and its cost, and is marked, wherever it is reported', async () => {
  const out = join(files.folder, 'run')
  const stage = new LiveStage()
  const options = { strategies: [{ strategy: bidder }], symbol: 'BTC_USD', out, keepOrders: true }
  const { sessions } = await stage.run(options, files.folder, async () => {
    await stage.pass(100)
    loseFills(stage)
    await stage.pass(100)
  })
  expect(sessions[0]?.report).toMatchObject({ fills: 2, failure: null })
  const rows = readFileSync(join(out, 'fills.csv'), 'utf8').trimEnd().split('\n').slice(1)
  expect(rows.map((row) => row.split(',').filter((_, at) => at !== 1)).map((cells) => cells.join(','))).toEqual([
    'inferred-1-1,BTC_USD,BUY,89,1,1,true,0,USD',
    'inferred-1-3,BTC_USD,BUY,90,2,1,true,0,USD',
  ])
  const lines = [...journalLines(join(out, 'journal.jsonl'))]
  expect(lines.flatMap((line) => (line.type === 'fill' ? [line.fill.isInferred] : []))).toEqual([true, true])
  expect(orderExplanation(lines, '1').facts.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'filled: 1 at 89, inferred: the exchange no longer reports its trades',
      'filled: 2 at 90, inferred: the exchange no longer reports its trades',
    ]),
  )
  expect(reportPage({ runs: [out] })).toMatchObject({ faults: [] })
})
