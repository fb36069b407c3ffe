/**
 * docs/statistics.md against the docstrings of the code. `RENEW_DOCS=1 npx vitest run test/docs/statistics.test.ts`
 * rewrites its tables.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { REPORT } from '../report/rig/some-report.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = join(PROJECT, 'docs/statistics.md')

/** Sections of the page: a heading, and the file and the interface whose fields it lists. */
const SECTIONS = [
  ['The whole run', 'analysis/statistics.ts', 'EquityStatistics'],
  ['Returns', 'analysis/returns/return-statistics.ts', 'ReturnStatistics'],
  ['Round trips', 'analysis/trip-statistics.ts', 'TripStatistics'],
  ['Orders and costs', 'analysis/statistics.ts', 'CostStatistics'],
] as const

/** Sections on a choice among runs, whose fields are not statistics of a run. */
const OF_SELECTION = [
  ['The best of many', 'sweep/selection/selection-statistics.ts', 'SelectionStatistics'],
  ['Overfitting', 'sweep/selection/overfitting.ts', 'OverfittingStatistics'],
] as const

const ALL_SECTIONS = [...SECTIONS, ...OF_SELECTION]

interface Row {
  readonly name: string
  readonly type: string
  readonly definition: string
  readonly unit: string
  readonly nullWhen: string
  readonly source: string
}

function rowsOf(file: string, name: string): readonly Row[] {
  const text = readFileSync(join(PROJECT, 'src', file), 'utf8')
  const [body = ''] = text.slice(text.indexOf(`export interface ${name} {`)).split('\n}\n')
  return Array.from(
    body.matchAll(/ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+): (.*)/g),
    ([, doc = '', field = '', type = '']) => {
      const [definition = '', ...tags] = doc
        .replaceAll(/\n? *\* ?/g, ' ')
        .split(/ @(?=unit|null|see)/)
        .map((part) => part.replaceAll(/\s+/g, ' ').trim())
      const tag = (word: string): string =>
        tags.find((each) => each.startsWith(`${word} `))?.slice(word.length + 1) ?? ''
      return { name: field, type, definition, unit: tag('unit'), nullWhen: tag('null'), source: tag('see') }
    },
  )
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const tableOf = (rows: readonly Row[]): string =>
  [
    '| Name | Definition | Unit | Null when | Source |',
    '|---|---|---|---|---|',
    ...rows.map(({ name, definition, unit, nullWhen, source }) => {
      return `| \`${name}\` | ${[definition.replace(/\.$/, ''), unit, nullWhen, source].map(cell).join(' | ')} |`
    }),
  ]
    .join('\n')
    .replaceAll(/ {2,}/g, ' ')

const headed = (heading: string, table: string): string => `## ${heading}\n\n${table}\n`

function renewed(page: string): string {
  return ALL_SECTIONS.reduce((text, [heading, file, name]) => {
    const start = text.indexOf(`## ${heading}\n`)
    const next = text.indexOf('\n## ', start + 1)
    const end = next < 0 ? text.length : next
    return `${text.slice(0, start)}${headed(heading, tableOf(rowsOf(file, name)))}${text.slice(end)}`
  }, page)
}

if (process.env.RENEW_DOCS === '1') writeFileSync(PAGE, renewed(readFileSync(PAGE, 'utf8')))

describe.each(ALL_SECTIONS)('%s', (heading, file, name) => {
  it('has the docstrings of the code on the page', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(headed(heading, tableOf(rowsOf(file, name))))
  })

  it.each(rowsOf(file, name))('$name has a definition, a unit, and a condition if it can be null', (row) => {
    expect(row.definition).toMatch(/\S{3}/)
    expect(row.unit).not.toBe('')
    if (row.nullWhen !== '') expect(row.type).toMatch(/ \| null$/)
    // Every return statistic is null if a sample has no value, which the page says once.
    if (name !== 'ReturnStatistics') expect(row.type.endsWith('| null')).toBe(row.nullWhen !== '')
    else expect(row.type).toMatch(/ \| null$/)
  })
})

it('lists every statistic of a run once, and no other', () => {
  const listed = SECTIONS.flatMap(([, file, name]) => rowsOf(file, name).map((row) => row.name))
  expect(listed.toSorted()).toEqual(Object.keys(REPORT.statistics).toSorted())
})
