/**
 * Rows that came in any order, put into that of time, each once.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { RowTotals } from '../csv/row-sink.ts'
import type { TapeSource } from '../tape-source.ts'
import { BlockGatherer } from './blocks/block-gatherer.ts'
import { scaledMarket } from './blocks/scaled-rows.ts'
import { storedFacts, type StoredMarket, type TapeHead } from './blocks/stored-market.ts'
import type { KeptRoom } from './kept-bytes.ts'
import { KeptMarket, RowKeeper, type KeptRows } from './kept-rows.ts'
import { mergeRows } from './order/merge-rows.ts'
import { RowCursor } from './order/row-cursor.ts'
import { sortRows } from './order/sorted-rows.ts'

export interface SettledRows {
  readonly totals: RowTotals
  readonly duplicates: number
  /** Times at which candles stood more than once with other figures, a time for each but the first of them. */
  readonly clashes: readonly number[]
  readonly kept: KeptRows
}

/**
 * @param keeper  has blocks each of which is in order
 * @param room    for what is sorted
 * @throws {InputError} for a trade that contradicts another, and where there is no room
 */
export function settleRows(
  source: TapeSource,
  head: TapeHead,
  keeper: RowKeeper | undefined,
  room: KeptRoom | undefined,
): SettledRows {
  const { file } = source
  const unsorted = keeper?.finish(head)
  if (unsorted === undefined || room === undefined) {
    throw new InputError(file, 'the rows are not in the order of time, and there is no room to sort them')
  }
  const sorted = keptOf(file, head, room, (gatherer) => {
    sortRows(new KeptMarket(unsorted), (rows, start, end) => {
      gatherer.add(rows, start, end)
    })
  })
  let duplicates = 0
  const clashes: number[] = []
  const market = new KeptMarket(sorted)
  const settled = keptOf(file, head, room, (into) => {
    const incoming = new RowCursor(scaledMarket(market, storedFacts(head, market.entries)))
    const merge = {
      file,
      stored: new RowCursor([]),
      incoming,
      isChecked: false,
      idBefore: -1,
      into,
      onClash: (time: number) => clashes.push(time),
    }
    duplicates = mergeRows(merge).duplicates
  })
  const intervalMs = head.kind === 'trades' ? null : intervalOf(source, new KeptMarket(settled))
  const shiftMs = source.candleTime === 'close' ? -(intervalMs ?? 0) : 0
  const kept = { ...settled, head: { ...head, intervalMs }, shiftMs }
  return { totals: storedFacts(kept.head, new KeptMarket(kept).entries), duplicates, clashes, kept }
}

function keptOf(file: string, head: TapeHead, room: KeptRoom, give: (gatherer: BlockGatherer) => void): KeptRows {
  const keeper = new RowKeeper(room)
  const gatherer = new BlockGatherer((rows) => {
    keeper.add(rows)
  })
  give(gatherer)
  gatherer.end()
  const kept = keeper.finish(head)
  if (kept === undefined) throw new InputError(file, 'the disk has no room to sort the rows')
  return kept
}

/** Of candles, milliseconds: the given one, which no step is shorter than, else the shortest step. */
function intervalOf({ file, candleInterval }: TapeSource, { entries }: StoredMarket): number {
  let least = Number.POSITIVE_INFINITY
  let last: number | undefined
  for (const entry of entries) {
    if (last !== undefined) least = Math.min(least, entry.first - last)
    least = Math.min(least, entry.leastStep ?? Number.POSITIVE_INFINITY)
    last = entry.last
  }
  if (candleInterval !== undefined && least < candleInterval) {
    throw new InputError(
      file,
      `expected candles at least ${candleInterval} ms apart, got two that are ${least} ms apart`,
    )
  }
  const interval = candleInterval ?? least
  if (interval < Number.POSITIVE_INFINITY) return interval
  throw new InputError(setting('candleInterval'), `expected the length of a candle, for ${file} has only one`)
}
