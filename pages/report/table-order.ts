/**
 * Choice and order of the rows of a table: by what is searched for, by what is chosen of a column, and sorted by one.
 *
 * Invariant: every row is looked at, however few are on the page; rows that sort alike stay in the order of the table.
 */
import type { PageTable } from '../../src/report/page/page-data.ts'

export interface Sorting {
  readonly column: number
  readonly isRising: boolean
}

export interface Wanted {
  /** Words that a row has to have, in whatever cells; case does not count. */
  readonly search: string
  /** Text of a cell by column; empty for any. */
  readonly choices: ReadonlyMap<number, string>
  readonly sorting: Sorting | undefined
}

/** Most texts of a column that are a choice. */
const MAX_CHOICES = 12

export class TableOrder {
  readonly #table: PageTable
  #texts: readonly string[] | undefined

  constructor(table: PageTable) {
    this.#table = table
  }

  /** Indices of rows. */
  rows({ search, choices, sorting }: Wanted): readonly number[] {
    const { rows } = this.#table
    const words = search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const picked = [...choices].filter(([, text]) => text !== '')
    const texts = words.length === 0 ? [] : this.#searched()
    const found: number[] = []
    rows.forEach(({ cells }, index) => {
      if (!picked.every(([column, text]) => cells[column] === text)) return
      if (words.every((word) => texts[index]?.includes(word))) found.push(index)
    })
    return sorting === undefined ? found : this.#sorted(found, sorting)
  }

  /** Columns of text with few different cells, and these; a column that says the same everywhere is no choice. */
  choices(): readonly { readonly column: number; readonly texts: readonly string[] }[] {
    return this.#table.columns.flatMap(({ kind }, column) => {
      if (kind !== 'text') return []
      const texts = new Set<string>()
      for (const { cells } of this.#table.rows) {
        texts.add(cells[column] ?? '')
        if (texts.size > MAX_CHOICES) return []
      }
      return texts.size < 2 ? [] : [{ column, texts: [...texts].filter((text) => text !== '').sort() }]
    })
  }

  #searched(): readonly string[] {
    this.#texts ??= this.#table.rows.map(({ cells }) => cells.join('\n').toLowerCase())
    return this.#texts
  }

  #sorted(found: readonly number[], { column, isRising }: Sorting): readonly number[] {
    const { rows, columns } = this.#table
    const sign = isRising ? 1 : -1
    if (columns[column]?.kind === 'text') {
      const keys = found.map((index) => ({ index, key: rows[index]?.cells[column] ?? '' }))
      return keys
        .sort((one, other) => (one.key < other.key ? -sign : one.key > other.key ? sign : one.index - other.index))
        .map(({ index }) => index)
    }
    const keys = found.map((index) => ({ index, key: rows[index]?.order[column] ?? null }))
    return keys
      .sort((one, other) => {
        // What is not known comes last, whichever way.
        if (one.key === null || other.key === null) {
          return Number(one.key === null) - Number(other.key === null) || one.index - other.index
        }
        return sign * (one.key - other.key) || one.index - other.index
      })
      .map(({ index }) => index)
  }
}
