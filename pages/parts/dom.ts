/**
 * The little that is needed of the document: elements by id, elements made of text, and rows of a table that stay where
 * they are.
 *
 * Invariant: whatever comes from a server is text, never markup.
 */

/** @throws when the document has no such element */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`the page has no #${id}`)
  return element
}

type Child = Node | string

export function el(tag: string, attributes: Readonly<Record<string, string>> = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Sets a text where it is another: what has not changed is not announced and not laid out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export function setClass(element: Element, name: string): void {
  if (element.className !== name) element.className = name
}

/** One row as it is to be shown. */
export interface Row {
  readonly key: string
  readonly cells: readonly string[]
  /** Full text of a shortened cell. */
  readonly titles?: readonly string[]
  readonly tone?: string
  /** Share of the whole that a bar behind the row takes, 0 to 1. */
  readonly share?: number
}

export interface RowsOptions {
  /** A button at the end of each row. */
  readonly action?: { readonly text: string; readonly label: (row: Row) => string; readonly run: (row: Row) => void }
  /** Reported when there is none. */
  readonly empty?: string
}

/** Rows of a table body, by key: a row that stays keeps its element, and so the focus on it. */
export class Rows {
  readonly #body: HTMLTableSectionElement
  readonly #options: RowsOptions
  readonly #elements = new Map<string, HTMLTableRowElement>()
  readonly #rows = new WeakMap<HTMLTableRowElement, Row>()
  #columns = 1

  constructor(table: HTMLTableElement, options: RowsOptions = {}) {
    const [body] = table.tBodies
    if (body === undefined) throw new Error('a table of rows has a body')
    this.#body = body
    this.#options = options
    this.#columns = table.tHead?.rows[0]?.cells.length ?? 1
    this.show([])
  }

  show(rows: readonly Row[]): void {
    const keys = new Set(rows.map(({ key }) => key))
    for (const [key, element] of this.#elements) {
      if (keys.has(key)) continue
      element.remove()
      this.#elements.delete(key)
    }
    rows.forEach((row, index) => {
      const element = this.#element(row)
      if (this.#body.rows[index] !== element) this.#body.insertBefore(element, this.#body.rows[index] ?? null)
    })
    while (this.#body.rows.length > rows.length) this.#body.rows[rows.length]?.remove()
    const { empty } = this.#options
    if (rows.length > 0 || empty === undefined) return
    this.#body.append(el('tr', {}, el('td', { class: 'empty', colspan: String(this.#columns) }, empty)))
  }

  #element(row: Row): HTMLTableRowElement {
    const known = this.#elements.get(row.key)
    const element = known ?? document.createElement('tr')
    if (known === undefined) {
      this.#elements.set(row.key, element)
      element.append(...row.cells.map(() => document.createElement('td')))
      this.#addAction(element)
    }
    this.#rows.set(element, row)
    row.cells.forEach((text, column) => {
      const cell = element.cells[column]
      if (cell === undefined) return
      setText(cell, text)
      const title = row.titles?.[column] ?? ''
      if (cell.title !== title) cell.title = title
    })
    setClass(element, row.tone ?? '')
    if (row.share !== undefined) element.style.setProperty('--share', `${(row.share * 100).toFixed(1)}%`)
    return element
  }

  #addAction(element: HTMLTableRowElement): void {
    const { action } = this.#options
    if (action === undefined) return
    const button = el('button', { type: 'button', class: 'small' }, action.text)
    button.addEventListener('click', () => {
      const row = this.#rows.get(element)
      if (row !== undefined) action.run(row)
    })
    const cell = document.createElement('td')
    cell.append(button)
    element.append(cell)
    queueMicrotask(() => {
      const row = this.#rows.get(element)
      if (row !== undefined) button.setAttribute('aria-label', action.label(row))
    })
  }
}

/** Options of a list to choose from; what was chosen stays so while it is there. */
export function showOptions(
  list: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
): void {
  const wanted = JSON.stringify(options)
  if (list.dataset.options === wanted) return
  list.dataset.options = wanted
  const before = list.value
  list.replaceChildren(...options.map(([value, text]) => el('option', { value }, text)))
  if (options.some(([value]) => value === before)) list.value = before
}

/** Text in a field of a form. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Runs an action of a person, and says beside it how it went. */
export function say(place: HTMLElement, action: () => Promise<string>): void {
  setClass(place, 'message')
  setText(place, '')
  action().then(
    (text) => {
      setClass(place, 'message good')
      setText(place, text)
    },
    (error: unknown) => {
      setClass(place, 'message bad')
      setText(place, error instanceof Error ? error.message : String(error))
    },
  )
}
