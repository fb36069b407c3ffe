/**
 * Ring buffer of the newest known trades of a market: emitted (in that order) or missed.
 *
 * Ids are opaque and many trades share a millisecond, so a trade's place is its sequence number among the emitted ones.
 * Memory is bounded: only the newest `capacity` trades are kept.
 */
import type { WireTrade } from '../../../wire/wire-trade.ts'

interface KnownTrade {
  readonly trade: WireTrade
  /** Sequence number among emitted trades; undefined for a missed one. */
  readonly place: number | undefined
  /** Whether a gap was emitted right before it. */
  isBehindGap: boolean
  /** Whether a read has shown it. */
  isShown: boolean
}

export class KnownTrades {
  readonly #capacity: number
  readonly #byId = new Map<string, KnownTrade>()
  /** Trades in the order in which they became known; a ring with its start at `#oldest` once it is full. */
  readonly #ring: KnownTrade[] = []
  #oldest = 0
  #places = 0
  #forgottenAt = Number.NEGATIVE_INFINITY
  #last: WireTrade | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Place of the last emitted trade; -1 before the first. */
  get lastPlace(): number {
    return this.#places - 1
  }

  /** The last emitted trade. */
  get last(): WireTrade | undefined {
    return this.#last
  }

  /** Unix milliseconds of the newest trade that was dropped; -Infinity if none was. */
  get forgottenAt(): number {
    return this.#forgottenAt
  }

  get size(): number {
    return this.#byId.size
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Time of a known trade, emitted or missed; undefined for an unknown one. Unix milliseconds. */
  timeOf(id: string): number | undefined {
    return this.#byId.get(id)?.trade.createdAt
  }

  /** Undefined for a trade that was not emitted, or was dropped. */
  placeOf(id: string): number | undefined {
    return this.#byId.get(id)?.place
  }

  /** @param isBehindGap  whether a gap was emitted right before it */
  report(trade: WireTrade, isBehindGap = false): void {
    this.#add({ trade, place: this.#places, isBehindGap, isShown: false })
    this.#places += 1
    this.#last = trade
  }

  miss(trade: WireTrade): void {
    this.#add({ trade, place: undefined, isBehindGap: false, isShown: false })
  }

  isBehindGap(id: string): boolean {
    return this.#byId.get(id)?.isBehindGap === true
  }

  isShown(id: string): boolean {
    return this.#byId.get(id)?.isShown === true
  }

  /** Marks a trade as shown by a read. */
  show(id: string): void {
    const known = this.#byId.get(id)
    if (known !== undefined) known.isShown = true
  }

  /** Marks that a gap was emitted right before it. */
  markGap(id: string): void {
    const known = this.#byId.get(id)
    if (known !== undefined) known.isBehindGap = true
  }

  /** Trades emitted after a place, in order. */
  reportedAfter(place: number): readonly WireTrade[] {
    if (place >= this.lastPlace) return []
    return this.#inOrder()
      .filter((known) => known.place !== undefined && known.place > place)
      .map(({ trade }) => trade)
  }

  #inOrder(): readonly KnownTrade[] {
    return [...this.#ring.slice(this.#oldest), ...this.#ring.slice(0, this.#oldest)]
  }

  #add(known: KnownTrade): void {
    this.#byId.set(known.trade.id, known)
    if (this.#ring.length < this.#capacity) {
      this.#ring.push(known)
      return
    }
    const forgotten = this.#ring[this.#oldest]
    this.#ring[this.#oldest] = known
    this.#oldest = (this.#oldest + 1) % this.#capacity
    if (forgotten === undefined) return
    this.#byId.delete(forgotten.trade.id)
    this.#forgottenAt = Math.max(this.#forgottenAt, forgotten.trade.createdAt)
  }
}
