/**
 * Reader of captures of Binance's streams, spot and futures: book diffs and snapshots, trades and best quotes, as
 * received.
 *
 * A line is a message, raw or in the envelope of a combined stream, optionally after the nanoseconds of its receipt.
 * Known limit: spot quotes have no time. A quote is placed between the diffs by its update id, at its receipt by the
 * exchange's clock, whose offset comes from the message with the least delay so far.
 */
import { SIDE_BUY, SIDE_SELL } from '../../tape/tape.ts'
import { memberOf, textOf, type JsonValue } from '../../import/json/json-value.ts'
import { BinanceSequence } from './binance-sequence.ts'
import type { BookEnd, BookEvent, LevelText, ToldQuote } from './book-event.ts'
import type { JsonBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { booleanIn, integerIn, integerOr, levelsIn, textIn, type JsonMessage } from './json-cells.ts'
import type { OneMarket } from './one-market.ts'
import { QuotesByReceipt } from './quotes-by-receipt.ts'

/** A message of a combined stream is one in an envelope. */
const inEnvelope = (value: JsonValue): JsonValue =>
  memberOf(value, 'stream') === undefined ? value : (memberOf(value, 'data') ?? value)

type Kind = 'diff' | 'snapshot' | 'trade' | 'quote'

function kindOf(value: JsonValue): Kind | undefined {
  const event = textOf(memberOf(value, 'e'))
  if (event === 'depthUpdate') return 'diff'
  if (event === 'trade') return 'trade'
  if (event === 'bookTicker') return 'quote'
  if (event !== undefined) return undefined
  if (memberOf(value, 'lastUpdateId') !== undefined && memberOf(value, 'bids') !== undefined) return 'snapshot'
  return memberOf(value, 'u') !== undefined && memberOf(value, 'A') !== undefined ? 'quote' : undefined
}

/** Excludes messages that are only trades, because other formats have those too. */
export function tellsBooks(value: JsonValue): boolean {
  const kind = kindOf(inEnvelope(value))
  return kind === 'diff' || kind === 'snapshot' || kind === 'quote'
}

export class BinanceCapture implements JsonBookFormat {
  readonly name = 'Binance streams'
  readonly knows = tellsBooks
  readonly #tally: BookTally
  readonly #market: OneMarket
  readonly #sequence: BinanceSequence
  readonly #quotes = new QuotesByReceipt()
  #lastTrade = -1
  #lastQuote = -1

  /** @param before  the end of the previous recording to continue from, if any */
  constructor(tally: BookTally, market: OneMarket, before: BookEnd | undefined) {
    this.#tally = tally
    this.#market = market
    this.#sequence = new BinanceSequence(tally)
    if (before !== undefined) this.#sequence.snapshot({ where: 'the recording before', ...before })
  }

  get knownId(): number | undefined {
    return this.#sequence.knownId
  }

  *read(message: JsonMessage): Generator<BookEvent, void, undefined> {
    const value = inEnvelope(message.value)
    const kind = kindOf(value)
    if (kind === undefined) {
      this.#tally.count(`messages of the kind ${textOf(memberOf(value, 'e')) ?? 'of no event'}`)
      return
    }
    const market = textOf(memberOf(value, 's'))
    if (market !== undefined && !this.#market.has(market, message.where)) return
    if (kind === 'diff') yield* this.#diff(message, value)
    else if (kind === 'snapshot') yield* this.#snapshot(message, value)
    else if (kind === 'trade') yield* this.#trade(message, value)
    else yield* this.#quote(message, value)
  }

  *end(): Generator<BookEvent, void, undefined> {
    yield* this.#quotes.rest()
  }

  *#diff(message: JsonMessage, value: JsonValue): Generator<BookEvent, void, undefined> {
    const told = integerIn(message, value, 'E')
    const time = integerOr(message, value, 'T') ?? told
    const firstId = integerIn(message, value, 'U')
    const lastId = integerIn(message, value, 'u')
    this.#quotes.sawClock(told, message.received)
    yield* this.#quotes.before(lastId, time)
    const frame = this.#sequence.diff({
      where: message.where,
      time,
      firstId,
      lastId,
      previousId: integerOr(message, value, 'pu'),
      bids: levelsIn(message, value, 'b'),
      asks: levelsIn(message, value, 'a'),
    })
    if (frame !== undefined) yield frame
  }

  *#snapshot(message: JsonMessage, value: JsonValue): Generator<BookEvent, void, undefined> {
    const lastId = integerIn(message, value, 'lastUpdateId')
    const bids = levelsIn(message, value, 'bids')
    const frame = this.#sequence.snapshot({ where: message.where, lastId, bids, asks: levelsIn(message, value, 'asks') }) // prettier-ignore
    if (frame !== undefined) yield frame
  }

  *#trade(message: JsonMessage, value: JsonValue): Generator<BookEvent, void, undefined> {
    this.#quotes.sawClock(integerIn(message, value, 'E'), message.received)
    const id = integerIn(message, value, 't')
    if (id <= this.#lastTrade) {
      this.#tally.count('repeated trades')
      return
    }
    this.#lastTrade = id
    // Futures: trades of other kinds, such as takeovers by the insurance fund, are not matches in the book.
    const origin = textOf(memberOf(value, 'X'))
    if (origin !== undefined && origin !== 'MARKET') {
      this.#tally.count(`trades of the kind ${origin}`)
      return
    }
    const side = booleanIn(message, value, 'm') ? SIDE_SELL : SIDE_BUY
    const [price, qty] = [textIn(message, value, 'p'), textIn(message, value, 'q')]
    yield { kind: 'trades', where: message.where, time: integerIn(message, value, 'T'), id, price, qty, side }
  }

  *#quote(message: JsonMessage, value: JsonValue): Generator<BookEvent, void, undefined> {
    const id = integerIn(message, value, 'u')
    if (id <= this.#lastQuote) {
      this.#tally.count('repeated quotes')
      return
    }
    this.#lastQuote = id
    const side = (price: string, qty: string): LevelText => [textIn(message, value, price), textIn(message, value, qty)]
    const quote = { kind: 'quotes', where: message.where, id, bid: side('b', 'B'), ask: side('a', 'A') } as const
    const time = integerOr(message, value, 'T')
    if (time !== undefined) {
      yield { ...quote, time } satisfies ToldQuote
      return
    }
    this.#tally.count('quotes without a time, placed between the changes of the book')
    yield* this.#quotes.add({ ...quote, id }, message.received)
  }
}
