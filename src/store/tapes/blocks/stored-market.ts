/** Stored rows of one market: an index of separately readable blocks, and the facts derived from it. */
import { z } from 'zod'
import { closeTimeOf } from '../../../domain/candle-length.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import type { TapeInfo } from '../../../tape/tape.ts'
import { greatestDivisor } from '../../../domain/greatest-divisor.ts'
import type { StoredRows } from './block-codec.ts'
import type { BlockEntry } from './block-entry.ts'

/** Properties of a stored market, apart from its blocks. */
export interface TapeHead {
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  /** Milliseconds of a candle; null for trades. */
  readonly intervalMs: number | null
  /** Some trade has conditions, so that one without them is known to be regular. */
  readonly hasConditions: boolean
}

/** The form of a head in a file. */
export const TAPE_HEAD = z.strictObject({
  symbol: z.string(),
  kind: z.enum(['trades', 'candles']),
  intervalMs: z.int().min(1).nullable(),
  hasConditions: z.boolean(),
})

export interface StoredMarket {
  readonly head: TapeHead
  /** Oldest first. */
  readonly entries: readonly BlockEntry[]
  /** Oldest first, without overlaps; undefined if there are no marks. */
  readonly gaps: readonly MarkedGap[] | undefined
  /** Lower-case hex SHA-256 that identifies all of its blocks. */
  readonly sha256: string
  /**
   * Rows of the block with that index among the entries.
   *
   * @throws {InputError} naming the block, when it is damaged or no longer exists
   */
  read(index: number): StoredRows
}

/** Facts of a tape derived from its index, equal to those from a pass over its rows. */
export type StoredFacts = Omit<TapeInfo, 'file' | 'sha256' | 'gaps' | 'notices' | 'warnings'>

/** @param entries  at least one */
export function storedFacts(
  { symbol, kind, intervalMs, hasConditions }: TapeHead,
  entries: readonly BlockEntry[],
): StoredFacts {
  const [first] = entries
  const last = entries.at(-1)
  const sum = (of: (entry: BlockEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0)
  const pricePrecision = mostOf(entries, (entry) => entry.pricePrecision)
  const qtyPrecision = mostOf(entries, (entry) => entry.qtyPrecision)
  const traded = entries.find(({ firstTraded }) => firstTraded !== null)?.firstTraded
  return {
    symbol,
    kind,
    rows: sum((entry) => entry.rows),
    emptyCandles: sum((entry) => entry.emptyCandles),
    from: traded ?? first?.first ?? 0,
    to: closeTimeOf(last?.last ?? 0, intervalMs ?? 0),
    pricePrecision,
    qtyPrecision,
    rowsAtPricePrecision: sum((entry) => (entry.pricePrecision === pricePrecision ? entry.finestPrices : 0)),
    rowsAtQtyPrecision: sum((entry) => (entry.qtyPrecision === qtyPrecision ? entry.finestQuantities : 0)),
    hasSides: kind === 'trades' && sum((entry) => entry.unknownSides) === 0,
    hasConditions,
    ...(intervalMs !== null && {
      intervalMs,
      isAligned: entries.reduce((divisor, entry) => greatestDivisor(divisor, entry.divisor), 0) % intervalMs === 0,
    }),
  }
}

const mostOf = <Entry>(entries: readonly Entry[], of: (entry: Entry) => number): number =>
  entries.reduce((most, entry) => Math.max(most, of(entry)), 0)

/** Largest price and quantity of all rows, in units of the precisions of the facts; beyond 2^53 rounded to a double. */
export function largestUnits(
  entries: readonly Pick<BlockEntry, 'largestPrice' | 'largestQty' | 'pricePrecision' | 'qtyPrecision'>[],
  { pricePrecision, qtyPrecision }: Pick<StoredFacts, 'pricePrecision' | 'qtyPrecision'>,
): { readonly price: number; readonly qty: number } {
  return {
    price: mostOf(entries, (entry) => entry.largestPrice * 10 ** (pricePrecision - entry.pricePrecision)),
    qty: mostOf(entries, (entry) => entry.largestQty * 10 ** (qtyPrecision - entry.qtyPrecision)),
  }
}
