import { mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BLOCK_ROWS } from '../../../src/import/csv/row-sink.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import type { SpoolRoom } from '../../../src/store/tapes/block-spool.ts'
import type { SpooledRows } from '../../../src/store/tapes/row-spool.ts'
import { openTape } from '../../../src/store/tapes/open-tape.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import type { InspectedTape } from '../../../src/store/tapes/inspected-tape.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { write } = temporaryFiles()
const PLENTY = 1e9

/** While something is done, temporary files go there. */
async function withTemporaryFolder<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return await action()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

const inspect = (
  content: string,
  bytes: number | undefined,
  source: Omit<TapeSource, 'file'> = {},
): Promise<InspectedTape> =>
  inspectTape(
    { file: write(content), symbol: 'BTC_USD', ...source },
    bytes === undefined ? {} : { room: { bytes } satisfies SpoolRoom },
  )

/** Every column, of all blocks. */
async function rowsOf(tape: Tape): Promise<Record<string, unknown[]>> {
  const columns: Record<string, unknown[]> = {}
  for await (const block of tape.blocks()) {
    for (const [name, column] of Object.entries(block) as [string, Float64Array | undefined][]) {
      if (name !== 'length') (columns[name] ??= []).push(...[...(column ?? [])].slice(0, block.length))
    }
  }
  return columns
}

const keptOf = ({ rows }: InspectedTape): SpooledRows | undefined =>
  rows?.form === 'spooled' ? rows.spooled : undefined

const open = (inspected: InspectedTape): Tape => openTape(inspected, inspected.info)

const walk = (rows: number, cellsOf: (row: number) => string): string =>
  Array.from({ length: rows }, (_, row) => `${cellsOf(row)}\n`).join('')

const OVER = BLOCK_ROWS + 10
const TRADES = `id,time_ms,price,qty,side\n${walk(OVER, (row) => `${row},${1000 + row},10${row % 7}.5,${row + 1},${row % 2 === 0 ? 'buy' : 'sell'}`)}`

describe('rows that a first pass kept', () => {
  it.each`
    why                                         | text                                                                                                           | source
    ${'trades of two blocks'}                   | ${TRADES}                                                                                                      | ${{}}
    ${'decimals that come in the second block'} | ${`${TRADES}${OVER},99999,1.12345,0.001,buy\n`}                                                                | ${{}}
    ${'decimals that come in the middle'}       | ${'time_ms,price,qty\n1,7,3\n2,7.5,3.25\n3,7.123,3\n'}                                                         | ${{}}
    ${'values of more than 32 bits'}            | ${'time_ms,price,qty\n1,1,1\n99999999999999,9007199254740991,4503599627370496\n99999999999999,4294967296,2\n'} | ${{}}
    ${'ids that are text'}                      | ${'id,time_ms,price,qty\na,1,1,1\nb,1,1,1\n'}                                                                  | ${{}}
    ${'ids beyond 2^53'}                        | ${'id,time_ms,price,qty\n98765432109876543210,1,1,1\n98765432109876543211,1,1,1\n'}                            | ${{}}
    ${'conditions'}                             | ${'time_ms,price,qty,conditions\n1,1,1,@\n2,1,1,@ TI\n'}                                                       | ${{}}
    ${'quotes'}                                 | ${'time_ms,price,qty\n1,"1.25",1\n2,1,1\n'}                                                                    | ${{}}
    ${'precisions that are given'}              | ${'time_ms,price,qty\n1,1.25,1\n'}                                                                             | ${{ pricePrecision: 5, qtyPrecision: 1 }}
    ${'candles'}                                | ${'time_ms,open,high,low,close,volume\n60000,1,1.5,1,1,4\n120000,1,1,1,1,\n180000,1,1,0.25,1,0.5\n'}           | ${{}}
    ${'candles reported by their end'}          | ${'time_ms,open,high,low,close,volume\n60000,1,1,1,1,4\n120000,1,1,1,1,1\n'}                                   | ${{ candleTime: 'close' }}
  `('are those of a second reading: $why', async ({ text, source }: { text: string; source: object }) => {
    const kept = await inspect(text, PLENTY, source)
    const { rows, ...rest } = kept
    const read = await inspect(text, undefined, source)
    expect(rows).toBeDefined()
    expect(read).toEqual(rest)
    const expected = await rowsOf(open(read))
    expect(await rowsOf(open(kept))).toEqual(expected)
    expect(await rowsOf(open(kept))).toEqual(expected)
  })

  it('may be written with the finer precisions of another file', async () => {
    const precisions = { pricePrecision: 4, qtyPrecision: 3 }
    const read = await rowsOf(openTape(await inspect(TRADES, undefined), precisions))
    expect(await rowsOf(openTape(await inspect(TRADES, PLENTY), precisions))).toEqual(read)
  })

  it('are what was hashed, whatever the file holds later', async () => {
    const inspected = await inspect(TRADES, PLENTY)
    const before = await rowsOf(open(inspected))
    writeFileSync(inspected.source.file, 'something else')
    expect(await rowsOf(open(inspected))).toEqual(before)
  })

  it('lie in shared memory, a few bytes a trade, and take their room', async () => {
    const room = { bytes: 1_000_000 }
    const kept = keptOf(await inspectTape({ file: write(TRADES), symbol: 'BTC_USD' }, { room }))
    expect(1_000_000 - room.bytes).toBeLessThan(6 * OVER)
    expect(kept?.file).toBeUndefined()
    for (const { at } of kept?.blocks ?? []) expect((at as Uint8Array).buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(structuredClone(kept)).toEqual(kept)
  })

  it.each`
    bytes     | isOnDisk
    ${0}      | ${[true]}
    ${10_000} | ${[true]}
    ${PLENTY} | ${[false]}
  `('go to a file without a name where $bytes bytes are too few, and are the same', async ({ bytes, isOnDisk }) => {
    const folder = mkdtempSync(join(tmpdir(), 'row-spool-'))
    const inspected = await withTemporaryFolder(folder, () => inspect(TRADES, bytes as number))
    expect(keptOf(inspected)?.blocks.map(({ at }) => typeof at === 'number')).toEqual(isOnDisk)
    expect(readdirSync(folder)).toEqual([])
    rmdirSync(folder)
    const expected = await rowsOf(open(await inspect(TRADES, undefined)))
    expect(await rowsOf(open(inspected))).toEqual(expected)
    expect(await rowsOf(open(structuredClone(inspected)))).toEqual(expected)
  })

  it('are read again from the file of the tape where the disk does not take them', async () => {
    const inspected = await withTemporaryFolder('/no/such/folder', () => inspect(TRADES, 0))
    expect(inspected.rows).toBeUndefined()
    expect(await rowsOf(open(inspected))).toEqual(await rowsOf(open(await inspect(TRADES, PLENTY))))
  })

  it('of a value that other precisions make too large are refused with their place', async () => {
    const inspected = await inspect('time_ms,price,qty\n1,1,1\n2,1,9007199254740991\n', PLENTY)
    const tape = openTape(inspected, { pricePrecision: 0, qtyPrecision: 1 })
    await expect(rowsOf(tape)).rejects.toThrow('tape.csv:3:3: expected a quantity of at most 2^53 - 1 units of 10^-1')
  })
})
