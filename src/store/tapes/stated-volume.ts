/** Candles of a file without volumes, such as those of an index or a currency: each is taken to have the same one. */
import { InputError } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { setting } from '../../domain/setting-name.ts'
import { isCandleBlock, type RecordedBlock, type Tape, type TapeInfo } from '../../tape/tape.ts'
import { joined, listOf, noticesIn } from '../../tape/notices.ts'
import { parseDecimal } from '../../import/csv/decimal-text.ts'
import type { TapeSource } from '../../import/tape-source.ts'

/** Large enough that an order of a private trader is filled within a small part of the usual range. */
const DEFAULT_VOLUME = '1000000'

/**
 * Description of a tape whose candles have a stated volume; unchanged for any other.
 *
 * @throws {InputError} for a volume that does not apply
 */
export function withStatedVolume(source: TapeSource, info: TapeInfo): TapeInfo {
  const { volume } = source
  if (info.kind === 'trades' || info.emptyCandles < info.rows) {
    if (volume === undefined) return info
    throw new InputError(setting('volume'), `is for candles without volumes, and ${info.file} has some`)
  }
  const statedVolume = volume ?? DEFAULT_VOLUME
  const { decimals } = parsed(statedVolume, info.file)
  const qtyPrecision = source.qtyPrecision ?? decimals
  if (decimals > qtyPrecision) {
    throw new InputError(
      setting('volume', statedVolume),
      `has more decimals than a quantity of ${info.file}, ${qtyPrecision}`,
    )
  }
  const how = volume === undefined ? ' (a guess)' : ''
  const warning = `The file has no volumes, so each candle is assumed to have a volume of ${statedVolume}${how}. It limits how much an order can fill; set it with \`--volume\`.`
  const all = listOf(joined([noticesIn(info), { warnings: [warning], notes: [] }]))
  return { ...info, ...all, emptyCandles: 0, statedVolume, qtyPrecision, rowsAtQtyPrecision: info.rows }
}

/** The blocks with that volume. */
export function withVolume(blocks: Tape['blocks'], { file, statedVolume, qtyPrecision }: TapeInfo): Tape['blocks'] {
  if (statedVolume === undefined) return blocks
  const { mantissa, decimals } = parsed(statedVolume, file)
  const lots = mantissa * Number(powerOfTen(qtyPrecision - decimals))
  return (window) => filled(blocks(window), lots)
}

async function* filled(
  blocks: AsyncIterable<RecordedBlock>,
  lots: number,
): AsyncGenerator<RecordedBlock, void, undefined> {
  for await (const block of blocks) {
    yield isCandleBlock(block) ? { ...block, volume: new Float64Array(block.length).fill(lots) } : block
  }
}

function parsed(text: string, file: string): { readonly mantissa: number; readonly decimals: number } {
  const decimal = parseDecimal(text, 12)
  if (typeof decimal !== 'string' && decimal.mantissa > 0) return decimal
  throw new InputError(setting('volume'), `expected a volume above 0 such as 1000 for ${file}, got '${text}'`)
}
