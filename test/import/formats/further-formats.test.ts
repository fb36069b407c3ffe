/**
 * Formats beyond those of the page, each with a small file that reports the same three trades or candles.
 */
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { CANDLE_FORMATS } from './rig/candle-formats.ts'
import { THREE_CANDLES, THREE_TRADES, type Example } from './rig/example.ts'
import { JSON_FORMATS } from './rig/json-formats.ts'
import { readExample } from './rig/read-example.ts'
import { TRADE_FORMATS } from './rig/trade-formats.ts'

const { write } = temporaryFiles()
const EXAMPLES = [...TRADE_FORMATS, ...CANDLE_FORMATS, ...JSON_FORMATS]

const isCandles = (example: Example): boolean => example.isCandles ?? CANDLE_FORMATS.includes(example)

describe('reads the same rows in every format', () => {
  it.each(EXAMPLES.map((example) => [example.format, example] as const))('%s', async (_, example) => {
    const { content, name = /^[[{]/.test(String(content)) ? 'tape.json' : 'tape.csv' } = example
    const { dialect, rows } = await readExample({ file: write(content, name), symbol: 'BTC_USD', ...example.said })
    expect(dialect).toBe(example.dialect)
    if (example.rows !== undefined) expect([rows[0], rows.at(-1)]).toEqual(example.rows)
    else expect(rows).toEqual(isCandles(example) ? THREE_CANDLES : THREE_TRADES)
  })
})
