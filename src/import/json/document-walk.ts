/** Elements of one JSON document: of the top-level array, or of the only list of arrays or objects in it. */
import { COMMA } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { batchesOf, type JsonElement } from './json-element.ts'
import type { JsonWindow } from './json-window.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, type ValueReader } from './value-reader.ts'

/** Maximum depth of the list, in keys. */
const MAX_PATH = 3
/** Maximum number of members searched for a list. */
const MAX_MEMBERS = 100_000

type Path = readonly string[]
type Batches = AsyncGenerator<readonly JsonElement[], void, undefined>

export class DocumentWalk {
  readonly #window: JsonWindow
  readonly #reader: ValueReader
  readonly #sole: JsonElement | undefined
  /** Path of the list whose elements were returned. */
  #listPath: Path | undefined
  #hasEmptyList = false

  /**
   * @param reader  of the window, at the beginning
   * @param sole    the whole document, if it is small enough to be an element
   */
  constructor(window: JsonWindow, reader: ValueReader, sole: JsonElement | undefined) {
    this.#window = window
    this.#reader = reader
    this.#sole = sole
  }

  /** An object without a list is itself an element. */
  async *elements(): Batches {
    const window = this.#window
    const place = await window.step(() => {
      this.#reader.next()
      return window.placeOf(window.at)
    })
    yield* this.#searched([])
    await window.step(() => {
      this.#reader.next()
      if (!window.isOver()) window.fail(window.at, 'the end of the file behind its document')
    })
    if (this.#listPath !== undefined || this.#hasEmptyList) return
    if (this.#sole === undefined) throw new InputError(place, 'expected a list of objects or arrays, got none')
    yield [this.#sole]
  }

  /** Elements below the present value, if it can contain a list. */
  async *#searched(path: Path): Batches {
    const window = this.#window
    const byte = await window.step(() => this.#reader.next())
    if (byte === OPEN_ARRAY) yield* this.#array(path)
    else if (byte === OPEN_OBJECT && path.length < MAX_PATH) yield* this.#object(path)
    else await window.step(() => this.#reader.element(path.length))
  }

  async *#object(path: Path): Batches {
    const window = this.#window
    const reader = this.#reader
    const keys = new Set<string>()
    let byte = await window.step(() => {
      window.at += 1
      const first = reader.next()
      if (first === CLOSE_OBJECT) window.at += 1
      return first
    })
    while (byte !== CLOSE_OBJECT) {
      const key = await window.step(() => this.#key(keys))
      keys.add(key)
      yield* this.#searched([...path, key])
      byte = await window.step(() => this.#separator(CLOSE_OBJECT, "',' or '}'"))
    }
  }

  #key(keys: ReadonlySet<string>): string {
    const window = this.#window
    this.#reader.next()
    if (keys.size === MAX_MEMBERS) {
      const message = `expected at most ${MAX_MEMBERS} members around a list, got more`
      throw new InputError(window.placeOf(window.at), message)
    }
    return this.#reader.key(keys)
  }

  /** Reads the separator after a member or an element: a comma or the end. */
  #separator(close: number, expected: string): number | undefined {
    const window = this.#window
    const byte = this.#reader.next()
    if (byte !== COMMA && byte !== close) window.fail(window.at, expected)
    window.at += 1
    return byte
  }

  async *#array(path: Path): Batches {
    const window = this.#window
    const first = await window.step(() => {
      window.at += 1
      const byte = this.#reader.next()
      if (byte === CLOSE_ARRAY) window.at += 1
      window.isOver()
      return byte
    })
    if (first === CLOSE_ARRAY) {
      this.#hasEmptyList = true
      return
    }
    const isList = path.length === 0 || first === OPEN_ARRAY || first === OPEN_OBJECT
    if (isList) this.#enterList(path)
    for await (const batch of batchesOf(window, this.#elementsOf(path))) if (isList) yield batch
  }

  #enterList(path: Path): void {
    if (this.#listPath !== undefined) {
      const [one, other] = [this.#listPath, path].map((keys) => `'${escapedExcerpt(keys.join('.'))}'`)
      const message = `expected one list of objects or arrays, got ${other} beside ${one}`
      throw new InputError(this.#window.placeOf(this.#window.at), message)
    }
    this.#listPath = path
  }

  #elementsOf(path: Path): () => JsonElement | undefined {
    const window = this.#window
    let isOver = false
    return () => {
      if (isOver) return undefined
      this.#reader.next()
      window.mark()
      const { line } = window
      const column = window.at - window.lineStart + 1
      const value = this.#reader.element(path.length + 1)
      isOver = this.#separator(CLOSE_ARRAY, "',' or ']'") === CLOSE_ARRAY
      return { value, line, column, path, prefix: undefined }
    }
  }
}
