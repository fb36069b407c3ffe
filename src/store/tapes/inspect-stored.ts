/**
 * An imported tape, described by its index without reading its rows.
 *
 * Each block is validated when it is read, so a damaged one is reported before any of its rows is played.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { lengthText } from '../../domain/candle-length.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { GapFileInfo, TapeInfo } from '../../tape/tape.ts'
import { WITHOUT_WAITING } from '../../import/file-bytes.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { InspectedTape, RowsPlace } from './inspected-tape.ts'
import { storedFacts, type StoredMarket, type TapeHead } from './blocks/stored-market.ts'
import { TAPE_FILE_START } from './blocks/block-file.ts'
import { TapeFile } from './blocks/tape-file.ts'
import { SQLITE_START } from '../database/database-file.ts'
import { TapeDatabase } from './database/tape-database.ts'
import { withStatedVolume } from './stated-volume.ts'

/** File form by its first bytes: a tape of blocks, a store of many, or neither. */
export async function storedForm(file: string): Promise<'tape-file' | 'store' | undefined> {
  const length = Math.max(TAPE_FILE_START.length, SQLITE_START.length)
  const start = await startOf(file, length)
  if (start.subarray(0, TAPE_FILE_START.length).equals(TAPE_FILE_START)) return 'tape-file'
  return start.subarray(0, SQLITE_START.length).equals(SQLITE_START) ? 'store' : undefined
}

async function startOf(file: string, length: number): Promise<Buffer> {
  try {
    const handle = await open(file, WITHOUT_WAITING)
    try {
      if (!(await handle.stat()).isFile()) return Buffer.alloc(0)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    // Reported by the reader of recordings.
    if (error instanceof Error && 'code' in error) return Buffer.alloc(0)
    throw error
  }
}

/** @throws {InputError} when it is damaged, has no such market, or is to be read as only a recording can be */
export function inspectStored(source: TapeSource, form: 'tape-file' | 'store'): InspectedTape {
  checkNothingElse(source)
  return form === 'store' ? inspectStore(source) : inspectTapeFile(source)
}

function inspectTapeFile(source: TapeSource): InspectedTape {
  const { file, symbol, candleInterval } = source
  const tape = new TapeFile(file)
  try {
    const { head, sha256 } = tape
    if (symbol !== undefined && symbol !== head.symbol) {
      throw new InputError(file, `expected a tape of ${symbol}, got one of ${escapedExcerpt(head.symbol)}`)
    }
    if (candleInterval !== undefined && candleInterval !== head.intervalMs) throw noSuchCandles(source, [head])
    return inspectedOf(source, tape, { form: 'tape-file', file, sha256 }, [])
  } finally {
    tape.close()
  }
}

function inspectStore(source: TapeSource): InspectedTape {
  const { file } = source
  const store = TapeDatabase.read(file)
  try {
    const markets = store.markets()
    const market = chosenMarket(source, markets)
    const { head, sha256, seen } = market
    const others = markets.filter((each) => each.head.symbol === head.symbol && each !== market)
    const notices =
      others.length === 0 ? [] : [`Its ${reportedKind(head)} are used; ${file} also has ${reportedKinds(others)}.`]
    return inspectedOf(source, market, { form: 'store', file, sha256, head, seen }, notices)
  } finally {
    store.close()
  }
}

/** Market of a symbol: its candles of the requested length, otherwise its trades, otherwise its shortest candles. */
function chosenMarket<Market extends StoredMarket>(source: TapeSource, markets: readonly Market[]): Market {
  const { file, candleInterval } = source
  const symbol = chosenSymbol(source, markets)
  const all = markets.filter(({ head }) => head.symbol === symbol)
  const length = ({ head }: Market): number => head.intervalMs ?? 0
  const fitting = candleInterval === undefined ? all : all.filter((market) => length(market) === candleInterval)
  const [chosen] = fitting.toSorted((one, other) => length(one) - length(other))
  if (chosen !== undefined) return chosen
  throw all.length === 0
    ? new InputError(file, `has no tape of ${symbol}; there is ${symbolsOf(markets).join(', ')}`)
    : noSuchCandles(
        source,
        all.map(({ head }) => head),
      )
}

function chosenSymbol({ file, symbol }: TapeSource, markets: readonly StoredMarket[]): string {
  const symbols = symbolsOf(markets)
  const [only, other] = symbols
  if (only === undefined) throw new InputError(file, 'is a database without tapes: import some first')
  if (symbol !== undefined) return symbol
  if (other === undefined) return only
  throw new InputError(
    setting('tapes'),
    `missing symbol, because ${file} has ${symbols.join(', ')}: write ${only}=${file}`,
    {
      hint: worded` or pass ${setting('symbol')}`,
    },
  )
}

const symbolsOf = (markets: readonly StoredMarket[]): readonly string[] => [
  ...new Set(markets.map(({ head }) => head.symbol)),
]

function noSuchCandles({ file, candleInterval }: TapeSource, heads: readonly TapeHead[]): InputError {
  const there = reportedKinds(heads.map((head) => ({ head })))
  return new InputError(
    setting('candleInterval'),
    `${file} has no candles of ${lengthText(candleInterval ?? 0)}; there is ${there}`,
  )
}

interface ReportedHead {
  readonly kind: TapeHead['kind'] | 'depth' | 'quotes'
  readonly intervalMs: number | null
}

const reportedKinds = (markets: readonly Pick<StoredMarket, 'head'>[]): string =>
  markets.map(({ head }) => reportedKind(head)).join(', ')

/** `trades`, `candles of 1m`, `depth` or `quotes`. */
export function reportedKind({ kind, intervalMs }: ReportedHead): string {
  if (kind === 'depth' || kind === 'quotes') return kind
  if (kind === 'trades' || intervalMs === null) return 'trades'
  return `candles of ${lengthText(intervalMs)}`
}

function inspectedOf(
  source: TapeSource,
  market: StoredMarket,
  rows: RowsPlace,
  notices: readonly string[],
): InspectedTape {
  const { file } = source
  const { head, entries, gaps, sha256 } = market
  const facts = storedFacts(head, entries)
  const info: TapeInfo = {
    file,
    sha256,
    ...facts,
    ...precisionsOf(source, facts),
    notices,
    warnings: 0,
    ...(gaps !== undefined && { gaps: gapInfo(file, gaps) }),
  }
  return { source, info: withStatedVolume(source, info), rows, gaps }
}

const gapInfo = (file: string, gaps: readonly MarkedGap[]): GapFileInfo => ({
  file,
  sha256: createHash('sha256').update(JSON.stringify(gaps)).digest('hex'),
  count: gaps.length,
})

/** The given precisions, if they fit every row. */
function precisionsOf({ file, ...given }: TapeSource, needed: TapePrecisions): TapePrecisions {
  const { pricePrecision = needed.pricePrecision, qtyPrecision = needed.qtyPrecision } = given
  if (pricePrecision < needed.pricePrecision) {
    throw new InputError(
      file,
      `expected prices with no more decimals than ${pricePrecision}, got ${needed.pricePrecision}`,
    )
  }
  if (qtyPrecision < needed.qtyPrecision) {
    throw new InputError(
      file,
      `expected quantities with no more decimals than ${qtyPrecision}, got ${needed.qtyPrecision}`,
    )
  }
  return { pricePrecision, qtyPrecision }
}

/** Settings for reading a recording; they do not apply to an imported tape. */
const FOR_RECORDINGS = [
  ...(['columns', 'dialect', 'market', 'timeUnit', 'dateOrder', 'sort', 'precision'] as const),
  ...(['candleTime', 'candleClose'] as const),
]

function checkNothingElse(source: TapeSource): void {
  const given = FOR_RECORDINGS.find((name) => source[name] !== undefined && source[name] !== false)
  if (given === undefined) return
  throw new InputError(setting(given), `applies only when a recording is read as a file; ${source.file} was imported`)
}
