/**
 * All points in a table that sorts by any column, a page of it at a time.
 */
import { el, setText } from '../parts/dom.ts'
import { grouped } from '../parts/words.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import type { Selection } from './selection.ts'

const ROWS = 50

interface Column {
  readonly label: string
  readonly definition: string
  readonly isText: boolean
  /** To sort by; null goes to the end, whatever the direction. */
  readonly order: (point: number) => number | null
  readonly text: (point: number) => string
  readonly exact: (point: number) => string
  /** The better first when it is sorted by for the first time. */
  readonly isFalling: boolean
}

export class PointsTable {
  readonly #selection: Selection
  readonly #columns: readonly Column[]
  readonly #body = el('tbody')
  readonly #heads: HTMLElement[]
  readonly #reported = el('p', { class: 'quiet', role: 'status', id: 'points-reported' })
  readonly #buttons: Readonly<Record<'first' | 'back' | 'on' | 'last', HTMLButtonElement>>
  #sorted: readonly number[] = []
  #by: { readonly column: number; readonly isFalling: boolean }
  #page = 0
  #shown: readonly number[] | undefined

  constructor(place: HTMLElement, selection: Selection) {
    this.#selection = selection
    this.#columns = columnsOf(selection)
    const { params, figures } = selection.data
    this.#by = { column: params.length + 1, isFalling: figures[0]?.better !== 'lower' }
    this.#heads = this.#columns.map((column, index) => this.#head(column, index))
    const table = el('table', { id: 'points' }, el('thead', {}, el('tr', {}, ...this.#heads)), this.#body)
    const button = (text: string, label: string, to: (last: number) => number): HTMLButtonElement => {
      const made = el('button', { type: 'button', class: 'small', 'aria-label': label }, text) as HTMLButtonElement
      made.addEventListener('click', () => {
        this.#page = Math.max(0, Math.min(this.#last, to(this.#last)))
        this.#showPage()
      })
      return made
    }
    this.#buttons = {
      first: button('«', 'First page', () => 0),
      back: button('‹', 'Previous page', () => this.#page - 1),
      on: button('›', 'Next page', () => this.#page + 1),
      last: button('»', 'Last page', (last) => last),
    }
    const pager = el('div', { class: 'controls pager' }, ...Object.values(this.#buttons), this.#reported)
    place.append(el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': 'Points' }, table), pager)
    selection.follow(() => this.#show())
  }

  get #last(): number {
    return Math.max(0, Math.ceil(this.#sorted.length / ROWS) - 1)
  }

  #head({ label, definition, isFalling }: Column, index: number): HTMLElement {
    const button = el('button', { type: 'button', title: definition }, label)
    button.addEventListener('click', () => {
      const isAgain = this.#by.column === index
      this.#by = { column: index, isFalling: isAgain ? !this.#by.isFalling : isFalling }
      this.#shown = undefined
      this.#show()
    })
    return el('th', { scope: 'col' }, button)
  }

  #show(): void {
    const { selected } = this.#selection
    if (selected !== this.#shown) {
      this.#shown = selected
      this.#page = 0
      this.#sort(selected)
    }
    this.#showPage()
  }

  #sort(selected: readonly number[]): void {
    const { column, isFalling } = this.#by
    const order = this.#columns[column]?.order ?? (() => null)
    const keys = new Map(selected.map((point) => [point, order(point)]))
    this.#sorted = selected.toSorted((a, b) => {
      const [one, other] = [keys.get(a) ?? null, keys.get(b) ?? null]
      if (one === null || other === null) return one === other ? a - b : one === null ? 1 : -1
      return (isFalling ? other - one : one - other) || a - b
    })
    this.#heads.forEach((head, index) => {
      if (index === column) head.setAttribute('aria-sort', isFalling ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    })
  }

  #showPage(): void {
    const from = this.#page * ROWS
    const points = this.#sorted.slice(from, from + ROWS)
    const { data, chosen } = this.#selection
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.point : undefined
    this.#body.replaceChildren(...points.map((point) => this.#row(point, chosen)))
    if (focused !== undefined) this.#body.querySelector<HTMLElement>(`[data-point="${focused}"]`)?.focus()
    const all = data.points === this.#sorted.length ? '' : `, ${grouped(String(data.points))} in total`
    const range =
      points.length === 0
        ? 'No point'
        : `${from + 1} to ${from + points.length} of ${grouped(String(this.#sorted.length))}`
    setText(this.#reported, `${range}${all}`)
    const { first, back, on, last } = this.#buttons
    first.disabled = back.disabled = this.#page === 0
    on.disabled = last.disabled = this.#page >= this.#last
  }

  #row(point: number, chosen: number | undefined): HTMLElement {
    const row = el('tr', point === chosen ? { class: 'chosen' } : {})
    this.#columns.forEach((column, index) => {
      const cell = el('td', column.isText ? { class: 'text' } : { title: column.exact(point) })
      if (index === 0) cell.append(this.#choose(point, chosen))
      else cell.append(column.text(point))
      row.append(cell)
    })
    return row
  }

  #choose(point: number, chosen: number | undefined): HTMLElement {
    const isPressed = String(point === chosen)
    const attributes = { type: 'button', class: 'small', 'aria-pressed': isPressed, 'data-point': String(point) }
    const label = `Point ${point + 1}: show it in all views`
    const button = el('button', { ...attributes, 'aria-label': label }, this.#columns[0]?.text(point) ?? '')
    button.addEventListener('click', () => this.#selection.choose(point === this.#selection.chosen ? undefined : point))
    return button
  }
}

function columnsOf({ data }: Selection): readonly Column[] {
  const [best] = data.ranking
  const front = new Set(data.objectives > 1 ? data.front : [])
  const errors = new Map(data.errors.map(({ point, text }) => [point, text]))
  const mark = (point: number): string => (point === best ? ' ★' : front.has(point) ? ' ◆' : '')
  const plain = (order: (point: number) => number | null): Pick<Column, 'order' | 'isFalling'> => ({
    order,
    isFalling: false,
  })
  return [
    {
      ...{ label: '#', definition: 'Position in the grid; ★ is the best, ◆ is on the Pareto front', isText: false },
      ...{ text: (point: number) => `${point + 1}${mark(point)}`, exact: (point: number) => String(point + 1) },
      ...plain((point) => point),
    },
    ...data.params.map(({ name, values, column, isNumeric }): Column => {
      const text = (point: number): string => values[column[point] ?? -1] ?? ''
      return {
        label: name,
        definition: 'Parameter',
        isText: !isNumeric,
        text,
        exact: text,
        ...plain((point) => column[point] ?? null),
      }
    }),
    ...data.figures.map((figure): Column => {
      const { label, definition, better, column } = figure
      return {
        ...{
          label,
          definition: definition === '' ? figure.name : definition,
          isText: false,
          isFalling: better === 'higher',
        },
        order: (point) => column[point] ?? null,
        text: (point) => figureText(figure, column[point]),
        exact: (point) => exactText(column[point]),
      }
    }),
    ...(errors.size === 0 ? [] : [errorColumn(errors)]),
  ]
}

const errorColumn = (errors: ReadonlyMap<number, string>): Column => ({
  label: 'Error',
  definition: 'Why the run of this point failed',
  isText: true,
  isFalling: false,
  order: (point) => (errors.has(point) ? 0 : null),
  text: (point) => errors.get(point) ?? '',
  exact: (point) => errors.get(point) ?? '',
})
