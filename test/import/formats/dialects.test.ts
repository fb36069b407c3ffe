import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { importRecordings } from '../../../src/store/transfers/import-recordings.ts'
import { inspectTape } from '../../../src/store/tapes/inspect-tape.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { CANDLE_FILES, TRADE_FILES, type DialectFile } from './rig/dialect-files.ts'
import { rowsReported } from './rig/reported-rows.ts'

const { folder, write } = temporaryFiles()
const DOCS = fileURLToPath(new URL('../../../docs/data.md', import.meta.url))
let counter = 0

async function read(source: TapeSource) {
  const { info } = await inspectTape(source, { room: { bytes: 1e8 } })
  const rows = await rowsReported(source)
  return { symbol: info.symbol, rows: rows.length, first: rows[0], last: rows.at(-1), notices: info.notices }
}

function sourceOf({ name, content, source = { symbol: 'BTC_USD' } }: DialectFile): TapeSource {
  return { ...source, file: write(content, name ?? `file-${(counter += 1)}`) }
}

describe.each([
  ['trades', TRADE_FILES],
  ['candles', CANDLE_FILES],
] as const)('%s', (_, files) => {
  it.each(files)('of $format', async (file) => {
    const { symbol = 'BTC_USD', rows, first, last, dialect } = file
    const source = sourceOf(file)
    const { notices, ...found } = await read(source)
    expect(found).toEqual({ symbol, rows, first, last })
    if (dialect !== 'CSV with a header') expect(notices).toContain(`Read as ${dialect}.`)
    const place = { form: 'tape-file', file: `${folder}/${(counter += 1)}.tape` } as const
    const [manifest] = await importRecordings([source], place, { importedAt: 0 })
    expect(manifest).toMatchObject({ imported: rows, bad: 0, dialect, symbol })
    expect(await read({ file: place.file })).toMatchObject({ symbol, rows, first, last })
  })
})

const START = '<!-- formats: written by test/import/formats/dialects.test.ts -->'
const END = '<!-- end of formats -->'

function table(): string {
  const row = ({ format, dialect }: DialectFile, kind: string): string => `| ${format} | ${kind} | ${dialect} |`
  return [
    '| Format | Rows | Reported as |',
    '|---|---|---|',
    ...TRADE_FILES.map((file) => row(file, 'trades')),
    ...CANDLE_FILES.map((file) => row(file, 'candles')),
  ].join('\n')
}

describe('docs/data.md', () => {
  it('has the table of the formats', () => {
    const text = readFileSync(DOCS, 'utf8')
    const [before = '', rest = ''] = text.split(START)
    const [, after = ''] = rest.split(END)
    const renewed = `${before}${START}\n${table()}\n${END}${after}`
    if (process.env.RENEW_DOCS === '1') writeFileSync(DOCS, renewed)
    expect(readFileSync(DOCS, 'utf8')).toBe(renewed)
  })
})
