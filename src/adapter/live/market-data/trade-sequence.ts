/**
 * Makes one sequence of a market's trades out of what its stream tells and what reads of its newest trades show.
 *
 * The order is the exchange's, which a read shows: a read is a stretch of the sequence without a hole. A trade of the
 * stream is told at once when its caller trusts the stream, and a later read proves it or shows what was wrong.
 *
 * Invariants: a trade is told once, and by the stream never one of an earlier millisecond than the last. A trade that
 * turns out to belong before one that was told is not told any more: it is missed, and a gap says between which times.
 * Known limit: that the stream has exchanged two trades of one millisecond is seen only after they were told, and told
 * as a gap then.
 */
import type { WireTrade } from '../../../wire/wire-trade.ts'
import { MAX_AHEAD_MS } from './exchange-clock.ts'
import { KnownTrades } from './known-trades.ts'

/** A read shows at most this many trades. */
export const MOST_READ = 500
/** Trades that are remembered: what a read shows even when it is several reads old. */
const REMEMBERED = 8 * MOST_READ

export interface SequenceListener {
  /** The next trade. */
  onTrade(trade: WireTrade): void
  /**
   * Between these times trades are missing: before the first trade behind them, or later when only a read showed it.
   * Unix milliseconds.
   */
  onGap(from: number, to: number, kind: GapKind): void
}

/** `unproven`: all of a stream that was in order was told, and came too fast for reads to show it. */
export type GapKind = 'missing' | 'unproven'

export interface SequenceCounts {
  readonly told: number
  /** From the stream, again. */
  readonly duplicates: number
  /** Seen, but too late to be told. */
  readonly missed: number
  readonly gaps: number
  /** Told in another order than the exchange's. */
  readonly disordered: number
  /**
   * Told from the stream, and shown by no read, because more came between two reads than a read shows: told as a gap,
   * too.
   */
  readonly unproven: number
  /** Reads of an earlier state than one that was known already. */
  readonly staleReads: number
}

/** `clean` when a read bore out everything that was told before it. */
export type ReadVerdict = 'clean' | 'differs' | 'stale'

export class TradeSequence {
  readonly #known = new KnownTrades(REMEMBERED)
  readonly #listener: SequenceListener
  /** Unix milliseconds; of the beginning. */
  readonly #startedAt: number
  readonly #counts = { told: 0, duplicates: 0, missed: 0, gaps: 0, disordered: 0, unproven: 0, staleReads: 0 }
  /** Place of the last trade that a read has shown. */
  #provenPlace = -1
  /** Unix milliseconds of that trade; of the beginning before it. */
  #provenAt: number
  /** All trades of a later time than this are known, but for gaps. */
  #coveredAfter = Number.NEGATIVE_INFINITY
  /** Whether there may be trades before the first that is known. */
  #hasPast = false

  constructor(startedAt: number, listener: SequenceListener) {
    this.#startedAt = startedAt
    this.#provenAt = startedAt
    this.#listener = listener
  }

  get counts(): SequenceCounts {
    return this.#counts
  }

  /** Told by the stream since a read last bore them out. */
  get unprovenCount(): number {
    return this.#known.lastPlace - this.#provenPlace
  }

  get last(): WireTrade | undefined {
    return this.#known.last
  }

  /**
   * Every trade of a later time than `after` that was told or came before the beginning, oldest first; what is older is
   * not whole.
   */
  recent(): { readonly trades: readonly WireTrade[]; readonly after: number } {
    return { trades: this.#known.toldAfter(-1), after: Math.max(this.#coveredAfter, this.#known.forgottenAt) }
  }

  has(id: string): boolean {
    return this.#known.has(id)
  }

  /** Time that a trade has, told or missed; undefined for one that is not known. Unix milliseconds. */
  timeOf(id: string): number | undefined {
    return this.#known.timeOf(id)
  }

  /** Whether a time is so far before that of the last trade that only a read can say where it belongs. */
  isFarBack(createdAt: number): boolean {
    const { last, forgottenAt } = this.#known
    return last !== undefined && createdAt < last.createdAt - MAX_AHEAD_MS && createdAt > forgottenAt
  }

  /** What was there before the beginning, newest first: known, and told to nobody. Call once, before anything else. */
  begin(newestFirst: readonly WireTrade[]): void {
    for (const trade of oldestFirst(newestFirst)) if (!this.#known.has(trade.id)) this.#known.tell(trade)
    for (const { id } of newestFirst) this.#known.show(id)
    this.#proveAll()
    // A service may cap a read at any length, so only an empty one says that there was nothing more.
    this.#hasPast = newestFirst.length > 0
    this.#coveredAfter = newestFirst.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
  }

  /**
   * A trade of a stream that is trusted.
   *
   * @returns false when it does not fit behind what was told: it is missed then
   */
  stream(trade: WireTrade): boolean {
    const { last } = this.#known
    if (this.#known.has(trade.id)) {
      this.#counts.duplicates += 1
      return true
    }
    if (last === undefined || trade.createdAt >= last.createdAt) {
      this.#tell(trade)
      return true
    }
    if (trade.createdAt <= this.#known.forgottenAt) {
      this.#counts.duplicates += 1
      return true
    }
    const told = this.#known.toldAfter(-1)
    const before = told.findLast(({ createdAt }) => createdAt <= trade.createdAt)
    const after = told.find(({ createdAt }) => createdAt > trade.createdAt)
    this.miss(trade)
    this.#gapBefore(after ?? last, before ?? trade)
    return false
  }

  /** A trade that lies in a gap which was told. */
  miss(trade: WireTrade): void {
    this.#known.miss(trade)
    this.#counts.missed += 1
  }

  /** A duplicate that somebody else has found. */
  duplicate(): void {
    this.#counts.duplicates += 1
  }

  /** The newest trades as a read shows them, newest first; tells those that are new. */
  read(newestFirst: readonly WireTrade[]): ReadVerdict {
    const rows = oldestFirst(newestFirst)
    const verdict = this.#compare(rows)
    for (const { id } of rows) this.#known.show(id)
    return verdict
  }

  #compare(rows: readonly WireTrade[]): ReadVerdict {
    const toldIndex = rows.findLastIndex(({ id }) => this.#known.placeOf(id) !== undefined)
    const newest = rows[toldIndex]
    if (newest === undefined) return this.#readBeyond(rows)
    const known = rows.slice(0, toldIndex + 1)
    this.#join(known, rows.length >= MOST_READ)
    const isOrdered = this.#checkOrder(known)
    const isWhole = this.#findMissed(known)
    const newestPlace = Math.max(...known.map(({ id }) => this.#known.placeOf(id) ?? -1))
    this.#prove(newest, newestPlace)
    const isEndWhole = this.#readEnd(rows.slice(toldIndex + 1), newest, this.#known.toldAfter(newestPlace))
    return isOrdered && isWhole && isEndWhole ? 'clean' : 'differs'
  }

  /** Nothing of what it shows was told. */
  #readBeyond(rows: readonly WireTrade[]): ReadVerdict {
    const { last } = this.#known
    const [first] = rows
    const newest = rows.at(-1)
    if (first === undefined || newest === undefined) {
      if (last === undefined) return 'clean'
      this.#counts.staleReads += 1
      return 'stale'
    }
    if (last === undefined) {
      if (rows.length >= MOST_READ) this.#gap(this.#startedAt, first.createdAt)
    } else if (newest.createdAt <= last.createdAt) {
      // Of one millisecond it cannot be told which is later; the next trade will say.
      this.#counts.staleReads += 1
      return 'stale'
    } else {
      // What was told since the last read may have lacked something, too.
      this.#counts.unproven += this.unprovenCount
      this.#gap(Math.min(this.#provenAt, last.createdAt), first.createdAt)
    }
    for (const trade of rows) {
      if (this.#known.has(trade.id)) continue
      if (last !== undefined && trade.createdAt < last.createdAt) this.miss(trade)
      else this.#tell(trade, trade.id === first.id)
    }
    this.#proveAll()
    return 'clean'
  }

  /** Whether the trades that were told stand in the order in which they were told. */
  #checkOrder(rows: readonly WireTrade[]): boolean {
    let highest = -1
    let isHighestShown = true
    let count = 0
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { id, createdAt } of rows) {
      const place = this.#known.placeOf(id)
      if (place === undefined) continue
      const isShown = this.#known.isShown(id)
      if (place < highest && !(isShown && isHighestShown)) {
        count += 1
        from = Math.min(from, createdAt)
        to = Math.max(to, createdAt)
      }
      if (place < highest) continue
      highest = place
      isHighestShown = isShown
    }
    if (count === 0) return true
    this.#counts.disordered += count
    this.#gap(from, to)
    return false
  }

  /** Trades between some that were told are missed. @param rows  the last of them was told */
  #findMissed(rows: readonly WireTrade[]): boolean {
    const hasPast = this.#hasPast || this.#known.forgottenAt > Number.NEGATIVE_INFINITY
    const begin = hasPast ? this.#firstPlaceIndex(rows) : 0
    let before: WireTrade | undefined
    let isMissing = false
    let isWhole = true
    for (const trade of rows.slice(begin)) {
      if (this.#known.placeOf(trade.id) !== undefined) {
        // What a read shows of a gap that was told is no news.
        if (isMissing && !this.#known.isBehindGap(trade.id)) {
          this.#gapBefore(trade, before ?? trade)
          isWhole = false
        }
        isMissing = false
        before = trade
        continue
      }
      before ??= trade
      if (this.#known.has(trade.id)) continue
      this.miss(trade)
      isMissing = true
    }
    return isWhole
  }

  /** Index of the first row that is not from before everything that is remembered. */
  #firstPlaceIndex(rows: readonly WireTrade[]): number {
    const [oldest] = this.#known.toldAfter(-1)
    const index = rows.findIndex(({ id }) => id === oldest?.id)
    return Math.max(0, index)
  }

  /**
   * @param rows  behind `before`, none of them told;
   * @param tail  what was told behind everything that the read shows
   */
  #readEnd(rows: readonly WireTrade[], before: WireTrade, tail: readonly WireTrade[]): boolean {
    const end = rows.at(-1) ?? before
    // A read is whole: what is of an earlier time than its end and not in it is from before it, wherever it was told.
    const behind = tail.find(({ createdAt }) => createdAt >= end.createdAt)
    const latest = tail.at(-1)
    let missed = false
    for (const trade of rows) {
      if (this.#known.has(trade.id)) continue
      if (behind === undefined && trade.createdAt >= (latest?.createdAt ?? trade.createdAt)) {
        this.#tell(trade)
      } else {
        this.miss(trade)
        missed = true
      }
    }
    if (behind === undefined) this.#proveAll()
    const after = behind ?? latest
    if (!missed || after === undefined || this.#known.isBehindGap(after.id)) return true
    this.#gapBefore(after, before)
    return false
  }

  /**
   * A read that does not reach back to the last one leaves trades between that none has shown, and that may have lacked
   * some.
   *
   * @param rows  the last of them was told
   */
  #join(rows: readonly WireTrade[], isFull: boolean): void {
    const first = rows.find(({ id }) => this.#known.placeOf(id) !== undefined)
    if (first === undefined || rows.some(({ id }) => this.#known.isShown(id))) return
    if (this.#provenPlace < 0 && !isFull) return
    this.#counts.unproven += Math.max(0, (this.#known.placeOf(first.id) ?? 0) - this.#provenPlace - 1)
    this.#known.markGap(first.id)
    this.#gap(this.#provenAt, first.createdAt, 'unproven')
  }

  #prove({ createdAt }: WireTrade, place: number): void {
    if (place <= this.#provenPlace) return
    this.#provenPlace = place
    this.#provenAt = createdAt
  }

  #proveAll(): void {
    this.#provenPlace = this.#known.lastPlace
    this.#provenAt = this.#known.last?.createdAt ?? this.#provenAt
  }

  #tell(trade: WireTrade, isBehindGap = false): void {
    this.#known.tell(trade, isBehindGap)
    this.#counts.told += 1
    this.#listener.onTrade(trade)
  }

  #gapBefore(trade: WireTrade, before: WireTrade): void {
    this.#known.markGap(trade.id)
    this.#gap(before.createdAt, trade.createdAt)
  }

  /** Between two times of trades, in either order. */
  #gap(one: number, other: number, kind: GapKind = 'missing'): void {
    const to = Math.max(one, other)
    this.#counts.gaps += 1
    this.#coveredAfter = Math.max(this.#coveredAfter, to)
    this.#listener.onGap(Math.min(one, other), to, kind)
  }
}

/** Without those that a read shows twice. */
function oldestFirst(newestFirst: readonly WireTrade[]): readonly WireTrade[] {
  const byId = new Map<string, WireTrade>()
  for (const trade of newestFirst) if (!byId.has(trade.id)) byId.set(trade.id, trade)
  return [...byId.values()].reverse()
}
