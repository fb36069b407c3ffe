import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { RECEIVED_FILE, ReceivedFile, receivedRows, type ReceivedRow } from '../../../src/store/runs/received-file.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder } = temporaryFiles()
const path = join(folder, RECEIVED_FILE)
const ROWS: readonly ReceivedRow[] = [
  {
    arrivedAt: undefined,
    symbol: 'A_USD',
    createdAt: 900,
    trade: { id: '7', price: '1.50', qty: '2', isBuyerMaker: true },
  },
  { arrivedAt: 1_000, symbol: 'A_USD', createdAt: 950, trade: undefined },
  {
    arrivedAt: 1_001,
    symbol: 'A_USD',
    createdAt: 990,
    trade: { id: 'end', price: '1.51', qty: '3', isBuyerMaker: false },
  },
  {
    arrivedAt: 1_002,
    symbol: 'mood',
    createdAt: 980,
    trade: undefined,
    cells: { value: undefined, note: '' },
    isSeen: false,
  },
]
const rows = (): readonly ReceivedRow[] => [...receivedRows(path)]

beforeEach(() => {
  rmSync(path, { force: true })
  const file = new ReceivedFile(folder, (error) => expect.unreachable(String(error)))
  for (const row of ROWS) file.append(row)
  file.close()
  file.close()
})

it('is read as it was written, an empty cell of a series with its key', () => {
  expect(rows()).toStrictEqual(ROWS.map((row) => ({ isStart: false, ...row })))
})

it('is refused if the session did not complete it, wherever it was cut', () => {
  const text = readFileSync(path, 'utf8')
  for (let length = 0; length < text.length - 1; length += 1) {
    writeFileSync(path, text.slice(0, length))
    expect(rows).toThrow(/received\.csv(?::\d+)?: (?:is not complete|is not a line|was changed)/)
  }
})

it.each([
  ['price', '1.51', '1.52'],
  ['row', /1000,.*\n/, ''],
  ['order of rows', /(1000,.*\n)(1001,.*\n)/, '$2$1'],
])('is refused with another %s', (_, from, to) => {
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  expect(rows).toThrow('received.csv: was changed after the session')
})
