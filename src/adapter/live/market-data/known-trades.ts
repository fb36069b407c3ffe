/**
 * The newest trades of a market that are known: told, in the order in which they were told, or missed.
 *
 * Ids are opaque, and many trades share a millisecond, so a trade's place is the number under which it was told. Memory
 * is bounded: what is older than the newest `capacity` of them is forgotten.
 */
import type { WireTrade } from '../../../wire/wire-trade.ts'

interface KnownTrade {
  readonly trade: WireTrade
  /** Place among the told ones; undefined for one that was missed. */
  readonly place: number | undefined
  /** Whether it was told that trades are missing right before it. */
  isBehindGap: boolean
  /** Whether a read has shown it. */
  isShown: boolean
}

export class KnownTrades {
  readonly #capacity: number
  readonly #byId = new Map<string, KnownTrade>()
  /** In the order of their coming to be known; `#oldest` first once it is full. */
  readonly #ring: KnownTrade[] = []
  #oldest = 0
  #places = 0
  #forgottenAt = Number.NEGATIVE_INFINITY
  #last: WireTrade | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Place of the trade that was told last; -1 before the first. */
  get lastPlace(): number {
    return this.#places - 1
  }

  /** The trade that was told last. */
  get last(): WireTrade | undefined {
    return this.#last
  }

  /** Unix milliseconds of the newest trade that was forgotten; -Infinity when none was. */
  get forgottenAt(): number {
    return this.#forgottenAt
  }

  get size(): number {
    return this.#byId.size
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Time that a trade has, told or missed; undefined for one that is not known. Unix milliseconds. */
  timeOf(id: string): number | undefined {
    return this.#byId.get(id)?.trade.createdAt
  }

  /** Undefined for one that was not told, or is forgotten. */
  placeOf(id: string): number | undefined {
    return this.#byId.get(id)?.place
  }

  /** @param isBehindGap  whether it was told that trades are missing right before it */
  tell(trade: WireTrade, isBehindGap = false): void {
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

  /** A read has shown it. */
  show(id: string): void {
    const known = this.#byId.get(id)
    if (known !== undefined) known.isShown = true
  }

  /** It was told that trades are missing right before it. */
  markGap(id: string): void {
    const known = this.#byId.get(id)
    if (known !== undefined) known.isBehindGap = true
  }

  /** Those that were told behind a place, in their order. */
  toldAfter(place: number): readonly WireTrade[] {
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
