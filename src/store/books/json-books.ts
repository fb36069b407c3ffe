/** Books in JSON: the first message that a format knows says which it is. */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { jsonElementBatches } from '../../import/json/json-elements.ts'
import { type JsonElement, type JsonValue, memberOf, textOf } from '../../import/json/json-value.ts'
import { BinanceCapture, reportsBooks } from './binance-capture.ts'
import type { BookEnd, BookEvent } from './book-event.ts'
import type { JsonBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { integerIn, integerOr, type JsonMessage, levelsIn, textIn } from './json-cells.ts'
import type { OneMarket } from './one-market.ts'

const TOPIC = 'orderbook.'

/** True for a message of one. */
const isOfBybit = (value: JsonValue): boolean => textOf(memberOf(value, 'topic'))?.startsWith(TOPIC) === true

/**
 * Reader of Bybit's book stream as JSON lines, such as `orderbook.500`: snapshots, and changes with consecutive
 * numbers.
 *
 * A snapshot, and a change of number 1, reset the book; a number that is not the next one is a gap. The time is the
 * matching time `cts`; messages without it use their sending time.
 */
class BybitBooks implements JsonBookFormat {
  readonly name = 'Bybit orderbook'
  readonly knows = isOfBybit
  readonly #tally: BookTally
  readonly #market: OneMarket
  /** Number of the last message; undefined before the first snapshot. */
  #last: number | undefined

  constructor(tally: BookTally, market: OneMarket) {
    this.#tally = tally
    this.#market = market
  }

  *read(message: JsonMessage): Generator<BookEvent, void, undefined> {
    const { where, value } = message
    if (!this.knows(value)) {
      this.#tally.count(`messages of the kind ${textOf(memberOf(value, 'topic')) ?? 'of no topic'}`)
      return
    }
    const data = memberOf(value, 'data')
    if (!this.#market.has(textIn(message, data, 's'), where)) return
    const id = integerIn(message, data, 'u')
    const time = integerOr(message, value, 'cts') ?? integerIn(message, value, 'ts')
    const isSnapshot = reportsAll(message) || id === 1
    const last = this.#last
    if (!isSnapshot && last === undefined) {
      this.#tally.count('frames before the first snapshot')
      return
    }
    if (!isSnapshot && last !== undefined && id <= last) {
      this.#tally.count('repeated update frames')
      return
    }
    const hasGap = !isSnapshot && id !== (last ?? 0) + 1
    if (hasGap) this.#tally.gap({ where, time, why: `updates ${(last ?? 0) + 1} to ${id - 1} are missing` })
    this.#last = id
    const [bids, asks] = [levelsIn(message, data, 'b'), levelsIn(message, data, 'a')]
    yield { kind: 'depth', where, time, id, isSnapshot, hasGap, bids, asks }
  }

  *end(): Generator<BookEvent, void, undefined> {
    // No events are buffered.
  }
}

/** @throws {InputError} for a message that is neither a snapshot nor a change */
function reportsAll(message: JsonMessage): boolean {
  const type = textIn(message, message.value, 'type')
  if (type === 'snapshot' || type === 'delta') return type === 'snapshot'
  throw new InputError(message.where, `expected a 'type' of snapshot or delta, got '${escapedExcerpt(type)}'`)
}

/** Messages after which an unrecognised file is refused, or a few more. */
const MAX_UNKNOWN = 400

/** True for a message of a book or of quotes. */
export const reportsOfBooks = (value: JsonValue): boolean => reportsBooks(value) || isOfBybit(value)

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
    for (const each of [...unknown.splice(0), element]) yield* reported(format, file, each)
  }

  /** Yields the buffered events. */
  *end(): Generator<BookEvent, void, undefined> {
    if (this.#format !== undefined) yield* this.#format.end()
  }
}

const reported = (format: JsonBookFormat, file: string, { value, line, prefix }: JsonElement): Iterable<BookEvent> =>
  format.read({ value, where: `${file}:${line}`, received: prefix })
