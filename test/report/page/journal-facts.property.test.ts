import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type JournalFacts, journalFacts, ownJournalFacts } from '../../../src/report/page/journal-facts.ts'
import { journalLinesIn } from '../../../src/runtime/journal/journal-reader.ts'
import marketMaker from '../../../strategies/market-maker.ts'
import grid from '../../../strategies/grid.ts'
import { runs } from '../../property/property.ts'
import { randomRun, runReady } from '../../strategies/rig/ready-run.ts'

const plain = ({ rests, explanations, isCut }: JournalFacts) => ({
  rests: [...rests],
  explanations: [...explanations],
  isCut,
})

it('a journal of this process has the same facts, although most of its lines are not parsed', async () => {
  let [rests, cut] = [0, 0]
  await fc.assert(
    fc.asyncProperty(randomRun, fc.nat({ max: 12 }), async (run, maxExplanations) => {
      for (const { lines } of [
        await runReady(marketMaker, { qty: '0.5' }, run),
        await runReady(grid, { qty: '0.5', step: '0.05' }, run),
      ]) {
        const texts = lines.map((line) => `${line}\n`)
        const facts = journalFacts(journalLinesIn('journal', texts.join('')), maxExplanations)
        // A line that is not checked still has the fields that no explanation reads.
        expect(plain(ownJournalFacts('journal', texts, maxExplanations))).toMatchObject(plain(facts))
        rests += [...facts.rests.values()].flat().length
        cut += Number(facts.isCut)
      }
    }),
    { numRuns: runs(60) },
  )
  expect(rests).toBeGreaterThan(100)
  expect(cut).toBeGreaterThan(10)
})

it('an order that took before an explained one took is part of the explanation, although it is not explained', () => {
  const market = { symbol: 'A_USD', pricePrecision: 2, qtyPrecision: 2 }
  const head = { journal: 2, markets: [market], liquidity: 'tape', orderLatencyMs: 0, responseLatencyMs: 0 }
  const order = (ref: number, ...fills: object[]): object[] => [
    { type: 'acknowledged', ref, orderId: String(ref), status: 'FILLED', filledQty: '3', averagePrice: '5' },
    ...fills.map((fill) => ({ type: 'fill', orderId: String(ref), price: '5', qty: '3', ...fill })),
    { type: 'order', orderId: String(ref) },
  ]
  const request = { symbol: 'A_USD', side: 'BUY', type: 'MARKET', qty: '3' }
  const lines = [
    { type: 'run', ...head, staleAfterMs: null },
    ...[1, 2, 3].map((ref) => ({ type: 'place', ref, request })),
    ...order(3, { tradeId: '1' }),
    ...order(2, { tradeId: '2', isMaker: true }),
    ...order(1, { tradeId: '3' }),
  ]
  const texts = lines.map((line) => `${JSON.stringify({ t: 7, ...line })}\n`)
  const facts = journalFacts(journalLinesIn('journal', texts.join('')), 1)
  expect(ownJournalFacts('journal', texts, 1)).toEqual(facts)
  const fills = facts.explanations.get('1')?.flatMap((line) => (line.type === 'fill' ? [line.fill.qty] : []))
  expect(fills).toEqual(['3', '3'])
})
