/** First pass over a tape's file: every row is validated, and stored if there is room. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { assetsOfSymbol, MAX_PRECISION } from '../../domain/market.ts'
import { joined, listOf, noticesIn } from '../../tape/notices.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { InspectedTape } from './inspected-tape.ts'
import { gapNotices, readGapFile } from './gap-file.ts'
import { inspectStored, storedForm } from './inspect-stored.ts'
import { withStatedVolume } from './stated-volume.ts'
import { readRecording, type RecordingOptions } from './read-recording.ts'

/**
 * Reads a file from beginning to end, and the gap file next to it; for an imported tape only the index.
 *
 * @throws {InputError} at the first invalid row, or naming the file or the setting
 * @throws {AbortError} when `signal` is aborted
 */
export async function inspectTape(source: TapeSource, options: RecordingOptions = {}): Promise<InspectedTape> {
  checkReading(source)
  const stored = await storedForm(source.file)
  if (stored !== undefined) return inspectStored(source, stored)
  const { symbol, kind, sha256, totals, notices, warnings, spooled } = await readRecording(source, options)
  const closes = kind === 'candles' && source.candleClose === 'next' && { closesAtNext: true }
  const read: TapeInfo = { symbol, kind, file: source.file, sha256, ...totals, ...closes, notices, warnings }
  const info = withStatedVolume(source, read)
  const rows = spooled && { rows: { form: 'spooled', spooled } as const }
  const file = await readGapFile(source.file)
  if (file === undefined) return { source, info, ...rows }
  const all = listOf(joined([gapNotices(file, info), noticesIn(info)]))
  return { source, info: { ...info, gaps: file.info, ...all }, gaps: file.gaps, ...rows }
}

/** @throws {InputError} naming the setting that no tape could have */
export function checkReading({ symbol, candleInterval, pricePrecision, qtyPrecision }: TapeSource): void {
  if (symbol !== undefined) assetsOfSymbol(setting('tapes'), symbol)
  if (candleInterval !== undefined && !(Number.isSafeInteger(candleInterval) && candleInterval >= 1)) {
    const expected = `expected whole milliseconds, at least 1`
    throw new InputError(setting('candleInterval'), `${expected}, got ${candleInterval}`)
  }
  checkPrecision('pricePrecision', pricePrecision)
  checkPrecision('qtyPrecision', qtyPrecision)
}

function checkPrecision(name: 'pricePrecision' | 'qtyPrecision', precision: number | undefined): void {
  if (precision === undefined || (Number.isInteger(precision) && precision >= 0 && precision <= MAX_PRECISION)) return
  throw new InputError(setting(name), `expected decimals from 0 to ${MAX_PRECISION}, got ${precision}`)
}
