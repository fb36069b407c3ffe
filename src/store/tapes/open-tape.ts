/**
 * The rows of a tape in blocks, as often as they are asked for: as they are stored, or as the first pass kept them, else from the file again.
 */
import { InputError } from '../../domain/errors.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import type { RecordedBlock, Tape, TapeInfo, TapeWindow } from '../../tape/tape.ts'
import { sliceBlock } from '../../tape/window.ts'
import { BLOCK_ROWS } from '../csv/row-sink.ts'
import type { TapePrecisions } from '../tape-precisions.ts'
import type { InspectedTape, TapeSource } from '../tape-source.ts'
import { scaledRows } from './blocks/scaled-rows.ts'
import { largestUnits, type StoredMarket } from './blocks/stored-market.ts'
import { openRows, type RowsPlace } from './rows-place.ts'
import { TapePass } from './tape-pass.ts'

// Taken now, because a run puts its own in the place of the global one.
// eslint-disable-next-line papertape/no-clock -- waits for nothing
const { setImmediate: realSetImmediate } = globalThis

/**
 * A tape whose prices and quantities have the given precisions, which two files of one market share.
 *
 * Reading its blocks holds a few of them at a time. A file that has changed since it was inspected is refused at its end at the
 * latest, so what its blocks have led to counts only when all of them were read.
 *
 * @throws {InputError} when the file needs more decimals
 */
export function openTape(inspected: InspectedTape, precisions: TapePrecisions): Tape {
  const { source, info, gaps, rows } = inspected
  checkPrecision(info.file, 'price', info.pricePrecision, precisions.pricePrecision)
  checkPrecision(info.file, 'quantity', info.qtyPrecision, precisions.qtyPrecision)
  const { pricePrecision, qtyPrecision } = precisions
  const candleInterval = info.intervalMs === undefined ? {} : { candleInterval: info.intervalMs }
  const known: TapeSource = { ...source, ...candleInterval, pricePrecision, qtyPrecision }
  const opened: TapeInfo = { ...info, pricePrecision, qtyPrecision }
  if (rows === undefined) return { info: opened, gaps, blocks: () => readBlocks(known, opened) }
  // A value that is too large for the precisions is refused with its row, which only the file tells.
  if (rows.form === 'kept' && rows.isOnlyForm !== true && !fits(rows, precisions)) {
    return { info: opened, gaps, blocks: () => readBlocks(known, opened) }
  }
  return { info: opened, gaps, blocks: (window) => storedBlocks(rows, opened, window) }
}

function checkPrecision(file: string, what: string, needed: number, given: number): void {
  if (Number.isInteger(given) && given >= needed && given <= MAX_PRECISION) return
  throw new InputError(file, `expected ${needed} to ${MAX_PRECISION} decimals of the ${what}, got ${given}`)
}

function fits(place: RowsPlace, precisions: TapePrecisions): boolean {
  const { market, close } = openRows(place)
  const largest = largestUnits(market.entries, precisions)
  close()
  return Math.max(largest.price, largest.qty) <= Number.MAX_SAFE_INTEGER
}

/** Only the blocks that have a row in the window are read. */
async function* storedBlocks(
  place: RowsPlace,
  info: TapeInfo,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow = {},
): AsyncGenerator<RecordedBlock, void, undefined> {
  const { market, close } = openRows(place)
  try {
    checkSizes(market, info)
    for (const [index, { first, last }] of market.entries.entries()) {
      if (last < from || first >= to) continue
      const block = scaledRows(market.read(index), info)
      for (let start = 0; start < block.length; start += BLOCK_ROWS) {
        // As when a file is read: signals and timers of the process have their turn between two blocks.
        await new Promise<void>((resolve) => realSetImmediate(resolve))
        yield sliceBlock(block, start, Math.min(start + BLOCK_ROWS, block.length))
      }
    }
  } finally {
    close()
  }
}

function checkSizes(market: StoredMarket, { file, ...precisions }: TapeInfo): void {
  const { price, qty } = largestUnits(market.entries, precisions)
  if (Math.max(price, qty) <= Number.MAX_SAFE_INTEGER) return
  const [what, digits] =
    price > Number.MAX_SAFE_INTEGER ? ['price', precisions.pricePrecision] : ['quantity', precisions.qtyPrecision]
  throw new InputError(file, `expected a ${what} of at most 2^53 - 1 units of 10^-${digits} in every row`)
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
    throw new InputError(source.file, 'expected the file as it was at the first reading, but it has changed since')
  }
  if (last !== undefined && last.length > 0) yield last
}
