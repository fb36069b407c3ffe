/**
 * Numbers of docs/liquidity.md: each number in a sentence is in a table of the page, each table has a caption, and the
 * constants are those of the code.
 *
 * Known limit: numbers written as words, such as a half or a tenth, are not checked.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { resolveTerms } from '../../src/runtime/settings/run-terms.ts'
import { USUAL_STALENESS_MS } from '../../src/runtime/backtest/liquidity-setups.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/liquidity.md'), 'utf8')

/** Paragraphs, lists and tables, without list numbers, code blocks and link targets. */
const BLOCKS = PAGE.replaceAll(/^```[^]*?^```$/gm, '')
  .replaceAll(/<!--.*?-->/g, '')
  .replaceAll(/\]\([^)\s]*\)/g, ']')
  .split(/\n{2,}/)
  .map((block) => block.replaceAll(/^\d+\. /gm, '').trim())
  .filter((block) => block !== '')

const CAPTION = /^Table `([a-z-]+)`: \S/
const isTable = (block: string): boolean => block.startsWith('|')

const numbersIn = (text: string): readonly string[] => text.replaceAll(/`[^`]*`/g, '').match(/\d+(?:\.\d+)?/g) ?? []

const rowsOf = (name: string): readonly (readonly string[])[] => {
  const at = BLOCKS.findIndex((block) => CAPTION.exec(block)?.[1] === name)
  const cells = (row: string): readonly string[] =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  return (BLOCKS[at + 1] ?? '').split('\n').slice(2).map(cells)
}

describe('docs/liquidity.md', () => {
  it('has no number in a sentence that no table has', () => {
    const inTables = new Set(BLOCKS.filter((block) => isTable(block)).flatMap((block) => numbersIn(block)))
    const sentences = BLOCKS.filter((block) => !isTable(block) && !CAPTION.test(block))
    const numbers = sentences.flatMap((block) => numbersIn(block))
    expect(numbers.length).toBeGreaterThan(14)
    expect(numbers.filter((number) => !inTables.has(number))).toEqual([])
  })

  it('captions every table with a unique name', () => {
    const names = BLOCKS.flatMap((block, index) =>
      isTable(block) ? [CAPTION.exec(BLOCKS[index - 1] ?? '')?.[1] ?? block.slice(0, 60)] : [],
    )
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('keeps a place for the table of candles against trades', () => {
    expect(PAGE).toMatch(/^<!-- table: candles-against-trades -->\n[^]*?^<!-- end -->$/m)
  })

  it('lists the defaults of a run', () => {
    const { queueSize, levelSize, orderLatencyMs } = resolveTerms({})
    const staleMinutes = USUAL_STALENESS_MS / 60_000
    const values = rowsOf('defaults').map(([, value]) => Number(value))
    expect(values).toEqual([queueSize, levelSize, orderLatencyMs, staleMinutes])
  })

  const sourceOf = (file: string): string => join(PROJECT, 'src/simulation', file.replaceAll('`', ''))

  describe.each(rowsOf('constants'))('%s: %s', (_, value = '', file = '', name = '') => {
    it(`is ${name} of ${file}`, () => {
      const found = new RegExp(`const ${name.replaceAll('`', '')} = ([0-9_.]+)$`, 'm').exec(
        readFileSync(sourceOf(file), 'utf8'),
      )
      expect(Number(found?.[1]?.replaceAll('_', ''))).toBe(Number(value))
    })
  })
})
