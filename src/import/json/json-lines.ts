/**
 * JSON lines: one value a line, which decimal digits and a blank may precede; empty lines at the end.
 */
import { DIGIT_0, DIGIT_9, LINE_FEED, SPACE, TAB } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import type { JsonElement } from './json-element.ts'
import type { JsonWindow } from './json-window.ts'
import type { ValueReader } from './value-reader.ts'

const NO_PATH: readonly string[] = []

export class JsonLines {
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
