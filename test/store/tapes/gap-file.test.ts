import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { gapFileOf, gapLine, parseGaps, readGapFile } from '../../../src/store/tapes/gap-file.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { write } = temporaryFiles()

const TRADES = 'trade_id,time_ms,price,qty,is_buyer_maker\n1,1000,10,1,true\n2,2000,10,1,true\n3,3000,10,1,true\n'

it.each`
  tape                 | file
  ${'out/btc_usd.csv'} | ${'out/btc_usd.gaps.csv'}
  ${'btc_usd.csv.gz'}  | ${'btc_usd.gaps.csv'}
  ${'trades'}          | ${'trades.gaps.csv'}
  ${'a.csv.csv'}       | ${'a.csv.gaps.csv'}
`('lies beside $tape as $file', ({ tape, file }: Record<'tape' | 'file', string>) => {
  expect(gapFileOf(tape)).toBe(file)
})

it('is read as it was written, with what is in the words', () => {
  const gaps = [
    { from: 1, to: 2, why: 'lost, and "so" on' },
    { from: 2, to: 2, why: '' },
    { from: 7, to: 9, why: 'two\nlines' },
  ]
  const text = `from,to,why\n${gaps.map(gapLine).join('')}`
  expect(parseGaps('f', text)).toEqual([gaps[0], gaps[1], { from: 7, to: 9, why: 'two lines' }])
  expect(parseGaps('f', text.replaceAll('\n', '\r\n'))).toEqual(parseGaps('f', text))
})

it.each<[why: string, text: string, message: RegExp]>([
  ['nothing in it', '', /^f:1: expected the header 'from,to,why', got ''$/],
  ['another header', 'to,from,why\n', /^f:1: expected the header/],
  ['a line that was cut', 'from,to,why\n1,2,x\n3,4', /^f:3: expected two times .* got '3,4'$/],
  ['a blank line between', 'from,to,why\n\n3,4,x\n', /^f:2: expected two times/],
  ['a time that is none', 'from,to,why\n-1,4,x\n', /^f:2: expected two times/],
  ['a time too large', 'from,to,why\n1,9999999999999999,x\n', /^f:2: expected two times/],
  ['an end before its beginning', 'from,to,why\n5,4,x\n', /^f:2: expected an end not before 5, got 4$/],
  ['gaps out of order', 'from,to,why\n5,6,x\n1,2,x\n', /^f:3: expected a gap not before .* 6, got 1$/],
  ['gaps that overlap', 'from,to,why\n5,8,x\n7,9,x\n', /^f:3: expected a gap not before .* 8, got 7$/],
])('is refused with its line: %s', (_, text, message) => {
  expect(() => parseGaps('f', text)).toThrow(InputError)
  expect(() => parseGaps('f', text)).toThrow(message)
})

it('of a tape without one is not there', async () => {
  expect(await readGapFile(write(TRADES, 'alone.csv'))).toBeUndefined()
  expect((await inspectTape({ file: write(TRADES, 'alone.csv'), symbol: 'A_USD' })).info).not.toHaveProperty('gaps')
})

it('belongs to its tape, compressed or not, and its bytes are reported by their hash', async () => {
  const gaps = write('from,to,why\n1000,2000,lost\n', 'both.gaps.csv')
  for (const file of [write(TRADES, 'both.csv'), write(gzipSync(TRADES), 'both.csv.gz')]) {
    const inspected = await inspectTape({ file, symbol: 'A_USD' })
    expect(inspected.info.gaps).toEqual({
      file: gaps,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      count: 1,
    })
    expect(inspected.info.notices).toEqual([])
    expect(openTape(inspected, { pricePrecision: 0, qtyPrecision: 0 }).gaps).toEqual([
      { from: 1000, to: 2000, why: 'lost' },
    ])
  }
  write('from,to,why\n1000,2000,Lost\n', 'both.gaps.csv')
  const other = await readGapFile(gaps.replace('.gaps', ''))
  expect(other?.info.sha256).not.toBe(
    (await inspectTape({ file: write(TRADES, 'x.csv'), symbol: 'A_USD' })).info.sha256,
  )
})

it.each`
  gaps             | why
  ${'3000,4000,x'} | ${'ends behind the last row'}
  ${'0,1000,x'}    | ${'ends at the first row'}
  ${'5000,6000,x'} | ${'is behind the last row'}
  ${'500,2000,x'}  | ${'begins before the first row'}
`('is doubted when a gap $why', async ({ gaps }: { gaps: string }) => {
  const file = write(TRADES, 'stale.csv')
  write(`from,to,why\n${gaps}\n`, 'stale.gaps.csv')
  const { info } = await inspectTape({ file, symbol: 'A_USD' })
  expect(info.notices).toEqual([
    expect.stringMatching(/^1 of 1 gaps in .*stale\.gaps\.csv are outside the rows of the tape: does/),
  ])
})

it('of a tape of candles is not used, and that is reported', async () => {
  const candles = 'time_ms,open,high,low,close,volume\n60000,10,12,9,11,1\n120000,11,11,11,11,8\n'
  const file = write(candles, 'candles.csv')
  write('from,to,why\n60000,120000,x\n', 'candles.gaps.csv')
  const { info } = await inspectTape({ file, symbol: 'A_USD' })
  expect(info.notices).toEqual([expect.stringMatching(/are not used, because candles/)])
})
