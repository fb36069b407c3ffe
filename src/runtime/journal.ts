/**
 * What participants asked and what they were answered, a JSON object a line; its SHA-256 is the digest of a run.
 *
 * Invariant: the same tape, strategy, parameters, seed and version give the same bytes. So it holds no path and no wall clock,
 * and keys stand in the order in which they are written here.
 */
import { createHash } from 'node:crypto'
import type { OwnBalances, OwnFill, OwnOrder } from '../strategy/own-order.ts'

/** A JSON value without floats: quantities are strings. */
export type JournalValue =
  string | number | boolean | null | readonly JournalValue[] | { readonly [key: string]: JournalValue | undefined }

export interface JournalEntry {
  /**
   * What happened: `run`, `credit`, `place`, `cancel`, `acknowledged`, `refused`, `unknown`, `order`, `fill`, `balances`, `end`; and of a
   * resting order, for `why`: `rested`, `met`, `met-own`, `left`.
   */
  readonly type: string
  readonly [key: string]: JournalValue | undefined
}

export class Journal {
  readonly #hash = createHash('sha256')
  readonly #sink: (line: string) => void
  #lines = 0

  /** @param sink  gets each line, without its line end */
  constructor(sink: (line: string) => void) {
    this.#sink = sink
  }

  get lines(): number {
    return this.#lines
  }

  /** @param time  Unix milliseconds at which the strategy's side knew it, or at which it happened to a resting order */
  write(time: number, entry: JournalEntry): void {
    const line = JSON.stringify({ t: time, ...entry })
    this.#hash.update(line).update('\n')
    this.#lines += 1
    this.#sink(line)
  }

  /** `sha256:` and the lower-case hex of all lines so far, each with a line feed. */
  digest(): string {
    return `sha256:${this.#hash.copy().digest('hex')}`
  }
}

export function orderEntry(order: OwnOrder): JournalValue {
  return {
    id: order.id,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    price: order.price?.toFixed(),
    qty: order.qty.toFixed(),
    filledQty: order.filledQty.toFixed(),
    averagePrice: order.averagePrice?.toFixed(),
    createdAt: order.createdAt,
  }
}

export function fillEntry(fill: OwnFill): JournalValue {
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    symbol: fill.symbol,
    side: fill.side,
    price: fill.price.toFixed(),
    qty: fill.qty.toFixed(),
    fee: fill.fee.toFixed(),
    isMaker: fill.isMaker,
    createdAt: fill.createdAt,
  }
}

export function balancesEntry(balances: OwnBalances): JournalValue {
  const rows = [...balances].map(([asset, { available, locked }]) => {
    return [asset, { available: available.toFixed(), locked: locked.toFixed() }] as const
  })
  return Object.fromEntries(rows)
}
