/**
 * Recorded ids of a file, in the form of its first row.
 *
 * Integers must increase from row to row; other ids must be unique within a millisecond, since a wider check would need
 * all of them in memory. Known limit: the ids of one millisecond are held in memory.
 */

/** Integers without leading zeros up to 2^53 - 1, integers beyond, any other text. */
export type IdForm = 'number' | 'integer' | 'text'

export type IdFault = 'not-an-integer' | 'not-increasing' | 'repeated' | 'empty'

const INTEGER = /^(?:0|[1-9][0-9]*)$/

export class IdColumn {
  readonly #isAnyOrder: boolean
  #form: IdForm | undefined
  #lastNumber = -1
  #lastText = ''
  #lastTime = -1
  readonly #idsOfLastTime = new Set<string>()

  /** Undefined until the first row has shown it. */
  get form(): IdForm | undefined {
    return this.#form
  }

  /** @param isAnyOrder  rows are unsorted: only the form of their ids is checked */
  constructor(isAnyOrder = false) {
    this.#isAnyOrder = isAnyOrder
  }

  /** Takes the next id when it is a safe integer, which is the form of all ids; false when it does not increase. */
  takeNumber(id: number): boolean {
    if (this.#isAnyOrder) return true
    if (id <= this.#lastNumber) return false
    this.#lastNumber = id
    return true
  }

  /**
   * Takes the next id. A refused id changes nothing.
   *
   * @param time  Unix milliseconds of the row
   */
  take(id: string, time: number): IdFault | undefined {
    const form = (this.#form ??= formOf(id))
    switch (form) {
      case 'number':
        if (formOf(id) !== 'number') return 'not-an-integer'
        return this.takeNumber(Number(id)) ? undefined : 'not-increasing'
      case 'integer':
        if (!INTEGER.test(id)) return 'not-an-integer'
        return this.#takeInteger(id) ? undefined : 'not-increasing'
      case 'text':
        if (id === '') return 'empty'
        return this.#takeText(id, time) ? undefined : 'repeated'
    }
  }

  #takeInteger(id: string): boolean {
    if (this.#isAnyOrder) return true
    if (compareIntegers(id, this.#lastText) <= 0) return false
    this.#lastText = id
    return true
  }

  #takeText(id: string, time: number): boolean {
    if (this.#isAnyOrder) return true
    if (time !== this.#lastTime) this.#idsOfLastTime.clear()
    this.#lastTime = time
    if (this.#idsOfLastTime.has(id)) return false
    this.#idsOfLastTime.add(id)
    return true
  }
}

function formOf(id: string): IdForm {
  if (!INTEGER.test(id)) return 'text'
  return Number(id) <= Number.MAX_SAFE_INTEGER ? 'number' : 'integer'
}

/** Comparator of integers without leading zeros, below zero if `a` is smaller; the empty text is smallest. */
function compareIntegers(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  if (a === b) return 0
  return a < b ? -1 : 1
}
