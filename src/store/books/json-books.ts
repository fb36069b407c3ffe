/**
 * Books in JSON: the first message that a format knows says which it is.
 */
import { InputError } from '../../domain/errors.ts'
import { jsonElementBatches } from '../../import/json/json-elements.ts'
import type { JsonElement, JsonValue } from '../../import/json/json-value.ts'
import { BinanceCapture, tellsBooks } from './binance-capture.ts'
import type { BookEnd, BookEvent } from './book-event.ts'
import { BybitBooks, isOfBybit } from './bybit-books.ts'
import type { JsonBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import type { OneMarket } from './one-market.ts'

/** Messages after which an unrecognised file is refused, or a few more. */
const MAX_UNKNOWN = 400

/** True for a message of a book or of quotes. */
export const tellsOfBooks = (value: JsonValue): boolean => tellsBooks(value) || isOfBybit(value)

export class JsonBooks {
  readonly #binance: BinanceCapture
  readonly #formats: readonly JsonBookFormat[]
  #format: JsonBookFormat | undefined

  /** @param before  the end of the previous recording to continue from, if any */
  constructor(tally: BookTally, market: OneMarket, before?: BookEnd) {
    this.#binance = new BinanceCapture(tally, market, before)
    this.#formats = [this.#binance, new BybitBooks(tally, market)]
  }

  /** Id of the last update in the book; undefined if the book is not known, or updates have no ids. */
  get knownId(): number | undefined {
    return this.#binance.knownId
  }

  /** @throws {InputError} when no format is known that has such messages, or at the first that is wrong */
  async *read(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<BookEvent, void, undefined> {
    const unknown: JsonElement[] = []
    for await (const batch of jsonElementBatches(file, chunks)) {
      for (const element of batch) yield* this.#take(file, element, unknown)
      if (unknown.length > MAX_UNKNOWN) break
    }
    const names = this.#formats.map(({ name }) => name).join(', ')
    if (this.#format === undefined) throw new InputError(file, `expected books or quotes in JSON, of ${names}`)
  }

  /** @param unknown  elements before, as long as no format is known */
  *#take(file: string, element: JsonElement, unknown: JsonElement[]): Generator<BookEvent, void, undefined> {
    const format = (this.#format ??= this.#formats.find(({ knows }) => knows(element.value)))
    if (format === undefined) {
      unknown.push(element)
      return
    }
    for (const each of [...unknown.splice(0), element]) yield* told(format, file, each)
  }

  /** Yields the buffered events. */
  *end(): Generator<BookEvent, void, undefined> {
    if (this.#format !== undefined) yield* this.#format.end()
  }
}

const told = (format: JsonBookFormat, file: string, { value, line, prefix }: JsonElement): Iterable<BookEvent> =>
  format.read({ value, where: `${file}:${line}`, received: prefix })
