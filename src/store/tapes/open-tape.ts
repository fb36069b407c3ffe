/**
 * The second pass over a tape's file: its trades in blocks, as often as they are asked for.
 */
import { InputError } from '../../domain/errors.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import type { RecordedBlock, Tape, TapeInfo } from '../../tape/tape.ts'
import type { InspectedTape, TapePrecisions, TapeSource } from '../tape-source.ts'
import { TapePass } from './tape-pass.ts'

/**
 * A tape whose prices and quantities have the given precisions, which two files of one market share.
 *
 * Reading its blocks holds a few of them at a time. A file that has changed since it was inspected is refused at its end at the
 * latest, so what its blocks have led to counts only when all of them were read.
 *
 * @throws {InputError} when the file needs more decimals
 */
export function openTape(inspected: InspectedTape, precisions: TapePrecisions): Tape {
  const { source, info, gaps } = inspected
  checkPrecision(info.file, 'price', info.pricePrecision, precisions.pricePrecision)
  checkPrecision(info.file, 'quantity', info.qtyPrecision, precisions.qtyPrecision)
  const { pricePrecision, qtyPrecision } = precisions
  const candleInterval = info.intervalMs === undefined ? {} : { candleInterval: info.intervalMs }
  const known: TapeSource = { ...source, ...candleInterval, pricePrecision, qtyPrecision }
  const opened: TapeInfo = { ...info, pricePrecision, qtyPrecision }
  return { info: opened, gaps, blocks: () => readBlocks(known, opened) }
}

function checkPrecision(file: string, what: string, needed: number, given: number): void {
  if (Number.isInteger(given) && given >= needed && given <= MAX_PRECISION) return
  throw new InputError(file, `expected ${needed} to ${MAX_PRECISION} decimals of the ${what}, got ${given}`)
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
