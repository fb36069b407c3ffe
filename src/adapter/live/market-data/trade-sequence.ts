/**
 * Merges a market's stream trades and reads of its newest trades into one sequence.
 *
 * The order is the exchange's, as shown by reads: a read is a contiguous part of the sequence. If the caller trusts the
 * stream, its trades are emitted immediately, and a later read confirms them or shows the error.
 *
 * Invariants: a trade is emitted once, and never from the stream with an earlier millisecond than the last one. A trade
 * that turns out to belong before an emitted one is not emitted: it is missed, and a gap states the times around it.
 * Known limitation: two trades of one millisecond that the stream has swapped are detected only after they were
 * emitted; a gap is emitted then.
 */
import type { WireTrade } from '../../../wire/wire-trade.ts'
import { MAX_AHEAD_MS } from './exchange-clock.ts'
import { KnownTrades } from './known-trades.ts'

/** Maximum number of trades in a read. */
export const MAX_READ = 500
/** Number of remembered trades: covers what a read shows even if it is several reads old. */
const REMEMBERED = 8 * MAX_READ

export interface SequenceListener {
  /** The next trade. */
  onTrade(trade: WireTrade): void
  /**
   * Trades between these times are missing: reported before the first trade after them, or later if only a read showed
   * it. Unix milliseconds.
   */
  onGap(from: number, to: number, kind: GapKind): void
}

/** `unproven`: all trades of a stream in order were emitted, but arrived too fast for reads to confirm them. */
export type GapKind = 'missing' | 'unproven'

export interface SequenceCounts {
  readonly reported: number
  /** Repeated trades of the stream. */
  readonly duplicates: number
  /** Seen too late to be emitted. */
  readonly missed: number
  readonly gaps: number
  /** Emitted in another order than the exchange's. */
  readonly disordered: number
  /**
   * Emitted from the stream and confirmed by no read, because more came between two reads than a read shows; also
   * reported as a gap.
   */
  readonly unproven: number
  /** Reads of an earlier state than a known one. */
  readonly staleReads: number
}

/** `clean` if a read confirmed everything emitted before it. */
export type ReadVerdict = 'clean' | 'differs' | 'stale'

export class TradeSequence {
  readonly #known = new KnownTrades(REMEMBERED)
  readonly #listener: SequenceListener
  /** Unix milliseconds of the beginning. */
  readonly #startedAt: number
  readonly #counts = { reported: 0, duplicates: 0, missed: 0, gaps: 0, disordered: 0, unproven: 0, staleReads: 0 }
  /** Place of the last trade that a read has confirmed. */
  #provenPlace = -1
  /** Unix milliseconds of that trade, or of the beginning before the first. */
  #provenAt: number
  /** All trades later than this are known, except for gaps. */
  #coveredAfter = Number.NEGATIVE_INFINITY
  /** Whether there may be trades before the first known one. */
  #hasPast = false

  constructor(startedAt: number, listener: SequenceListener) {
    this.#startedAt = startedAt
    this.#provenAt = startedAt
    this.#listener = listener
  }

  get counts(): SequenceCounts {
    return this.#counts
  }

  /** Trades emitted from the stream since a read last confirmed them. */
  get unprovenCount(): number {
    return this.#known.lastPlace - this.#provenPlace
  }

  get last(): WireTrade | undefined {
    return this.#known.last
  }

  /**
   * Trades later than `after` that were emitted or precede the beginning, oldest first; complete only from `after` on.
   */
  recent(): { readonly trades: readonly WireTrade[]; readonly after: number } {
    return { trades: this.#known.reportedAfter(-1), after: Math.max(this.#coveredAfter, this.#known.forgottenAt) }
  }

  has(id: string): boolean {
    return this.#known.has(id)
  }

  /** Time of a known trade, emitted or missed; undefined for an unknown one. Unix milliseconds. */
  timeOf(id: string): number | undefined {
    return this.#known.timeOf(id)
  }

  /** Whether a time is so far before the last trade's that only a read can place it. */
  isFarBack(createdAt: number): boolean {
    const { last, forgottenAt } = this.#known
    return last !== undefined && createdAt < last.createdAt - MAX_AHEAD_MS && createdAt > forgottenAt
  }

  /** Takes the trades from before the beginning, newest first; they are known and not emitted. Call once, first. */
  begin(newestFirst: readonly WireTrade[]): void {
    for (const trade of oldestFirst(newestFirst)) if (!this.#known.has(trade.id)) this.#known.report(trade)
    for (const { id } of newestFirst) this.#known.show(id)
    this.#proveAll()
    // A service may cap a read at any length, so only an empty one shows that there was nothing more.
    this.#hasPast = newestFirst.length > 0
    this.#coveredAfter = newestFirst.at(-1)?.createdAt ?? Number.NEGATIVE_INFINITY
  }

  /**
   * Takes a trade of a trusted stream.
   * @returns false if it does not fit after the emitted ones: it is missed then
   */
  stream(trade: WireTrade): boolean {
    const { last } = this.#known
    if (this.#known.has(trade.id)) {
      this.#counts.duplicates += 1
      return true
    }
    if (last === undefined || trade.createdAt >= last.createdAt) {
      this.#report(trade)
      return true
    }
    if (trade.createdAt <= this.#known.forgottenAt) {
      this.#counts.duplicates += 1
      return true
    }
    const reported = this.#known.reportedAfter(-1)
    const before = reported.findLast(({ createdAt }) => createdAt <= trade.createdAt)
    const after = reported.find(({ createdAt }) => createdAt > trade.createdAt)
    this.miss(trade)
    this.#gapBefore(after ?? last, before ?? trade)
    return false
  }

  /** Takes a trade inside an emitted gap. */
  miss(trade: WireTrade): void {
    this.#known.miss(trade)
    this.#counts.missed += 1
  }

  /** Counts a duplicate that the caller has detected. */
  duplicate(): void {
    this.#counts.duplicates += 1
  }

  /** Takes the newest trades as a read shows them, newest first; emits the new ones. */
  read(newestFirst: readonly WireTrade[]): ReadVerdict {
    const rows = oldestFirst(newestFirst)
    const verdict = this.#compare(rows)
    for (const { id } of rows) this.#known.show(id)
    return verdict
  }

  #compare(rows: readonly WireTrade[]): ReadVerdict {
    const reportedIndex = rows.findLastIndex(({ id }) => this.#known.placeOf(id) !== undefined)
    const newest = rows[reportedIndex]
    if (newest === undefined) return this.#readBeyond(rows)
    const known = rows.slice(0, reportedIndex + 1)
    this.#join(known, rows.length >= MAX_READ)
    const isOrdered = this.#checkOrder(known)
    const isWhole = this.#findMissed(known)
    const newestPlace = Math.max(...known.map(({ id }) => this.#known.placeOf(id) ?? -1))
    this.#prove(newest, newestPlace)
    const isEndWhole = this.#readEnd(rows.slice(reportedIndex + 1), newest, this.#known.reportedAfter(newestPlace))
    return isOrdered && isWhole && isEndWhole ? 'clean' : 'differs'
  }

  /** Handles a read that shows no emitted trade. */
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
      if (rows.length >= MAX_READ) this.#gap(this.#startedAt, first.createdAt)
    } else if (newest.createdAt <= last.createdAt) {
      // The order within one millisecond is unknown; the next trade decides.
      this.#counts.staleReads += 1
      return 'stale'
    } else {
      // Trades emitted since the last read may have lacked some, too.
      this.#counts.unproven += this.unprovenCount
      this.#gap(Math.min(this.#provenAt, last.createdAt), first.createdAt)
    }
    for (const trade of rows) {
      if (this.#known.has(trade.id)) continue
      if (last !== undefined && trade.createdAt < last.createdAt) this.miss(trade)
      else this.#report(trade, trade.id === first.id)
    }
    this.#proveAll()
    return 'clean'
  }

  /** Whether the emitted trades have the same order as in the read. */
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

  /** Marks trades between emitted ones as missed. @param rows  the last of them was emitted */
  #findMissed(rows: readonly WireTrade[]): boolean {
    const hasPast = this.#hasPast || this.#known.forgottenAt > Number.NEGATIVE_INFINITY
    const begin = hasPast ? this.#firstPlaceIndex(rows) : 0
    let before: WireTrade | undefined
    let isMissing = false
    let isWhole = true
    for (const trade of rows.slice(begin)) {
      if (this.#known.placeOf(trade.id) !== undefined) {
        // A trade inside an emitted gap is not reported again.
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

  /** Index of the first row that is not older than everything remembered. */
  #firstPlaceIndex(rows: readonly WireTrade[]): number {
    const [oldest] = this.#known.reportedAfter(-1)
    const index = rows.findIndex(({ id }) => id === oldest?.id)
    return Math.max(0, index)
  }

  /**
   * @param rows  after `before`, none of them emitted
   * @param tail  emitted after everything that the read shows
   */
  #readEnd(rows: readonly WireTrade[], before: WireTrade, tail: readonly WireTrade[]): boolean {
    const end = rows.at(-1) ?? before
    // A read is complete: an earlier trade that is not in it precedes it, wherever it was emitted.
    const behind = tail.find(({ createdAt }) => createdAt >= end.createdAt)
    const latest = tail.at(-1)
    let missed = false
    for (const trade of rows) {
      if (this.#known.has(trade.id)) continue
      if (behind === undefined && trade.createdAt >= (latest?.createdAt ?? trade.createdAt)) {
        this.#report(trade)
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
   * Handles a read that does not reach back to the last one: no read shows the trades between, and some may be missing.
   * @param rows  the last of them was emitted
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

  #report(trade: WireTrade, isBehindGap = false): void {
    this.#known.report(trade, isBehindGap)
    this.#counts.reported += 1
    this.#listener.onTrade(trade)
  }

  #gapBefore(trade: WireTrade, before: WireTrade): void {
    this.#known.markGap(trade.id)
    this.#gap(before.createdAt, trade.createdAt)
  }

  /** Reports a gap between two times of trades, in either order. */
  #gap(one: number, other: number, kind: GapKind = 'missing'): void {
    const to = Math.max(one, other)
    this.#counts.gaps += 1
    this.#coveredAfter = Math.max(this.#coveredAfter, to)
    this.#listener.onGap(Math.min(one, other), to, kind)
  }
}

/** Reverses a read and drops duplicates in it. */
function oldestFirst(newestFirst: readonly WireTrade[]): readonly WireTrade[] {
  const byId = new Map<string, WireTrade>()
  for (const trade of newestFirst) if (!byId.has(trade.id)) byId.set(trade.id, trade)
  return [...byId.values()].reverse()
}
