/**
 * Returns by month, and by weekday and hour, as tables whose cells are coloured by what they say.
 *
 * Invariant: each cell says its value; the colour only helps to find it.
 */
import type { HourReturn, MonthReturn, YearReturn } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

interface Cell {
  readonly value: number
  readonly text: string
  /** Text for a screen reader. */
  readonly more: string
}

/** A row of months a year with what they made together, and below each what the benchmark made. */
export function monthMap(months: readonly MonthReturn[], years: readonly YearReturn[]): HTMLElement {
  const most = Math.max(...months.map(({ value }) => Math.abs(value)))
  const rows = years.flatMap((whole): readonly MapRow[] => {
    const found = [
      ...MONTHS.map((_, index) => months.find((each) => each.year === whole.year && each.month === index + 1)),
      whole,
    ]
    const own = {
      name: String(whole.year),
      cells: found.map((each) => (each === undefined ? undefined : { ...each, more: '' })),
    }
    const held = found.map((each) => heldCell(each?.benchmark ?? null))
    const isKnown = held.some((each) => each !== undefined)
    return isKnown ? [own, { name: 'hold', cells: held, isBenchmark: true }] : [own]
  })
  return map('Return by month, UTC', [...MONTHS, 'Year'], rows, most)
}

export function hourMap(hours: readonly HourReturn[]): HTMLElement {
  const most = Math.max(...hours.map(({ value }) => Math.abs(value)))
  const hasHours = hours.some(({ hour }) => hour !== null)
  const columns = hasHours ? Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')) : ['mean']
  const rows = DAYS.map((name, weekday) => {
    const cells = columns.map((_, hour): Cell | undefined => {
      const cell = hours.find((each) => each.weekday === weekday && each.hour === (hasHours ? hour : null))
      return cell === undefined ? undefined : { ...cell, more: `, mean of ${cell.count}` }
    })
    return { name, cells }
  })
  return map(hasHours ? 'Mean return by weekday and hour, UTC' : 'Mean return by weekday, UTC', columns, rows, most)
}

interface MapRow {
  readonly name: string
  readonly cells: readonly (Cell | undefined)[]
  /** Stands below the row that it is compared with. */
  readonly isBenchmark?: boolean
}

function map(name: string, columns: readonly string[], rows: readonly MapRow[], most: number): HTMLElement {
  const isDense = columns.length > 13
  const head = el('tr', {}, el('td', {}), ...columns.map((column) => el('th', { scope: 'col' }, column)))
  const body = rows.map(({ name: label, cells, isBenchmark = false }) => {
    const drawn = cells.map((cell) => (isBenchmark ? plainCell(cell) : cellOf(cell, most, isDense)))
    if (columns.at(-1) === 'Year') drawn.at(-1)?.classList.add('total')
    return el('tr', isBenchmark ? { class: 'benchmark' } : {}, el('th', { scope: 'row' }, label), ...drawn)
  })
  const caption = el('caption', { class: 'unseen' }, name)
  const table = el(
    'table',
    { class: isDense ? 'heat dense' : columns.length === 1 ? 'heat narrow' : 'heat' },
    caption,
    el('thead', {}, head),
    el('tbody', {}, ...body),
  )
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${name}, table` }, table)
}

const heldCell = (held: YearReturn['benchmark']): Cell | undefined =>
  held === null ? undefined : { ...held, more: '' }

const plainCell = (cell: Cell | undefined): HTMLElement => el('td', {}, cell?.text ?? '')

/** @param isDense  true to leave out the unit, which the heading names */
function cellOf(cell: Cell | undefined, most: number, isDense: boolean): HTMLElement {
  if (cell === undefined) return el('td', { class: 'blank' })
  const [, number = cell.text, unit = ''] = isDense ? (/^(.*?)(\s*(?:%|bps))$/.exec(cell.text) ?? []) : []
  const element = el('td', { class: cell.value > 0 ? 'up' : cell.value < 0 ? 'down' : '' }, number)
  if (unit !== '') element.append(el('span', { class: 'unseen' }, unit))
  if (cell.more !== '') element.append(el('span', { class: 'unseen' }, cell.more))
  const share = most > 0 ? Math.min(1, Math.abs(cell.value) / most) : 0
  element.style.setProperty('--share', `${(share * 42).toFixed(1)}%`)
  if (cell.more !== '') element.title = cell.text + cell.more
  return element
}
