/**
 * docs/errors.md has every code of the source, with its HTTP status, and no other; its flags and links exist.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-code.ts'
import { STATUS_OF_CODE } from '../../src/wire/error-code.ts'

const PROJECT = join(import.meta.dirname, '../..')
const page = readFileSync(join(PROJECT, 'docs/errors.md'), 'utf8')
const source = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(PROJECT, 'src', file), 'utf8'))
  .join('\n')

/** Codes in the first cells of tables, with the cell after them. */
const rows = Array.from(page.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm), ([, code = '', next = '']) => ({
  code,
  next,
}))

it('has every code of the service, with its status', () => {
  const statuses = rows.filter(({ next }) => /^\d+$/.test(next)).map(({ code, next }) => [code, Number(next)])
  expect(Object.fromEntries(statuses)).toEqual(STATUS_OF_CODE)
  expect(statuses).toHaveLength(Object.keys(STATUS_OF_CODE).length)
})

it('has every code that papertape itself makes, and no other', () => {
  const made = [
    ...source.matchAll(/new ExchangeError\(\s*'([A-Z_]+)'/g),
    ...source.matchAll(/isOutage\(answer\) \? '[A-Z_]+' : '([A-Z_]+)'/g),
    ...source.matchAll(/const [A-Z_]+ = '(UNREADABLE_[A-Z]+)'/g),
    ...source.matchAll(/\brefusedHere\('([A-Z_]+)'/g),
    ...source.matchAll(/\bcode: '([A-Z]+_[A-Z_]+)'/g),
  ].map(([, code = '']) => code)
  const codes = new Set(rows.map(({ code }) => code))
  expect(made.filter((code) => !codes.has(code))).toEqual([])
  const own = [...codes].filter((code) => !Object.hasOwn(STATUS_OF_CODE, code))
  expect(own.filter((code) => !source.includes(`'${code}'`))).toEqual([])
  expect(own).toHaveLength(6)
})

it('has every exit code', () => {
  const codes = Array.from(page.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code))
  expect(codes).toEqual(Object.values(EXIT))
})

it('quotes messages of the source', () => {
  const cells = Array.from(page.matchAll(/^\| (`[a-z.F][^|]*) \|/gm), ([, cell = '']) => cell)
  const parts = cells.flatMap((cell) => cell.match(/[a-z][a-z ]+(?: [a-z-]+)+/gi) ?? [])
  expect(parts.length).toBeGreaterThan(25)
  expect(parts.filter((part) => !source.includes(part))).toEqual([])
})
