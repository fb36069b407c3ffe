/** Reference equities of a strategy after capital came or went between two sessions. */
import { expect, it } from 'vitest'
import { toDecimal } from '../../../../src/domain/decimal.ts'
import { marksAfter } from '../../../../src/runtime/session/risk/moved-marks.ts'

const holding = (asset: string, qty: string, price?: string): { asset: string; qty: string; price?: string } => ({
  asset,
  qty,
  ...(price !== undefined && { price }),
})

it.each`
  moved               | dayStart  | peak      | usd       | why
  ${{ USD: '-500' }}  | ${'550'}  | ${'600'}  | ${'-100'} | ${'half of the capital went, so the peak halves: the fall stays 1/6'}
  ${{ USD: '1000' }}  | ${'2050'} | ${'2400'} | ${'1400'} | ${'the capital doubled, so the peak doubles'}
  ${{ BTC: '2' }}     | ${'1650'} | ${'1920'} | ${'400'}  | ${'assets count at their last price'}
  ${{ USD: '-1000' }} | ${'50'}   | ${'200'}  | ${'-600'} | ${'nothing is left, so there is no proportion'}
  ${{ ETH: '7' }}     | ${'1050'} | ${'1200'} | ${'400'}  | ${'an asset without a price is worth nothing'}
`('$why: $moved', ({ moved, dayStart, peak, usd }: Record<'dayStart' | 'peak' | 'usd', string> & { moved: object }) => {
  const marks = {
    quoteAsset: 'USD',
    day: 1,
    dayStart: '1050',
    peak: '1200',
    holdings: [holding('USD', '400', '1'), holding('BTC', '2', '300'), holding('XYZ', '9')],
  } as unknown as Parameters<typeof marksAfter>[0]
  const amounts = Object.entries(moved).map(([asset, amount]) => [asset, toDecimal(amount as string)] as const)
  const after = marksAfter(marks, new Map(amounts))
  expect(after).toMatchObject({ quoteAsset: 'USD', day: 1, dayStart, peak })
  expect(after.holdings[0]).toMatchObject({ asset: 'USD', qty: usd })
  if (peak === '600') expect(1 - 500 / Number(after.peak)).toBeCloseTo(1 - 1000 / 1200, 12)
})

it('cash that comes to a book without any is listed, so that the next session counts no deposit', () => {
  const marks = { quoteAsset: 'USD', day: 1, dayStart: '600', peak: '600', holdings: [{ asset: 'BTC', qty: '2', price: '300' }] } // prettier-ignore
  const after = marksAfter(marks, new Map([['USD', toDecimal('60')]]))
  expect(after).toMatchObject({ dayStart: '660', peak: '660' })
  expect(after.holdings).toEqual([...marks.holdings, { asset: 'USD', qty: '60', price: '1' }])
})
