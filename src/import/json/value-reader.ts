/** Parser for one JSON value in bytes, strictly by the grammar of RFC 8259. */
import {
  CARRIAGE_RETURN,
  COLON,
  COMMA,
  DIGIT_0,
  DIGIT_9,
  LINE_FEED,
  MINUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
} from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { JsonNumber, type JsonArray, type JsonObject, type JsonValue } from './json-value.ts'
import type { JsonWindow } from './json-window.ts'

/** The deepest nesting of arrays and objects that is read, counted from that of the document. */
const MAX_NESTING = 32

export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

const PLUS = 0x2b
const BACKSLASH = 0x5c
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const TO_LOWER_CASE = 0x20

/** A part of a text from here on keeps the whole text in memory, so it is copied instead. */
const SHARED_CHARACTERS = 13
const NOT_ASCII = 0x80

const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrtu'))
const HEX_DIGITS: ReadonlySet<number | undefined> = new Set(Buffer.from('0123456789abcdefABCDEF'))

const NAMED_VALUE = 'a value'

export class ValueReader {
  readonly #window: JsonWindow
  /** Whether a value may go on behind the end of a line. */
  spansLines = true

  constructor(window: JsonWindow) {
    this.#window = window
  }

  /**
   * Reads the value that begins here, and not more than MAX_VALUE_BYTES behind the mark.
   *
   * @param nesting  arrays and objects around it
   * @throws {InputError} naming line and column of what is no JSON, of a key that comes twice, of too deep a nesting
   */
  element(nesting: number): JsonValue {
    const value = this.#value(nesting)
    this.#window.checkSize(this.#window.at)
    return value
  }

  #value(nesting: number): JsonValue {
    const window = this.#window
    switch (window.bytes[window.at]) {
      case QUOTE:
        return this.string()
      case OPEN_OBJECT:
        return this.#object(nesting)
      case OPEN_ARRAY:
        return this.#array(nesting)
      case LOWER_T:
        return this.#word('true', true)
      case LOWER_F:
        return this.#word('false', false)
      case LOWER_N:
        return this.#word('null', null)
      case undefined:
      default:
        return this.#number()
    }
  }

  /** Passes blanks and gives the byte behind them, which stays to be read. */
  next(): number | undefined {
    const window = this.#window
    const { bytes } = window
    let { at } = window
    let byte = bytes[at]
    while (byte !== undefined && byte <= SPACE) {
      if (byte === LINE_FEED) {
        if (!this.spansLines) break
        window.line += 1
        window.lineStart = at + 1
      } else if (byte !== SPACE && byte !== CARRIAGE_RETURN && byte !== TAB) {
        break
      }
      at += 1
      byte = bytes[at]
    }
    window.at = at
    return byte
  }

  /** Reads the string that begins here. */
  string(): string {
    const window = this.#window
    const { bytes } = window
    const start = window.at + 1
    let at = start
    let isEscaped = false
    let seen = 0
    for (let byte = bytes[at] ?? 0; byte !== QUOTE; byte = bytes[at] ?? 0) {
      if (byte === BACKSLASH) {
        isEscaped = true
        at = this.#pastEscape(at)
      } else {
        if (byte < SPACE) window.fail(at, `'"' at the end of a string, or more of it`)
        seen |= byte
        at += 1
      }
    }
    window.at = at + 1
    if (isEscaped) return String(JSON.parse(bytes.toString('utf8', start - 1, at + 1)))
    return seen >= NOT_ASCII ? bytes.toString('utf8', start, at) : this.#ascii(start, at)
  }

  #ascii(start: number, end: number): string {
    const { text, bytes } = this.#window
    return end - start < SHARED_CHARACTERS ? text.slice(start, end) : bytes.toString('latin1', start, end)
  }

  #pastEscape(start: number): number {
    const { bytes } = this.#window
    const letter = bytes[start + 1]
    if (!ESCAPES.has(letter)) this.#window.fail(start + 1, String.raw`one of "\/bfnrtu behind '\'`)
    if (letter !== LOWER_U) return start + 2
    for (let at = start + 2; at < start + 6; at += 1) {
      if (!HEX_DIGITS.has(bytes[at])) this.#window.fail(at, String.raw`four hexadecimal digits behind '\u'`)
    }
    return start + 6
  }

  #number(): JsonNumber {
    const window = this.#window
    const { bytes } = window
    const start = window.at
    let at = bytes[start] === MINUS ? start + 1 : start
    if (bytes[at] === DIGIT_0) at += 1
    else at = this.#digits(at, at === start ? NAMED_VALUE : "a digit behind '-'")
    if (bytes[at] === POINT) at = this.#digits(at + 1, "a digit behind '.'")
    if (((bytes[at] ?? 0) | TO_LOWER_CASE) === LOWER_E) {
      at += 1
      const sign = bytes[at]
      at = this.#digits(sign === PLUS || sign === MINUS ? at + 1 : at, 'a digit of an exponent')
    }
    if (window.needsMore(at)) window.fail(at, 'a digit')
    window.at = at
    return new JsonNumber(this.#ascii(start, at))
  }

  /** Passes digits, at least one. */
  #digits(start: number, expected: string): number {
    const { bytes } = this.#window
    let at = start
    for (let byte = bytes[at] ?? 0; byte >= DIGIT_0 && byte <= DIGIT_9; byte = bytes[at] ?? 0) at += 1
    if (at === start) this.#window.fail(at, expected)
    return at
  }

  #word<T>(word: string, value: T): T {
    const window = this.#window
    const start = window.at
    if (!window.text.startsWith(word, start)) {
      let same = 1
      while (window.text[start + same] === word[same]) same += 1
      // Begins where the word does, once it is known that it is another one.
      window.fail(start + same >= window.end ? start + same : start, NAMED_VALUE)
    }
    window.at = start + word.length
    return value
  }

  #array(nesting: number): JsonArray {
    this.#enter(nesting)
    const window = this.#window
    const values: JsonValue[] = []
    if (this.next() === CLOSE_ARRAY) {
      window.at += 1
      return values
    }
    for (;;) {
      values.push(this.#value(nesting + 1))
      const byte = this.next()
      if (byte !== COMMA && byte !== CLOSE_ARRAY) window.fail(window.at, "',' or ']'")
      window.at += 1
      if (byte === CLOSE_ARRAY) return values
      this.next()
    }
  }

  #object(nesting: number): JsonObject {
    this.#enter(nesting)
    const window = this.#window
    const members = new Map<string, JsonValue>()
    if (this.next() === CLOSE_OBJECT) {
      window.at += 1
      return members
    }
    for (;;) {
      this.next()
      const key = this.key(members)
      members.set(key, this.#value(nesting + 1))
      const byte = this.next()
      if (byte !== COMMA && byte !== CLOSE_OBJECT) window.fail(window.at, "',' or '}'")
      window.at += 1
      if (byte === CLOSE_OBJECT) return members
    }
  }

  /**
   * Reads the key that begins here, its colon, and the blanks up to the value.
   *
   * @param others  keys of the same object
   */
  key(others: { has(key: string): boolean }): string {
    const window = this.#window
    if (window.bytes[window.at] !== QUOTE) window.fail(window.at, `a key that begins with '"'`)
    const place = window.at
    const key = this.string()
    if (others.has(key)) {
      throw new InputError(window.placeOf(place), `expected each key once, got '${escapedExcerpt(key)}' again`)
    }
    if (this.next() !== COLON) window.fail(window.at, "':' behind a key")
    window.at += 1
    this.next()
    return key
  }

  #enter(nesting: number): void {
    const window = this.#window
    if (nesting >= MAX_NESTING) {
      const expected = `expected arrays and objects nested at most ${MAX_NESTING} deep, got more`
      throw new InputError(window.placeOf(window.at), expected)
    }
    window.at += 1
  }
}
