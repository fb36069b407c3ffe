/**
 * Reader of Bybit's book stream as JSON lines, such as `orderbook.500`: snapshots, and changes with consecutive
 * numbers.
 *
 * A snapshot, and a change of number 1, reset the book; a number that is not the next one is a gap. The time is the
 * matching time `cts`; messages without it use their sending time.
 */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { memberOf, textOf, type JsonValue } from '../../import/json/json-value.ts'
import type { BookEvent } from './book-event.ts'
import type { JsonBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { integerIn, integerOr, levelsIn, textIn, type JsonMessage } from './json-cells.ts'
import type { OneMarket } from './one-market.ts'

const TOPIC = 'orderbook.'

/** True for a message of one. */
export const isOfBybit = (value: JsonValue): boolean => textOf(memberOf(value, 'topic'))?.startsWith(TOPIC) === true

export class BybitBooks implements JsonBookFormat {
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
    const isSnapshot = tellsAll(message) || id === 1
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
function tellsAll(message: JsonMessage): boolean {
  const type = textIn(message, message.value, 'type')
  if (type === 'snapshot' || type === 'delta') return type === 'snapshot'
  throw new InputError(message.where, `expected a 'type' of snapshot or delta, got '${escapedExcerpt(type)}'`)
}
