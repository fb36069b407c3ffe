/**
 * Files with one fault, each refused with its place, and nothing of them in the store.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { importRecordings } from '../../../src/store/transfers/import-recordings.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()

interface Base {
  readonly name: string
  readonly header: string
  readonly delimiter?: string
  /** Cells of a row, from 0. */
  readonly row: (index: number) => string[]
  /** Column of each kind of cell. */
  readonly columns: Readonly<Record<string, readonly number[]>>
}

const START = 1_704_164_640_000
const BASES: readonly Base[] = [
  {
    name: 'trades',
    header: 'id,time_ms,price,qty,side',
    row: (index) => [
      String(index + 1),
      String(START + index * 1000),
      `${100 + index}.5`,
      '0.25',
      index % 2 === 0 ? 'buy' : 'sell',
    ],
    columns: { id: [0], time: [1], price: [2], qty: [3], side: [4] },
  },
  {
    name: 'Binance trades',
    header: '',
    row: (index) => [
      String(index + 1),
      `${100 + index}.5`,
      '2',
      `${200 + 2 * index + 1}`,
      String(START + index * 1000),
      'True',
      'True',
    ],
    columns: { id: [0], price: [1], qty: [2], time: [4], maker: [5] },
  },
  {
    name: 'trades with semicolons',
    header: 'Timestamp;Price;Amount;Taker side',
    delimiter: ';',
    row: (index) => [String(START + index * 1000), `${100 + index}.5`, '0.25', 'BUY'],
    columns: { time: [0], price: [1], qty: [2], side: [3] },
  },
  {
    name: 'candles',
    header: 'time,open,high,low,close,volume',
    row: (index) => [String(START + index * 60_000), '100', '102', '99', '101', '5'],
    columns: { time: [0], candle: [1, 4], volume: [5] },
  },
]

const NUMBERS = ['', '-1', 'NaN', '1.2.3', '0x10', '1e400', '9007199254740993', '1.12345678901234', '"1,5"', '١']
const CELLS: Readonly<Record<string, readonly string[]>> = {
  id: [''],
  time: ['', 'noon', '-5', '1.7e12', '2024-02-31', '1704164', '1704164640000000000000', '1604164640000'],
  price: ['0', ...NUMBERS],
  qty: ['0', ...NUMBERS],
  side: ['', 'hold', 'buys'],
  maker: ['', 'maybe'],
  candle: ['0', '5', '1000', ...NUMBERS],
  volume: ['-1', 'x', '1.2.3', '1e400', '9007199254740993'],
}

interface BadFile {
  readonly title: string
  readonly content: string | Uint8Array
  /** Physical line, from 1. */
  readonly line: number
}

const ROWS = 40

function fileOf(base: Base, at: number, bad: string, end = '\n'): string {
  const rows = Array.from({ length: ROWS }, (_, index) =>
    index === at ? bad : base.row(index).join(base.delimiter ?? ','),
  )
  return `${base.header === '' ? '' : `${base.header}\n`}${rows.join('\n')}${end}`
}

const lineOf = ({ header }: Base, at: number): number => at + (header === '' ? 1 : 2)

function* badFiles(): Generator<BadFile> {
  let turn = 0
  for (const base of BASES) {
    for (const [kind, columns] of Object.entries(base.columns)) {
      for (const column of columns) {
        for (const cell of CELLS[kind] ?? []) {
          const at = [17, 25, ROWS - 1][(turn += 1) % 3] ?? 1
          const cells = base.row(at)
          cells[column] = cell
          const content = fileOf(base, at, cells.join(base.delimiter ?? ','), turn % 2 === 0 ? '\n' : '')
          yield {
            title: `${base.name}: '${cell}' as ${kind}`,
            content: turn % 5 === 0 ? gzipSync(content) : content,
            line: lineOf(base, at),
          }
        }
      }
    }
    const at = 20
    const row = base.row(at)
    const delimiter = base.delimiter ?? ','
    const rows: Readonly<Record<string, string>> = {
      'a cell too few': row.slice(1).join(delimiter),
      'a cell too many': [...row, '7'].join(delimiter),
      'a blank line': '',
      'a line of another file': 'this is, no row',
      'a quote that is not closed behind': row
        .map((cell, index) => (index === 2 ? `"${cell}"x` : cell))
        .join(delimiter),
      'a NUL byte': row.join(delimiter).replace(delimiter, `\0${delimiter}`),
      'a time of the row before the last': [...base.row(at - 2)].join(delimiter),
    }
    for (const [title, bad] of Object.entries(rows)) {
      yield { title: `${base.name}: ${title}`, content: fileOf(base, at, bad), line: lineOf(base, at) }
    }
    yield {
      title: `${base.name}: bytes that are no UTF-8`,
      content: Buffer.from(fileOf(base, at, row.join(delimiter).replace('1', '\xe9')), 'latin1'),
      line: lineOf(base, at),
    }
  }
}

const FILES = [...badFiles()]

describe('files with one fault', () => {
  it('are at least 150', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(150)
  })

  it.each(FILES)('$title is refused at its line, and nothing is imported', async ({ content, line }) => {
    const place = { form: 'tape-file', file: `${folder}/kept.tape` } as const
    const good = { file: write('id,time_ms,price,qty,side\n1,1,1,1,buy\n', 'good.csv'), symbol: 'A_USD' }
    await importRecordings([good], place, { importedAt: 0 })
    const before = createHash('sha256').update(readFileSync(place.file)).digest('hex')
    const file = write(content, 'bad.csv')
    const error: unknown = await importRecordings([{ file, symbol: 'A_USD' }], place, { importedAt: 0 }).then(
      (manifests) => manifests,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(InputError)
    expect(String(error)).toMatch(new RegExp(`^InputError: ${file}:${line}(?::\\d+)?: .*expected .*got `, 's'))
    expect(createHash('sha256').update(readFileSync(place.file)).digest('hex')).toBe(before)
  })
})
