/**
 * Orders the frames of Binance's diff stream by update id, and inserts the book's snapshots at their place.
 *
 * A diff follows the previous one when its first id is the next (spot), or when it names that one's last id (futures).
 * Otherwise updates are missing: a gap begins, which only a snapshot ends. A snapshot of id n applies before the diff
 * that contains n + 1; later diffs that have already arrived are laid over it, because their quantities are absolute.
 * Invariant: the first frame is a snapshot, and ids only rise.
 */
import type { BookTally } from './book-tally.ts'
import type { LevelText, ToldFrame } from './book-event.ts'

/** A message of the diff stream. */
export interface Diff {
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
export interface BookAnswer {
  readonly where: string
  readonly lastId: number
  readonly bids: readonly LevelText[]
  readonly asks: readonly LevelText[]
}

/** Maximum of diffs buffered for an older snapshot: some minutes. */
const MAX_KEPT = 10_000

export class BinanceSequence {
  readonly #tally: BookTally
  /** Diffs since the last snapshot that was used, or the last gap. */
  #kept: Diff[] = []
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
  diff(diff: Diff): ToldFrame | undefined {
    const lastId = this.#lastId
    if (lastId !== undefined && diff.lastId <= lastId) {
      this.#tally.count('repeated update frames')
      return undefined
    }
    if (lastId !== undefined && !follows(diff, lastId)) this.#break(diff, lastId)
    this.#lastId = diff.lastId
    if (!this.#isKnown) {
      this.#keep(diff)
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
  snapshot(answer: BookAnswer): ToldFrame | undefined {
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
    this.#kept = []
    if (this.#isFirst) return
    this.#hasGap = true
    const { where, time, firstId, previousId } = diff
    const missing = previousId === undefined ? `${lastId + 1} to ${firstId - 1}` : `behind ${lastId}`
    this.#tally.gap({ where, time, why: `updates ${missing} are missing` })
  }

  /** The pending snapshot merged with all later messages, once one of them is known to follow it. */
  #joined(): ToldFrame | undefined {
    const answer = this.#waiting
    const last = this.#kept.at(-1)
    if (answer === undefined || last === undefined || last.lastId < answer.lastId) return undefined
    const behind = this.#kept.filter(({ lastId }) => lastId > answer.lastId)
    const [next] = behind
    this.#waiting = undefined
    const isReached = next === undefined || behind.length < this.#kept.length || covers(next, answer.lastId)
    if (!isReached) {
      this.#tally.count('outdated snapshots')
      return undefined
    }
    this.#isKnown = true
    this.#isFirst = false
    this.#kept = []
    const { hasGap } = this.#take()
    const told = { kind: 'depth', where: answer.where, time: last.time, id: last.lastId, isSnapshot: true } as const
    const bids = overlaid(answer.bids, behind.map((diff) => diff.bids)) // prettier-ignore
    const asks = overlaid(answer.asks, behind.map((diff) => diff.asks)) // prettier-ignore
    return { ...told, hasGap, bids, asks }
  }

  #keep(diff: Diff): void {
    if (this.#kept.length === MAX_KEPT) this.#kept.shift()
    this.#kept.push(diff)
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
const overlaid = (
  levels: readonly LevelText[],
  later: readonly (readonly LevelText[])[],
): readonly LevelText[] => [...new Map([...levels, ...later.flat()])] // prettier-ignore
