/** Rows of a tape in blocks, readable repeatedly: from its store, from the first pass, or from the file again. */
import { InputError } from '../../domain/errors.ts'
import type { RecordedBlock, Tape, TapeInfo, TapeWindow } from '../../tape/tape.ts'
import { lookaheadMs, withCandleEnds } from '../../tape/candle-ends.ts'
import { sliceBlock } from '../../tape/window.ts'
import { BLOCK_ROWS } from '../../import/csv/row-sink.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { type InspectedTape, openRows, type RowsPlace } from './inspected-tape.ts'
import { scaledRows } from './blocks/scaled-rows.ts'
import { largestUnits } from './blocks/stored-market.ts'
import { blockTurn, checkLargest, checkPrecisions } from './opened-precisions.ts'
import { withVolume } from './stated-volume.ts'
import { TapePass } from './tape-pass.ts'

/**
 * Opens a tape with given precisions, which two files of one market share.
 *
 * Reading holds a few blocks in memory at a time. A file that has changed since its inspection is rejected at its end
 * at the latest, so results count only when all of its blocks were read.
 *
 * @throws {InputError} when the file needs more decimals
 */
export function openTape(inspected: InspectedTape, precisions: TapePrecisions): Tape {
  const { source, info, gaps, rows } = inspected
  checkPrecisions(info, precisions)
  const { pricePrecision, qtyPrecision } = precisions
  const candleInterval = info.intervalMs === undefined ? {} : { candleInterval: info.intervalMs }
  const known: TapeSource = { ...source, ...candleInterval, pricePrecision, qtyPrecision }
  const opened: TapeInfo = { ...info, pricePrecision, qtyPrecision }
  // A value too large for the precisions is rejected with its row, which only the file has.
  const isRead = rows === undefined || (rows.form === 'spooled' && rows.isOnlyForm !== true && !fits(rows, precisions))
  const blocks = isRead ? () => readBlocks(known, opened) : (window?: TapeWindow) => storedBlocks(rows, opened, window)
  return { info: opened, gaps, blocks: closedCandles(opened, withVolume(blocks, opened)) }
}

/** Adds the closing times of candles whose length is not fixed. */
function closedCandles(info: TapeInfo, blocks: Tape['blocks']): Tape['blocks'] {
  const ahead = lookaheadMs(info)
  if (ahead === 0) return blocks
  return ({ from, to } = {}) => {
    const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to: to + ahead }) }
    return withCandleEnds(blocks(window), info)
  }
}

function fits(place: RowsPlace, precisions: TapePrecisions): boolean {
  const { market, close } = openRows(place)
  const largest = largestUnits(market.entries, precisions)
  close()
  return Math.max(largest.price, largest.qty) <= Number.MAX_SAFE_INTEGER
}

/** Reads only the blocks with a row in the window. */
async function* storedBlocks(
  place: RowsPlace,
  info: TapeInfo,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow = {},
): AsyncGenerator<RecordedBlock, void, undefined> {
  const { market, close } = openRows(place)
  try {
    checkLargest(info.file, market.entries, info)
    for (const [index, { first, last }] of market.entries.entries()) {
      if (last < from || first >= to) continue
      const block = scaledRows(market.read(index), info)
      for (let start = 0; start < block.length; start += BLOCK_ROWS) {
        await blockTurn()
        yield sliceBlock(block, start, Math.min(start + BLOCK_ROWS, block.length))
      }
    }
  } finally {
    close()
  }
}

async function* readBlocks(source: TapeSource, info: TapeInfo): AsyncGenerator<RecordedBlock, void, undefined> {
  const pass = new TapePass(source)
  let last: RecordedBlock | undefined
  // The last block waits for the comparison, so a tape of one block is never handed out when it has changed.
  for await (const rows of pass.rows()) {
    if (last !== undefined && last.length > 0) yield last
    last = rows.takeBlock()
  }
  if (pass.intake.sink?.rows !== info.rows || pass.sha256() !== info.sha256) {
    throw new InputError(source.file, 'the file changed while it was being read')
  }
  if (last !== undefined && last.length > 0) yield last
}
