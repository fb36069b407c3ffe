/**
 * The elements of a recording in JSON, one after the other, of a file of any size.
 *
 * Three forms: JSON lines (one value a line, decimal digits and a blank may stand before it), a document that is an
 * array, and a document that is an object and has one list of arrays or objects among its members, or theirs. The first
 * value says which: what comes on another line behind it makes it JSON lines.
 */
import { COMMA, DIGIT_0, DIGIT_9, LINE_FEED, SPACE, TAB } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { batchesOf, type JsonElement } from './json-value.ts'
import { JsonWindow, ValueTooLarge } from './json-window.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, ValueReader } from './value-reader.ts'

/** Maximum depth of the list, in keys. */
const MAX_PATH = 3
/** Maximum number of members searched for a list. */
const MAX_MEMBERS = 100_000

type Path = readonly string[]

type Batches = AsyncGenerator<readonly JsonElement[], void, undefined>

/** Elements of one JSON document: of the top-level array, or of the only list of arrays or objects in it. */
class DocumentWalk {
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

const NO_PATH: readonly string[] = []

/** JSON lines: one value a line, which decimal digits and a blank may precede; empty lines at the end. */
class JsonLines {
  readonly #window: JsonWindow
  readonly #reader: ValueReader
  /** Place of the first empty line. */
  #emptyLine: string | undefined

  /** @param reader  of the window; from here on its values end with their lines */
  constructor(window: JsonWindow, reader: ValueReader) {
    this.#window = window
    this.#reader = reader
    reader.spansLines = false
  }

  /** Reads the next line; undefined when there are no more. */
  next(): JsonElement | undefined {
    const window = this.#window
    while (this.#reader.next() === LINE_FEED) {
      this.#emptyLine ??= window.placeOf(window.lineStart)
      this.#passLineEnd()
      window.mark()
    }
    if (window.isOver()) return undefined
    if (this.#emptyLine !== undefined) throw new InputError(this.#emptyLine, 'expected a value, got an empty line')
    const prefix = this.#prefix()
    const { line } = window
    const column = window.at - window.lineStart + 1
    const value = this.#reader.element(0)
    if (this.#reader.next() === LINE_FEED) this.#passLineEnd()
    else if (!window.isOver()) window.fail(window.at, 'the end of the line behind its value')
    return { value, line, column, path: NO_PATH, prefix }
  }

  #passLineEnd(): void {
    const window = this.#window
    window.at += 1
    window.line += 1
    window.lineStart = window.at
  }

  /** Passes digits that are not the value of the line themselves, and the blanks behind them. */
  #prefix(): string | undefined {
    const window = this.#window
    const { bytes, at: start } = window
    let at = start
    for (let byte = bytes[at] ?? 0; byte >= DIGIT_0 && byte <= DIGIT_9; byte = bytes[at] ?? 0) at += 1
    if (at === start || (bytes[at] !== SPACE && bytes[at] !== TAB)) return undefined
    window.at = at
    if (this.#reader.next() !== LINE_FEED && !window.isOver()) return window.text.slice(start, at)
    window.at = start
    return undefined
  }
}

/**
 * Reads a recording in JSON; memory does not grow with it.
 *
 * @param file    named by errors
 * @param chunks  UTF-8; each is good until the next one is asked for
 * @throws {InputError} `file:line:column: expected ..., got ...` where the text is none of the three forms; for an
 * element of more than
 *                      1 MiB, and nesting of more than 32; elements before that place may have been given
 */
export async function* jsonElements(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<JsonElement, void, undefined> {
  for await (const batch of jsonElementBatches(file, chunks)) yield* batch
}

/** The elements of `jsonElements`, as many at a time as are at hand: faster. */
export async function* jsonElementBatches(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly JsonElement[], void, undefined> {
  const window = new JsonWindow(file, chunks)
  const reader = new ValueReader(window)
  try {
    await window.begin()
    const first = await firstValue(window, reader)
    if (first === 'of-lines') {
      const lines = new JsonLines(window, reader)
      yield* batchesOf(window, () => lines.next())
    } else {
      yield* new DocumentWalk(window, reader, first).elements()
    }
  } finally {
    await window.close()
  }
}

/**
 * The document, if the text is a single one; undefined if that is too large to be read as a whole. The window must be
 * at the beginning.
 */
async function firstValue(window: JsonWindow, reader: ValueReader): Promise<'of-lines' | JsonElement | undefined> {
  try {
    for (;;) {
      try {
        return look(window, reader)
      } catch (error) {
        await window.recover(error)
      }
    }
  } catch (error) {
    if (error instanceof ValueTooLarge) return undefined
    throw error
  } finally {
    window.rewind()
  }
}

function look(window: JsonWindow, reader: ValueReader): 'of-lines' | JsonElement {
  const byte = reader.next()
  if (window.isOver()) throw new InputError(window.file, 'expected JSON, got nothing')
  if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) return 'of-lines'
  const { line } = window
  const column = window.at - window.lineStart + 1
  const value = reader.element(0)
  const lastLine = window.line
  reader.next()
  if (!window.isOver() && lastLine === line && window.line > line) return 'of-lines'
  return { value, line, column, path: [], prefix: undefined }
}
