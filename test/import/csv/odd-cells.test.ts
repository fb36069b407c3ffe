import { describe, expect, it, vi } from 'vitest'
import { RowScanner } from '../../../src/import/csv/row-scanner.ts'
import { STRIDE } from '../../property/property.ts'
import { ODD_CELLS } from '../rig/csv-documents.ts'
import { readText } from '../rig/read-text.ts'

/** Edges of what the byte scanner takes, beside the cells that are odd anywhere. */
const EDGES = [
  ...['900719925474099.1', '9007199254740.991', '9007199254740.992', '9007199254740993', '12345678901234567', '00'],
  ...[
    '0.1230000000000000',
    '1.50',
    '100',
    '01',
    '0.0',
    '5.',
    '1e0',
    '-0',
    't',
    'f',
    'bu',
    'buyy',
    'truer',
    'S',
    'b',
    'FALSE',
  ],
  ...[
    '\u0000',
    '\u0010',
    '\u0012uy',
    '\u0054rue',
    '\u007f',
    '!',
    '~',
    'BTC-US',
    'BTC-USDT',
    'btc-usd',
    'BTC-USD\r',
    '\r',
  ],
  ...[
    '1723161254',
    '1723161255',
    '1723161256',
    '100000000000',
    '99999999999',
    '1e12',
    '99999999999999',
    '100000000000000',
  ],
  ...['D', 'd', ' D', 'D ', 'FINRA', 'Finra', 'DX', '@', 'T', '@FTI', 'TI@F', '@@', 'B1', '37', '80000001', 'a0000020'],
  ...[
    '2024-08-09 00:03',
    '2024-08-09T00:03:00Z',
    '2024-08-09 00:03:00.0001',
    '2024-08-09 00:03:00+00:00',
    '2024-02-30',
  ],
  ...['1723161255342000', '1723161255342001', '1723161255341999', '1723161255342000000', '1723161255342000001', '342'],
]

const CELLS = [...ODD_CELLS, ...EDGES]

const DIALECTS: readonly { readonly columns: string; readonly row: readonly string[]; readonly why: string }[] = [
  {
    columns: 'time_ms,id,price,qty,side,symbol,note',
    row: ['1723161255342', '#', '1.5', '2', 'buy', 'BTC-USD', 'x'],
    why: 'milliseconds',
  },
  {
    columns: 'note,symbol,isBuyerMaker,qty,price,id,time',
    row: ['x', 'btc-usd', 'true', '2', '1.5', '#', '1723161255'],
    why: 'seconds, the other way round',
  },
  { columns: 'price,time,qty', row: ['1.5', '1723161255342000', '2'], why: 'microseconds, no ids' },
  {
    columns: 'id,time,price,qty,is_buyer_maker',
    row: ['#', '1723161255342000000', '1.5', '2', '0'],
    why: 'nanoseconds',
  },
  {
    columns: 'time,price,qty,exchange,conditions',
    row: ['%', '1.5', '2', 'P', '@ TI'],
    why: 'dates, letters of the SIP',
  },
  { columns: 'conditions,exch,time_ms,price,qty', row: ['41', 'D', '#', '1.5', '2'], why: 'bits of LEAN' },
  {
    columns: 'time_ms,open,high,low,close,volume,note',
    row: ['#', '1.5', '2', '1.25', '1.5', '7', 'x'],
    why: 'candles',
  },
  {
    columns: 'symbol,volume,close,low,high,open,time',
    row: ['BTC-USD', '0.5', '1', '1', '2', '2', '%'],
    why: 'candles by date, the other way round',
  },
]

describe('a cell that is odd, in a row behind plain ones,', () => {
  it.each(DIALECTS)('is judged as csv-parse would have it: $why', async ({ columns, row }) => {
    const scan = vi.spyOn(RowScanner.prototype, 'scan')
    const outcomes = { taken: 0, refused: 0 }
    for (let column = 0; column < row.length; column += 1) {
      // Where not every cell is tried in every column, each is tried in some.
      for (const cell of CELLS.filter((_, index) => (index + column) % STRIDE === 0)) {
        const bytes = Buffer.concat(
          [columns, row, row, row, row].flatMap((line, index) => lineOf(line, index, column, cell)),
        )
        const fast = await readText(bytes, { symbol: 'BTC_USD' })
        const what = `${JSON.stringify(Buffer.from(cell).toString('latin1'))} in column ${column + 1}`
        expect([what, fast]).toEqual([what, await readText(bytes, { symbol: 'BTC_USD' }, { way: 'csv' })])
        if ('error' in fast) outcomes.refused += 1
        else outcomes.taken += 1
      }
    }
    expect(outcomes.taken).toBeGreaterThan(0)
    expect(outcomes.refused).toBeGreaterThan(0)
    expect(scan).toHaveBeenCalled()
    scan.mockRestore()
  })
})

it('a symbol that ends in a carriage return is not taken for one at the end of a line', async () => {
  const bytes = Buffer.from(
    ['price,qty,time_ms,symbol', '1,1,1,BTC-USD\r', '1,1,2,BTC-USD', '1,1,3,BTC-USD'].join('\r\n'),
  )
  const error = "tape.csv:3:4: expected 'BTC-USD\\r' as in the first row, got 'BTC-USD'; choose one with market"
  expect(await readText(bytes, { symbol: 'BTC_USD' })).toEqual({ error })
  expect(await readText(bytes, { symbol: 'BTC_USD' }, { way: 'csv' })).toEqual({ error })
})

/** The header, or a row with a number for an id or a time, or with a date; the third row holds the odd cell. */
function lineOf(line: string | readonly string[], index: number, column: number, odd: string | Uint8Array): Buffer[] {
  if (typeof line === 'string') return [Buffer.from(`${line}\r\n`)]
  const cells = line.map((cell, position) => {
    if (index === 3 && position === column) return Buffer.from(odd)
    if (cell === '%') return Buffer.from(`2024-08-09 00:0${index}:00`)
    return Buffer.from(cell === '#' ? String(7 + 10 * index) : cell)
  })
  return cells.flatMap((cell, position) => [cell, Buffer.from(position === cells.length - 1 ? '\r\n' : ',')])
}
