/**
 * Merges the rows of a recording into an existing tape.
 *
 * Only stored blocks that overlap with the recording are rewritten. Blocks after all of them, as in the next month's
 * file, are copied in encoded form.
 */
import { InputError } from '../../../domain/errors.ts'
import { MAX_BLOCK_ROWS } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { StoredRows } from '../blocks/block-codec.ts'
import type { EncodedBlock } from '../blocks/sealed-block.ts'
import type { BlockEntry } from '../blocks/block-entry.ts'
import { BlockGatherer } from '../blocks/block-gatherer.ts'
import { scaledMarket } from '../blocks/scaled-rows.ts'
import { largestUnits, type StoredMarket } from '../blocks/stored-market.ts'
import { mergeRows, type MergeCounts } from '../order/merge-rows.ts'
import { RowCursor } from '../order/row-cursor.ts'

/** A recording whose blocks may be taken over as they are. */
export interface IncomingMarket extends StoredMarket {
  /** Encoded bytes of a block; undefined if it has to be encoded again. */
  encoded(index: number): EncodedBlock | undefined
}

/** Takes the blocks of the tape in the order of time. */
export interface MergeTarget {
  /** A stored block that stays as it is. */
  keep(index: number): void
  /** A stored block whose rows come again among those that are added. */
  drop(index: number): void
  add(rows: StoredRows): void
  addEncoded(entry: BlockEntry, encoded: EncodedBlock): void
}

/**
 * @param file    for errors: the recording
 * @param stored  of the same symbol and kind
 * @throws {InputError} for a row that contradicts a stored one, and for rows that no tape could have together
 */
export function mergeMarket(
  file: string,
  stored: StoredMarket,
  incoming: IncomingMarket,
  target: MergeTarget,
): MergeCounts {
  checkTogether(file, stored, incoming)
  const { entries } = stored
  const [start, end] = reachedBlocks(entries, incoming.entries)
  for (let index = 0; index < start; index += 1) target.keep(index)
  const counts =
    start === end && incoming.entries.every((_, index) => incoming.encoded(index) !== undefined)
      ? takeOver(incoming, target)
      : mergeBlocks(file, stored, [start, end], incoming, target)
  for (let index = end; index < entries.length; index += 1) target.keep(index)
  return counts
}

type Range = readonly [number, number]

/** Blocks that have rows at or between the times of the recording: from the first up to, but not with, the second. */
function reachedBlocks(entries: readonly BlockEntry[], incoming: readonly BlockEntry[]): Range {
  const first = incoming[0]?.first ?? 0
  const last = incoming.at(-1)?.last ?? 0
  const behind = entries.findIndex((entry) => entry.last >= first)
  if (behind < 0)
    return isWorthFilling(entries, incoming) ? [entries.length - 1, entries.length] : [entries.length, entries.length]
  const after = entries.findIndex((entry) => entry.first > last)
  const end = Math.max(behind, after < 0 ? entries.length : after)
  return [behind, end === behind ? end : withSameMoment(entries, end)]
}

/** Avoids many small blocks after the import of many small files. */
function isWorthFilling(entries: readonly BlockEntry[], incoming: readonly BlockEntry[]): boolean {
  const rows = entries.at(-1)?.rows
  return rows !== undefined && rows * 2 < MAX_BLOCK_ROWS && incoming.length <= 2
}

/** Blocks that end at the same moment stay together: none is rewritten without those after it. */
function withSameMoment(entries: readonly BlockEntry[], end: number): number {
  const last = entries[end - 1]?.last
  let at = end
  while (entries[at]?.last === last && at < entries.length) at += 1
  return at
}

function takeOver(incoming: IncomingMarket, target: MergeTarget): MergeCounts {
  let imported = 0
  for (const [index, entry] of incoming.entries.entries()) {
    const encoded = incoming.encoded(index)
    if (encoded === undefined) target.add(incoming.read(index))
    else target.addEncoded(entry, encoded)
    imported += entry.rows
  }
  return { imported, duplicates: 0 }
}

function mergeBlocks(
  file: string,
  stored: StoredMarket,
  [start, end]: Range,
  incoming: IncomingMarket,
  target: MergeTarget,
): MergeCounts {
  const indexes = Array.from({ length: end - start }, (_, at) => start + at)
  const precisions = finestOf([...stored.entries.slice(start, end), ...incoming.entries])
  const into = new BlockGatherer((rows) => {
    target.add(rows)
  })
  const before = stored.entries[start - 1]?.lastId
  const counts = mergeRows({
    file,
    stored: new RowCursor(scaledMarket(stored, precisions, indexes)),
    incoming: new RowCursor(scaledMarket(incoming, precisions)),
    isChecked: true,
    idBefore: typeof before === 'number' ? before : -1,
    into,
  })
  into.end()
  // Now that they were read.
  for (const index of indexes) target.drop(index)
  return counts
}

const finestOf = (entries: readonly BlockEntry[]): TapePrecisions => ({
  pricePrecision: entries.reduce((most, entry) => Math.max(most, entry.pricePrecision), 0),
  qtyPrecision: entries.reduce((most, entry) => Math.max(most, entry.qtyPrecision), 0),
})

function checkTogether(file: string, { entries, head: { symbol } }: StoredMarket, incoming: StoredMarket): void {
  const [mine] = entries
  const [theirs] = incoming.entries
  if (mine === undefined || theirs === undefined) return
  const [expected, got] = [idsOf(mine), idsOf(theirs)]
  if (expected !== got) {
    throw new InputError(file, `expected rows with ${expected}, as the tape of ${symbol} has them, got ${got}`)
  }
  const all = [...entries, ...incoming.entries]
  const precisions = finestOf(all)
  const { price, qty } = largestUnits(all, precisions)
  const [what, decimals, of] =
    price > Number.MAX_SAFE_INTEGER
      ? ['prices', precisions.pricePrecision, incoming.head.symbol]
      : ['quantities', precisions.qtyPrecision, incoming.head.symbol]
  if (Math.max(price, qty) <= Number.MAX_SAFE_INTEGER) return
  const least = `in the precision that ${of} needs with the present tape`
  throw new InputError(file, `expected ${what} that are at most 2^53 - 1 units of 10^-${decimals} ${least}`)
}

function idsOf({ firstId }: BlockEntry): string {
  if (firstId === null) return 'no ids'
  return typeof firstId === 'number' ? 'ids that are integers up to 2^53 - 1' : 'ids that are texts or larger integers'
}
