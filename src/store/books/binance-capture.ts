/**
 * Reader of captures of Binance's streams, spot and futures: book diffs and snapshots, trades and best quotes, as
 * received.
 *
 * A line is a message, raw or in the envelope of a combined stream, optionally after the nanoseconds of its receipt.
 * Known limit: spot quotes have no time. A quote is placed between the diffs by its update id, at its receipt by the
 * exchange's clock, whose offset comes from the message with the least delay so far.
 */
import { type JsonValue, memberOf, textOf } from '../../import/json/json-value.ts'
import { SIDE_BUY, SIDE_SELL } from '../../tape/tape.ts'
import type { BookEnd, BookEvent, LevelText, ReportedFrame, ReportedQuote } from './book-event.ts'
import type { JsonBookFormat } from './book-format.ts'
import type { BookTally } from './book-tally.ts'
import { booleanIn, integerIn, integerOr, type JsonMessage, levelsIn, textIn } from './json-cells.ts'
import type { OneMarket } from './one-market.ts'

/** A message of the diff stream. */
interface Diff {
  readonly where: string
  /** Unix milliseconds: matching time if there is one, otherwise the message time. */
  readonly time: number
  /** Its first update and its last. */
  readonly firstId: number
  readonly lastId: number
  /** Last update id of the previous message; undefined for spot, where ids are consecutive. */
  readonly previousId: number | undefined
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
}

/** An answer of the interface to a question for the book. */
interface BookAnswer {
  readonly where: string
  readonly lastId: number
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
}

/** Maximum of diffs buffered for an older snapshot: some minutes. */
const MAX_BUFFERED = 10_000

/**
 * Orders the frames of Binance's diff stream by update id, and inserts the book's snapshots at their place.
 *
 * A diff follows the previous one when its first id is the next (spot), or when it names that one's last id (futures).
 * Otherwise updates are missing: a gap begins, which only a snapshot ends. A snapshot of id n applies before the diff
 * that contains n + 1; later diffs that have already arrived are laid over it, because their quantities are absolute.
 * Invariant: the first frame is a snapshot, and ids only rise.
 */
class BinanceSequence {
  readonly #tally: BookTally
  /** Diffs since the last snapshot that was used, or the last gap. */
  #buffered: Diff[] = []
  #lastId: number | undefined
  #isKnown = false
  /** No snapshot was used yet. */
  #isFirst = true
  #hasGap = false
  #waiting: BookAnswer | undefined

  constructor(tally: BookTally) {
    this.#tally = tally
  }

  /** The frame that a message comes to; undefined for one that is not used, or not yet. */
  diff(diff: Diff): ReportedFrame | undefined {
    const lastId = this.#lastId
    if (lastId !== undefined && diff.lastId <= lastId) {
      this.#tally.count('repeated update frames')
      return undefined
    }
    if (lastId !== undefined && !follows(diff, lastId)) this.#break(diff, lastId)
    this.#lastId = diff.lastId
    if (!this.#isKnown) {
      this.#buffer(diff)
      const snapshot = this.#joined()
      if (snapshot !== undefined) return snapshot
    }
    if (this.#isFirst) {
      this.#tally.count('frames before the first snapshot')
      return undefined
    }
    const { hasGap } = this.#take()
    return { kind: 'depth', ...diff, id: diff.lastId, isSnapshot: false, hasGap }
  }

  /**
   * The frame that a snapshot comes to; undefined while it waits for a message, and when the book is known without it.
   */
  snapshot(answer: BookAnswer): ReportedFrame | undefined {
    if (this.#isKnown) {
      this.#tally.count('snapshots of a book that was known already')
      return undefined
    }
    this.#waiting = answer
    return this.#joined()
  }

  /** The last update that is in the book; undefined while that is not known. */
  get knownId(): number | undefined {
    return this.#isKnown ? this.#lastId : undefined
  }

  /** Updates between the last message and this one are missing. */
  #break(diff: Diff, lastId: number): void {
    this.#isKnown = false
    this.#buffered = []
    if (this.#isFirst) return
    this.#hasGap = true
    const { where, time, firstId, previousId } = diff
    const missing = previousId === undefined ? `${lastId + 1} to ${firstId - 1}` : `behind ${lastId}`
    this.#tally.gap({ where, time, why: `updates ${missing} are missing` })
  }

  /** The pending snapshot merged with all later messages, once one of them is known to follow it. */
  #joined(): ReportedFrame | undefined {
    const answer = this.#waiting
    const last = this.#buffered.at(-1)
    if (answer === undefined || last === undefined || last.lastId < answer.lastId) return undefined
    const behind = this.#buffered.filter(({ lastId }) => lastId > answer.lastId)
    const [next] = behind
    this.#waiting = undefined
    const isReached = next === undefined || behind.length < this.#buffered.length || covers(next, answer.lastId)
    if (!isReached) {
      this.#tally.count('outdated snapshots')
      return undefined
    }
    this.#isKnown = true
    this.#isFirst = false
    this.#buffered = []
    const { hasGap } = this.#take()
    const reported = { kind: 'depth', where: answer.where, time: last.time, id: last.lastId, isSnapshot: true } as const
    const bids = overlaid(
      answer.bids,
      behind.map((diff) => diff.bids),
    )
    const asks = overlaid(
      answer.asks,
      behind.map((diff) => diff.asks),
    )
    return { ...reported, hasGap, bids, asks }
  }

  #buffer(diff: Diff): void {
    if (this.#buffered.length === MAX_BUFFERED) this.#buffered.shift()
    this.#buffered.push(diff)
  }

  #take(): { readonly hasGap: boolean } {
    const hasGap = this.#hasGap
    this.#hasGap = false
    return { hasGap }
  }
}

const follows = ({ firstId, previousId }: Diff, lastId: number): boolean =>
  previousId === undefined ? firstId <= lastId + 1 : previousId === lastId

/** True if no update is missing between a snapshot and the message. */
const covers = ({ firstId, previousId }: Diff, snapshotId: number): boolean =>
  firstId <= snapshotId + 1 || (previousId !== undefined && previousId <= snapshotId)

/** Levels of a snapshot overlaid with later updates, each price once. */
const overlaid = (levels: readonly LevelText[], later: readonly (readonly LevelText[])[]): readonly LevelText[] => [
  ...new Map([...levels, ...later.flat()]),
]

type UntimedQuote = Omit<ReportedQuote, 'time'> & { readonly id: number }

/** Maximum of quotes buffered without a frame: the capture then has no book. */
const MAX_HELD = 10_000

const NANOSECOND_DIGITS = 6

interface Held {
  readonly quote: UntimedQuote
  readonly receivedMs: number | undefined
}

/**
 * Quotes that have an update id but no time, put between the frames of a book that has both.
 *
 * A quote of an id up to that of a frame was true before that frame, or with it; it waits until the frame has come. Its
 * moment is that of its receipt by the clock of the exchange, but never outside of the two frames.
 * Invariant: times and ids rise together.
 */
class QuotesByReceipt {
  #held: Held[] = []
  /**
   * Milliseconds from the clock of the receipt to that of the exchange: the most that was seen, of what travelled the
   * fastest.
   */
  #aheadMs = Number.NEGATIVE_INFINITY
  #lastTime = 0
  #frameTime = 0
  #frameId = -1

  /**
   * Learns the clock offset from a message with both times.
   *
   * @param received  nanoseconds, as text
   */
  sawClock(exchangeMs: number, received: string | undefined): void {
    const receivedMs = milliseconds(received)
    if (receivedMs !== undefined) this.#aheadMs = Math.max(this.#aheadMs, exchangeMs - receivedMs)
  }

  /** Buffers a quote, and yields those buffered too long, or older than the last frame. */
  *add(quote: UntimedQuote, received: string | undefined): Generator<ReportedQuote, void, undefined> {
    const held = { quote, receivedMs: milliseconds(received) }
    if (quote.id <= this.#frameId) {
      yield this.#at(held, quote.id === this.#frameId ? this.#frameTime : this.#frameTime - 1)
      return
    }
    this.#held.push(held)
    if (this.#held.length > MAX_HELD) yield* this.rest()
  }

  /**
   * Yields the quotes that precede a frame.
   *
   * @param lastId  last update id of the frame
   * @param time    its time
   */
  *before(lastId: number, time: number): Generator<ReportedQuote, void, undefined> {
    const held = this.#held
    this.#held = held.filter(({ quote }) => quote.id > lastId)
    for (const each of held) {
      if (each.quote.id > lastId) continue
      // With the same id both show the same book; with a smaller one the quote is older than the frame.
      const latest = each.quote.id === lastId ? time : time - 1
      yield this.#at(each, Math.min(latest, Math.max(this.#frameTime, this.#received(each))))
    }
    this.#frameTime = time
    this.#frameId = lastId
  }

  /** Gives all. */
  *rest(): Generator<ReportedQuote, void, undefined> {
    const held = this.#held
    this.#held = []
    for (const each of held) yield this.#at(each, Math.max(this.#frameTime, this.#received(each)))
  }

  #at({ quote }: Held, time: number): ReportedQuote {
    this.#lastTime = Math.max(this.#lastTime, time)
    return { ...quote, time: this.#lastTime, isPlaced: true }
  }

  #received({ receivedMs }: Held): number {
    if (receivedMs === undefined) return this.#lastTime
    return receivedMs + (this.#aheadMs === Number.NEGATIVE_INFINITY ? 0 : this.#aheadMs)
  }
}

/** Nanoseconds as text in whole milliseconds. */
const milliseconds = (nanoseconds: string | undefined): number | undefined =>
  nanoseconds === undefined || nanoseconds.length <= NANOSECOND_DIGITS
    ? undefined
    : Number(nanoseconds.slice(0, -NANOSECOND_DIGITS))

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
export function reportsBooks(value: JsonValue): boolean {
  const kind = kindOf(inEnvelope(value))
  return kind === 'diff' || kind === 'snapshot' || kind === 'quote'
}

export class BinanceCapture implements JsonBookFormat {
  readonly name = 'Binance streams'
  readonly knows = reportsBooks
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
    const reported = integerIn(message, value, 'E')
    const time = integerOr(message, value, 'T') ?? reported
    const firstId = integerIn(message, value, 'U')
    const lastId = integerIn(message, value, 'u')
    this.#quotes.sawClock(reported, message.received)
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
    const frame = this.#sequence.snapshot({
      where: message.where,
      lastId,
      bids,
      asks: levelsIn(message, value, 'asks'),
    })
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
      yield { ...quote, time } satisfies ReportedQuote
      return
    }
    this.#tally.count('quotes without a time, placed between the changes of the book')
    yield* this.#quotes.add({ ...quote, id }, message.received)
  }
}
