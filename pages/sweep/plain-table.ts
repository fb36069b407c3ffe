/**
 * A table of texts: what a drawing shows, for who cannot see it, and to be copied.
 */
import { el } from '../parts/dom.ts'

/** A text, and what it says on hover. */
export type CellText = string | readonly [text: string, title: string]

export interface PlainTable {
  readonly caption: string
  readonly heads: readonly CellText[]
  readonly rows: readonly (readonly CellText[])[]
  /** True where the first column is of words. */
  readonly isNamed?: boolean
}

/** It scrolls sideways where there is little room. */
export function plainTable({ caption, heads, rows, isNamed = false }: PlainTable): HTMLElement {
  const cell = (text: CellText, tag: 'td' | 'th', attributes: Readonly<Record<string, string>>): HTMLElement => {
    const [shown, title] = typeof text === 'string' ? [text, ''] : text
    return el(tag, { ...attributes, ...(title === '' ? {} : { title }) }, shown)
  }
  const named = (column: number): Readonly<Record<string, string>> => (isNamed && column === 0 ? { class: 'name' } : {})
  const head = heads.map((text, column) => cell(text, 'th', { scope: 'col', ...named(column) }))
  const body = rows.map((row) => el('tr', {}, ...row.map((text, column) => cell(text, 'td', named(column)))))
  const table = el('table', {}, el('caption', { class: 'quiet' }, caption))
  table.append(el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body))
  return el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': caption }, table)
}

/** Out of the way until it is asked for. */
export const foldedTable = (summary: string, table: PlainTable): HTMLElement =>
  el('details', {}, el('summary', {}, summary), plainTable(table))
