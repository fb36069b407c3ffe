/**
 * A table of however many rows: it sorts, searches and chooses over all of them, and has a page of them in the
 * document.
 *
 * Invariant: what a row does on a click, a button in it does for the keyboard.
 */
import type { PageColumn, PageRow, PageTable } from '../../src/report/page/page-data.ts'
import { readableDecimal } from '../../src/report/readable.ts'
import { el, setText } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { aligned } from './aligned.ts'
import { save } from './picture.ts'
import { TableOrder, type Sorting } from './table-order.ts'
import { define } from './term.ts'

const PAGE = 25
/** Tables with fewer rows have no search. */
const FEW = PAGE / 2
/** Letters from which on a text may take several lines. */
const WORDS = 18
const ON_PAPER = 40
const SEARCH_AFTER_MS = 120
/** Columns by which a row is good or bad. */
const TONED = new Set(['profit', 'return', 'status', 'reason'])

export interface RowActions {
  readonly onJump?: (at: NonNullable<PageRow['at']>, row: number) => void
  readonly onExplain?: (key: string) => void
  /** Explains any row, by its index. */
  readonly onWhy?: (row: number) => void
}

export class DataTable {
  readonly element: HTMLElement
  readonly #table: PageTable
  readonly #order: TableOrder
  readonly #actions: RowActions
  readonly #choices = new Map<number, string>()
  readonly #body = el('tbody')
  readonly #count = el('span', { class: 'quiet', role: 'status' })
  readonly #pager = el('div', { class: 'pager' })
  readonly #paper = el('p', { class: 'on-paper quiet' })
  readonly #hasActions: boolean
  readonly #headers: readonly HTMLElement[]
  /** Columns with anything in them. */
  readonly #shown: readonly number[]
  #search = ''
  #sorting: Sorting | undefined
  #rows: readonly number[]
  #first = 0
  /** The marked row. */
  #here: number | undefined

  constructor(table: PageTable, name: string, actions: RowActions = {}) {
    this.#table = table
    this.#order = new TableOrder(table)
    this.#actions = actions
    const { onJump, onExplain, onWhy } = actions
    this.#hasActions = table.rows.some(
      ({ at, explanation }) =>
        onWhy !== undefined ||
        (at !== undefined && onJump !== undefined) ||
        (explanation !== undefined && onExplain !== undefined),
    )
    this.#rows = this.#order.rows(this.#wanted())
    this.#headers = table.columns.map((column, index) => this.#header(column, index))
    this.#shown = shownColumns(table)
    const headers = this.#shown.flatMap((column) => this.#headers[column] ?? [])
    const last = this.#hasActions ? [el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Show'))] : []
    const head = el('thead', {}, el('tr', {}, ...headers, ...last))
    const grid = el('table', {}, el('caption', { class: 'unseen' }, name), head, this.#body)
    const scroll = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${name}, table` }, grid)
    this.element = el('div', { class: 'data-table' }, this.#tools(name), scroll, this.#pager, this.#paper)
    this.#body.addEventListener('click', (event) => this.#onClick(event))
    addEventListener('beforeprint', () => this.#draw(0, ON_PAPER))
    addEventListener('afterprint', () => this.#draw())
    this.#addPager()
    this.#draw()
  }

  #wanted() {
    return { search: this.#search, choices: this.#choices, sorting: this.#sorting }
  }

  #header({ label, kind, definition }: PageColumn, column: number): HTMLElement {
    const button = el('button', { type: 'button', class: 'sort' }, label)
    define(button, [definition])
    button.addEventListener('click', () => {
      const before = this.#sorting?.column === column ? this.#sorting : undefined
      const first = kind === 'text'
      if (before === undefined) this.#sorting = { column, isRising: first }
      else this.#sorting = before.isRising === first ? { column, isRising: !first } : undefined
      this.#find()
    })
    return el('th', { scope: 'col', class: kind === 'number' ? 'numbers' : '' }, button)
  }

  #tools(name: string): HTMLElement {
    if (this.#table.rows.length === 0) return el('div', { class: 'tools' })
    if (this.#table.rows.length <= FEW) return el('div', { class: 'tools few' }, this.#csvButton(name))
    const search = document.createElement('input')
    search.type = 'search'
    search.placeholder = 'Search'
    search.setAttribute('aria-label', `Search ${name}`)
    let timer = 0
    search.addEventListener('input', () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        this.#search = search.value
        this.#find()
      }, SEARCH_AFTER_MS)
    })
    const lists = this.#order.choices().map(({ column, texts }) => {
      const label = this.#table.columns[column]?.label ?? ''
      const options = texts.map((text) => el('option', { value: text }, text))
      const list = document.createElement('select')
      list.setAttribute('aria-label', label)
      list.append(el('option', { value: '' }, `${label}: all`), ...options)
      list.addEventListener('change', () => {
        this.#choices.set(column, list.value)
        this.#find()
      })
      return list
    })
    const same = this.#table.columns.flatMap(({ label }, column) => {
      const text = sameText(this.#table, column)
      return text === undefined || text === '' ? [] : [`${label} ${text}`]
    })
    const everywhere = same.length === 0 ? [] : [el('span', { class: 'quiet same' }, `Every row: ${same.join(', ')}`)]
    return el('div', { class: 'tools' }, search, ...lists, this.#count, ...everywhere, this.#csvButton(name))
  }

  /** Saves the rows that are found, of all pages, with the exact text of each cell. */
  #csvButton(name: string): HTMLElement {
    const label = `CSV: save ${name}`
    const button = el('button', { type: 'button', class: 'small', 'aria-label': label, title: label }, 'CSV')
    button.addEventListener('click', () => save(`${name.toLowerCase()}.csv`, csvOf(this.#table, this.#rows)))
    return button
  }

  #find(): void {
    this.#rows = this.#order.rows(this.#wanted())
    this.#first = 0
    this.#draw()
  }

  #addPager(): void {
    if (this.#table.rows.length <= PAGE) return
    const turn = (text: string, label: string, to: () => number): HTMLElement => {
      const button = el('button', { type: 'button', class: 'small', 'aria-label': label }, text)
      button.addEventListener('click', () => {
        this.#first = Math.max(0, to())
        this.#draw()
      })
      return button
    }
    const last = (): number => Math.floor((this.#rows.length - 1) / PAGE) * PAGE
    this.#pager.append(
      turn('«', 'First rows', () => 0),
      turn('‹', 'Rows before', () => this.#first - PAGE),
      el('span', { class: 'number' }),
      turn('›', 'Rows after', () => Math.min(last(), this.#first + PAGE)),
      turn('»', 'Last rows', last),
    )
  }

  #draw(first = this.#first, most = PAGE): void {
    const indices = this.#rows.slice(first, first + most)
    const rows = indices.flatMap((index) => {
      const row = this.#table.rows[index]
      return row === undefined ? [] : [{ index, row }]
    })
    const columns = this.#table.columns.map((shape, column) => {
      const { kind } = shape
      const texts = rows.map(({ row }) => shortened(row.cells[column] ?? '', shape, row))
      if (kind === 'number') return aligned(texts)
      return kind === 'time' ? texts.map(timeText) : texts
    })
    const drawn = rows.map(({ index, row }, at) =>
      this.#row(
        index,
        row,
        columns.map((texts) => texts[at] ?? ''),
      ),
    )
    this.#body.replaceChildren(...(drawn.length > 0 ? drawn : [this.#nothing()]))
    this.#headers.forEach((header, column) => {
      const { sorting } = this.#wanted()
      if (sorting?.column !== column) header.removeAttribute('aria-sort')
      else header.setAttribute('aria-sort', sorting.isRising ? 'ascending' : 'descending')
    })
    this.#report(first, indices.length)
  }

  #report(first: number, count: number): void {
    const [found, all] = [this.#rows.length, this.#table.rows.length]
    const whole = `${grouped(found)}${found === all ? '' : ` of ${grouped(all)}`} rows`
    setText(this.#count, whole)
    const place = this.#pager.querySelector('span')
    if (place !== null)
      setText(place, count === 0 ? 'none' : `${grouped(first + 1)}–${grouped(first + count)} of ${grouped(found)}`)
    this.#pager.querySelectorAll('button').forEach((button, at) => {
      button.disabled = at < 2 ? first === 0 : first + PAGE >= found
    })
    this.#paper.hidden = count >= found
    setText(this.#paper, `Printed: the first ${grouped(count)} of ${whole}. The page has all of them.`)
  }

  #nothing(): HTMLElement {
    const columns = String(this.#shown.length + Number(this.#hasActions))
    return el(
      'tr',
      {},
      el('td', { class: 'empty', colspan: columns }, this.#table.rows.length === 0 ? 'None.' : 'No matching rows.'),
    )
  }

  #row(index: number, row: PageRow, texts: readonly string[]): HTMLElement {
    const { columns } = this.#table
    const cells = this.#shown.map((column) => {
      const text = texts[column] ?? ''
      const { kind, key } = columns[column] ?? { kind: 'text', key: '' }
      const name = kind === 'number' ? 'numbers' : kind === 'time' || text.length < WORDS ? '' : 'words'
      const className = TONED.has(key) ? `${name} toned` : name
      const [start = '', rest] = text.split('…')
      if (kind !== 'number' || rest === undefined) return el('td', { class: className }, text)
      const exact = { class: className, title: `Exact value: ${row.cells[column] ?? ''}` }
      return el('td', exact, start, el('span', { class: rest.trim() === '' ? 'cut' : '' }, '…'), rest)
    })
    const element = el('tr', { 'data-row': String(index), class: row.tone }, ...cells)
    const buttons = this.#buttons(row)
    if (this.#hasActions) element.append(el('td', { class: 'actions' }, ...buttons))
    element.classList.toggle('active', buttons.length > 0)
    element.classList.toggle('here', index === this.#here)
    return element
  }

  #buttons({ at, explanation }: PageRow): readonly HTMLElement[] {
    const { onJump, onExplain, onWhy } = this.#actions
    const make = (text: string, name: string): HTMLElement =>
      el('button', { type: 'button', class: 'small', 'data-act': text, 'aria-label': name }, text)
    return [
      ...(at !== undefined && onJump !== undefined ? [make('chart', 'chart: show it on the chart')] : []),
      ...(explanation !== undefined && onExplain !== undefined
        ? [make('why', `why: explain order ${explanation}`)]
        : []),
      ...(onWhy === undefined ? [] : [make('why', 'why: explain its orders')]),
    ]
  }

  #onClick({ target }: Event): void {
    if (!(target instanceof Element) || getSelection()?.type === 'Range') return
    const element = target.closest<HTMLElement>('tr[data-row]')
    const row = this.#table.rows[Number(element?.dataset.row ?? -1)]
    if (row === undefined) return
    const { onJump, onExplain, onWhy } = this.#actions
    const act = target.closest<HTMLElement>('[data-act]')?.dataset.act
    const wantsExplanation = act === 'why' || (act === undefined && (row.at === undefined || onJump === undefined))
    const index = Number(element?.dataset.row)
    this.reveal(index)
    if (wantsExplanation && row.explanation !== undefined) onExplain?.(row.explanation)
    else if (wantsExplanation) onWhy?.(index)
    else if (row.at !== undefined) onJump?.(row.at, index)
  }

  /** Marks a row, and turns to the page that has it, unless the search leaves it out. */
  reveal(row: number): void {
    this.#here = row
    const at = this.#rows.indexOf(row)
    const first = Math.floor(at / PAGE) * PAGE
    if (at >= 0 && first !== this.#first) {
      this.#first = first
      this.#draw()
    }
    for (const each of this.#body.querySelectorAll<HTMLElement>('tr[data-row]'))
      each.classList.toggle('here', each.dataset.row === String(row))
  }
}

/** A column that is empty, or has the same text in every row, takes room from the others. */
function shownColumns(table: PageTable): readonly number[] {
  const { columns, rows } = table
  const all = columns.map((_, column) => column)
  if (rows.length === 0) return all
  const isEmpty = (text: string | undefined): boolean => text === '' || text === NOTHING
  const shown = all.filter(
    (column) => rows.some(({ cells }) => !isEmpty(cells[column])) && sameText(table, column) === undefined,
  )
  return shown.length === 0 ? all : shown
}

/** Text that a column of words has in every row of a table that is not short. */
function sameText({ columns, rows }: PageTable, column: number): string | undefined {
  const first = rows[0]?.cells[column]
  if (rows.length <= FEW || columns[column]?.kind !== 'text') return undefined
  return rows.every(({ cells }) => cells[column] === first) ? first : undefined
}

const NOTHING = '–'

/** Rows as RFC 4180 has them, times in ISO 8601. */
function csvOf({ columns, rows }: PageTable, indices: readonly number[]): Blob {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const cellText = (text: string, kind: PageColumn['kind']): string => {
    if (text === NOTHING) return ''
    return kind === 'time' && /^-?\d+$/.test(text) ? new Date(Number(text)).toISOString() : text
  }
  const lines = indices.map((index) =>
    columns.map(({ kind }, column) => quoted(cellText(rows[index]?.cells[column] ?? '', kind))).join(','),
  )
  const head = columns.map(({ label }) => quoted(label)).join(',')
  return new Blob([[head, ...lines, ''].join('\r\n')], { type: 'text/csv' })
}

/** A cell as it is shown: what is cut ends in an ellipsis. */
function shortened(text: string, { decimals, isDuration }: PageColumn, { at, cells }: PageRow): string {
  if (isDuration === true) {
    const parts = text.split(' ')
    return parts.length <= 4 ? text : `${parts.slice(0, 4).join(' ')}…`
  }
  const most = decimals?.[at?.symbol ?? cells[0] ?? '']
  if (most === undefined) return text
  const [number = '', ...unit] = text.split(' ')
  return [readableDecimal(number, most), ...unit].join(' ')
}

const grouped = (count: number): string => count.toLocaleString('en')

const timeText = (ms: string): string => (/^-?\d+$/.test(ms) ? dateTime(Number(ms)) : ms)
