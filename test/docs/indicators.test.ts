/**
 * docs/indicators.md and the docstrings of indicators, held against the code: names, parameters, first rows, sources.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as papertape from '../../src/index.ts'
import { casesOf } from '../strategy/indicators/rig/cases.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/indicators.md'), 'utf8')
const FOLDER = join(PROJECT, 'src/strategy/indicators')
/** The code of all indicators. */
const CODE = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
  .join('\n')

const ROWS = Array.from(
  PAGE.replaceAll('\\|', '¦').matchAll(/^\| `(\w+)` \| (?:`(.*?)`)? ?\|(.*)\|(.*)\|(.*)\|$/gm),
  ([, name = '', parameters = '', , first = '', source = '']) => ({
    name,
    parameters,
    first: first.trim(),
    source: source.trim(),
  }),
)

/** The docstring of the exported function, on one line. */
function docstringOf(name: string): string {
  const end = CODE.indexOf(`export function ${name}(`)
  return CODE.slice(CODE.lastIndexOf('/**', end), end).replaceAll(/\s*\n\s*\*?\s*/g, ' ')
}

/** Reads `2n-2` and `max(n-1, atr)`, for the lengths that the cases have. */
function rowFor(first: string, n: number): number {
  const root = Math.round(Math.sqrt(n))
  const lengths: Readonly<Record<string, number>> = {
    n,
    slow: 2 * n,
    signal: root + 1,
    k: n,
    smooth: root,
    d: n,
    atr: root,
    'round(√n)': root,
  }
  const summed = (text: string): number =>
    Array.from(
      text.replaceAll(' ', '').matchAll(/([+-]?)(\d*)(round\(√n\)|[a-z]+)?/g),
      ([all, sign, count = '', name]) => {
        if (all === '') return 0
        const size = (count === '' ? 1 : Number(count)) * (name === undefined ? 1 : (lengths[name] ?? Number.NaN))
        return sign === '-' ? -size : size
      },
    ).reduce((total, term) => total + term, 0)
  const [, either, other] = /^max\((.*), (.*)\)$/.exec(first) ?? []
  return either === undefined || other === undefined ? summed(first) : Math.max(summed(either), summed(other))
}

it('the page has every indicator once, and no other', () => {
  expect(ROWS.map(({ name }) => name)).toEqual(casesOf(3).map(({ name }) => name))
  expect(ROWS).toHaveLength(33)
})

describe.each(ROWS)('$name', ({ name, parameters, first, source }) => {
  it('is exported', () => {
    expect(CODE).toContain(`export function ${name}(`)
    expect(papertape).toHaveProperty(name)
  })

  it.each([4, 9])('has its first value at the row of the page, n = %i', (n) => {
    expect(casesOf(n).find((each) => each.name === name)?.indicator.warmup).toBe(rowFor(first, n))
  })

  it('has the parameters and defaults of the page', () => {
    const text = CODE.replaceAll(/\s+/g, ' ')
    const signature = text.slice(text.indexOf(`export function ${name}(`))
    const head = signature.slice(0, signature.indexOf('): Indicator<'))
    for (const [, parameter = '', value] of parameters.matchAll(/(\w+)(?:(?:: | = )([\w.']+))?/g)) {
      if (parameter === 'd' || /^[a-z]\w*$/i.test(parameter)) expect(head).toContain(parameter)
      if (value !== undefined) expect(head).toContain(`${parameter} = ${value}`)
    }
  })

  it('says formula, first row and source in its docstring', () => {
    const doc = docstringOf(name)
    expect(doc).toMatch(/First value (?:of (?:all three|all|both) )?at row \S/)
    expect(doc.replaceAll(' ', '')).toContain(`atrow${first.replaceAll(' ', '')}.`)
    for (const word of source.match(/TA-Lib|[A-Z]{3,}|Hull|Kaufman|Wilder|Pearson|definition/g) ?? [])
      expect(doc).toContain(word)
  })
})

it('every operator that reads indicators is exported', () => {
  for (const name of ['crossing', 'crossOver', 'crossUnder', 'changeOf', 'cooldown', 'indicators', 'indicator']) {
    expect(PAGE).toContain(name)
    expect(papertape).toHaveProperty(name)
  }
})
