/**
 * Net lots of each session, which outlive its intents.
 *
 * Invariant: the lots of an intent count once, whether its row still exists or was dropped.
 */
import { z } from 'zod'
import type { PersistedIntent } from './persisted-intent.ts'

/** One session of one owner. */
export interface SessionLots {
  readonly owner: string
  readonly session: string
  /** Bought minus sold lots by symbol: integers as text. */
  readonly lots: Readonly<Record<string, string>>
}

const SESSION_LOTS: z.ZodType<readonly SessionLots[]> = z.array(
  z.object({ owner: z.string(), session: z.string(), lots: z.record(z.string(), z.string().regex(/^-?\d+$/)) }),
)

interface ValuesByName {
  savedValue<T>(name: string, schema: z.ZodType<T>): T | undefined
  saveValue<T>(name: string, schema: z.ZodType<T>, value: T): void
}

/** Lots of dropped intents, oldest session first. */
export const droppedLots = (state: Pick<ValuesByName, 'savedValue'>): readonly SessionLots[] =>
  state.savedValue('dropped-lots', SESSION_LOTS) ?? []

/** Call in the transaction that drops them. */
export function saveDroppedLots(state: ValuesByName, dropped: readonly PersistedIntent[]): void {
  const book = new LotBook(droppedLots(state))
  for (const intent of dropped) book.count(intent)
  state.saveValue('dropped-lots', SESSION_LOTS, book.sessions)
}

/** Net lots by owner and session. */
export class LotBook {
  readonly #sessions = new Map<string, { owner: string; session: string; lots: Map<string, bigint> }>()
  /** Lots already counted by intent, because its order may be filled further. */
  readonly #counted = new Map<number, number>()

  constructor(sessions: readonly SessionLots[]) {
    for (const { owner, session, lots } of sessions) {
      for (const [symbol, text] of Object.entries(lots)) this.#add(owner, session, symbol, BigInt(text))
    }
  }

  /** Oldest first, without flat sessions. */
  get sessions(): readonly SessionLots[] {
    return [...this.#sessions.values()].flatMap(({ owner, session, lots }) => {
      const held = [...lots].flatMap(([symbol, count]) => (count === 0n ? [] : [[symbol, String(count)] as const]))
      return held.length === 0 ? [] : [{ owner, session, lots: Object.fromEntries(held) }]
    })
  }

  /** Call again after each fill of its order. */
  count({ id, owner, session, symbol, side, filledQty }: PersistedIntent): void {
    const before = this.#counted.get(id) ?? 0
    if (filledQty === before) return
    this.#counted.set(id, filledQty)
    const more = BigInt(filledQty - before)
    this.#add(owner, session, symbol, side === 'BUY' ? more : -more)
  }

  #add(owner: string, session: string, symbol: string, count: bigint): void {
    const key = JSON.stringify([owner, session])
    const entry = this.#sessions.get(key) ?? { owner, session, lots: new Map<string, bigint>() }
    entry.lots.set(symbol, (entry.lots.get(symbol) ?? 0n) + count)
    this.#sessions.set(key, entry)
  }
}
