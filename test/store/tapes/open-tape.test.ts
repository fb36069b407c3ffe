import { tradeBlocks } from '../../tape/rig/trade-blocks.ts'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { invariant } from '../../../src/domain/errors.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import { BLOCK_ROWS } from '../../../src/import/csv/row-sink.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import type { InspectedTape } from '../../../src/store/tapes/inspected-tape.ts'
import { isCandleBlock, SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN, type Tape } from '../../../src/tape/tape.ts'
import { appendBlock, emptyColumns, type Columns } from '../../import/rig/read-text.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { write } = temporaryFiles()

const inspect = (content: string | Uint8Array, source: Omit<TapeSource, 'file'> = {}): Promise<InspectedTape> =>
  inspectTape({ file: write(content), symbol: 'BTC_USD', ...source })

/** With the precisions that were found. */
const open = (inspected: InspectedTape): Tape => openTape(inspected, inspected.info)

async function read(tape: Tape): Promise<Columns & { readonly blocks: number[] }> {
  let columns: Columns | undefined
  const blocks: number[] = []
  for await (const block of tradeBlocks(tape)) {
    columns ??= emptyColumns(block.ids !== undefined)
    appendBlock(columns, block)
    blocks.push(block.length)
  }
  return { ...(columns ?? emptyColumns(false)), blocks }
}

const TRADES = 'id,time_ms,price,qty,side\n1,1000,10.50,2,buy\n2,1000,10.25,1.5,sell\n3,2000,11,0.125,buy\n'

describe('openTape', () => {
  it('gives the rows in the precisions of its info', async () => {
    const tape = open(await inspect(TRADES))
    expect(tape.info).toMatchObject({ pricePrecision: 2, qtyPrecision: 3 })
    expect(await read(tape)).toEqual({
      time: [1000, 1000, 2000],
      price: [1050, 1025, 1100],
      qty: [2000, 1500, 125],
      side: [SIDE_BUY, SIDE_SELL, SIDE_BUY],
      ids: [1, 2, 3],
      blocks: [3],
    })
  })

  it('can be read more than once', async () => {
    const tape = open(await inspect(TRADES))
    expect(await read(tape)).toEqual(await read(tape))
  })

  it('takes finer precisions, which two files of one market share', async () => {
    const tape = openTape(await inspect(TRADES), { pricePrecision: 4, qtyPrecision: 3 })
    expect(tape.info).toMatchObject({ pricePrecision: 4, qtyPrecision: 3 })
    expect((await read(tape)).price).toEqual([105_000, 102_500, 110_000])
  })

  it.each`
    pricePrecision | qtyPrecision | message
    ${1}           | ${3}         | ${'expected 2 to 12 decimals of the price, got 1'}
    ${2}           | ${2}         | ${'expected 3 to 12 decimals of the quantity, got 2'}
    ${13}          | ${3}         | ${'expected 2 to 12 decimals of the price, got 13'}
    ${2.5}         | ${3}         | ${'expected 2 to 12 decimals of the price, got 2.5'}
  `(
    'refuses other precisions: $message',
    async ({ message, ...precisions }: { message: string; pricePrecision: number; qtyPrecision: number }) => {
      const inspected = await inspect(TRADES)
      expect(() => openTape(inspected, precisions)).toThrow(message)
    },
  )

  it('refuses the row that has too many units in a precision that another file asked for', async () => {
    const inspected = await inspect('time_ms,price,qty\n1,1,1\n2,1,9007199254740991\n')
    const tape = openTape(inspected, { pricePrecision: 0, qtyPrecision: 1 })
    await expect(read(tape)).rejects.toThrow('tape.csv:3:3: expected a quantity of at most 2^53 - 1 units of 10^-1')
  })

  it.each`
    columns                               | rows                                                                | side                            | ids                                                 | why
    ${'time,price,qty'}                   | ${['5,1,1', '6,1,1']}                                               | ${[SIDE_UNKNOWN, SIDE_UNKNOWN]} | ${undefined}                                        | ${'neither sides nor ids'}
    ${'id,time,price,qty,is_buyer_maker'} | ${['a,5,1,1,true', 'b,6,1,1,FALSE']}                                | ${[SIDE_SELL, SIDE_BUY]}        | ${['a', 'b']}                                       | ${'a buyer who is the maker met a seller, and ids may be text'}
    ${'id,time,price,qty,side'}           | ${['98765432109876543210,5,1,1,S', '98765432109876543211,6,1,1,b']} | ${[SIDE_SELL, SIDE_BUY]}        | ${['98765432109876543210', '98765432109876543211']} | ${'ids beyond 2^53 are not rounded'}
  `(
    'reads $columns: $why',
    async ({
      columns,
      rows,
      side,
      ids,
    }: {
      columns: string
      rows: string[]
      side: number[]
      ids: string[] | undefined
    }) => {
      const tape = open(await inspect(rows.join('\n'), { columns }))
      expect(await read(tape)).toMatchObject({ time: [5000, 6000], side, ...(ids === undefined ? {} : { ids }) })
      expect((await read(tape)).ids).toEqual(ids)
    },
  )

  it.each`
    header                   | cells                            | doubts          | why
    ${'conditions'}          | ${['@', 'F', '@ TI', 'E']}       | ${[0, 0, 1, 0]} | ${'odd lots and form T'}
    ${'conditions'}          | ${['1', '41', '80000001', '0']}  | ${[0, 0, 1, 0]} | ${'bits of LEAN'}
    ${'exchange'}            | ${['P', 'D', 'finra', 'DX']}     | ${[0, 1, 1, 0]} | ${'prints of a reporting facility'}
    ${'exchange,conditions'} | ${['P,4', 'D,@', 'N,', 'TRF,M']} | ${[1, 1, 0, 1]} | ${'one of both is enough'}
  `('marks prints that form no price: $why', async ({ header, cells, doubts }: Record<string, unknown>) => {
    const rows = (cells as string[]).map((cell, row) => `${row + 1},1.5,1,${cell}`)
    const text = [`time_ms,price,qty,${String(header)}`, ...rows].join('\n')
    for await (const { isDoubtful, length } of tradeBlocks(open(await inspect(text)))) {
      expect([...(isDoubtful?.subarray(0, length) ?? [])]).toEqual(doubts)
    }
  })

  it('marks nothing where no conditions are recorded', async () => {
    for await (const block of open(await inspect(TRADES)).blocks()) expect(block).not.toHaveProperty('isDoubtful')
  })

  const candlesOf = async (tape: Tape): Promise<readonly (readonly number[])[]> => {
    const rows: number[][] = []
    for await (const block of tape.blocks()) {
      invariant(isCandleBlock(block), 'a tape of candles')
      const { time, open, high, low, close, volume } = block
      const cells = [time, open, high, low, close, volume]
      for (let row = 0; row < block.length; row += 1) rows.push(cells.map((column) => column[row] ?? Number.NaN))
    }
    return rows
  }

  it('gives candles whole, those without volume and of a few lots among them', async () => {
    const text =
      'date,open,high,low,close,volume\n2024-08-09,10,12.5,9,11,2\n2024-08-10,11,11,11,11,0\n2024-08-11,11,14,11,12,0.5\n'
    const first = Date.parse('2024-08-09T00:00:00Z')
    expect(await candlesOf(open(await inspect(text)))).toEqual([
      [first, 100, 125, 90, 110, 20],
      [first + 86_400_000, 110, 110, 110, 110, 0],
      [first + 2 * 86_400_000, 110, 140, 110, 120, 5],
    ])
  })

  it('puts candles that are reported by their end before that time', async () => {
    const text = 'time_ms,open,high,low,close,volume\n60000,1,1,1,1,4\n120000,1,1,1,1,1\n'
    const tape = open(await inspect(text, { candleTime: 'close' }))
    expect((await candlesOf(tape)).map(([time]) => time)).toEqual([0, 60_000])
  })

  describe('a file of several blocks', () => {
    const rows = (count: number): string[] =>
      Array.from({ length: count }, (_, row) => `${row + 1},${1000 + row},${row + 1}.5,1`)
    const text = (lines: readonly string[]): string => ['id,time_ms,price,qty', ...lines, ''].join('\n')

    it.each([BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS])('has all of %i rows', async (count) => {
      const { blocks, ids, price } = await read(open(await inspect(text(rows(count)))))
      expect(ids).toEqual(Array.from({ length: count }, (_, row) => row + 1))
      expect(price).toEqual(Array.from({ length: count }, (_, row) => 10 * row + 15))
      expect(
        blocks.every((length, index) => length === (index < blocks.length - 1 ? BLOCK_ROWS : length) && length > 0),
      ).toBe(true)
    })

    it.each([0, 1, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS - 1])(
      'is the same when quotes begin after %i rows',
      async (plain) => {
        const lines = rows(2 * BLOCK_ROWS + 5)
        const expected = await read(open(await inspect(text(lines))))
        const some = lines.map((line, row) => (row === plain ? line.replace(/^\d+/, '"$&"') : line))
        expect(await read(open(await inspect(text(some))))).toEqual(expected)
      },
    )

    it('is the same when every other row is unusual', async () => {
      const lines = rows(BLOCK_ROWS + 5)
      const expected = await read(open(await inspect(text(lines))))
      const odd = lines.map((line, row) => (row % 2 === 0 ? line : line.replace('.5,1', '5e-1,1e0')))
      expect(await read(open(await inspect(text(odd))))).toEqual(expected)
    })

    it('names the line of a fault in a later block, however it is read', async () => {
      const lines = [...rows(BLOCK_ROWS + 5), 'x']
      const where = `tape.csv:${BLOCK_ROWS + 7}:2: expected 4 columns, got 1`
      await expect(inspect(text(lines))).rejects.toThrow(where)
      await expect(inspect(text(lines.map((line) => line.replace(/^\d+/, '"$&"'))))).rejects.toThrow(where)
    })
  })

  describe('a file that has changed', () => {
    const CHANGED = 'the file changed while it was being read'

    it.each`
      change                                                                     | why
      ${(file: string) => appendFileSync(file, '4,3000,11,1,buy\n')}             | ${'a row more'}
      ${(file: string) => writeFileSync(file, TRADES.replace(/3,2.*\n/, ''))}    | ${'a row less'}
      ${(file: string) => writeFileSync(file, TRADES.replace('10.25', '10.35'))} | ${'another price'}
      ${(file: string) => appendFileSync(file, '\n')}                            | ${'only a blank line'}
      ${(file: string) => writeFileSync(file, gzipSync(readFileSync(file)))}     | ${'only compressed'}
    `('is refused before its last block: $why', async ({ change }: { change: (file: string) => void }) => {
      const inspected = await inspect(TRADES)
      change(inspected.source.file)
      let blocks = 0
      const reading = async (): Promise<void> => {
        for await (const block of open(inspected).blocks()) blocks += block.length
      }
      await expect(reading()).rejects.toThrow(CHANGED)
      expect(blocks).toBe(0)
    })

    it('is refused at the row that is wrong now', async () => {
      const inspected = await inspect(TRADES)
      appendFileSync(inspected.source.file, '3,3000,11,1,buy\n')
      await expect(read(open(inspected))).rejects.toThrow('tape.csv:5:1: expected an id above')
    })
  })
})
