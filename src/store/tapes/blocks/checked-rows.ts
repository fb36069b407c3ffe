/** Reads a stored block with full validation: its checksum, its format, and that it matches its index entry. */
import { InputError, invariant } from '../../../domain/errors.ts'
import type { BlockCodec, StoredRows } from './block-codec.ts'
import type { BlockEntry } from './block-entry.ts'
import { BlockFault } from './byte-reader.ts'

/**
 * @param place  names the block
 * @param read   gives its bytes
 * @throws {InputError} naming the block, when it is damaged
 */
export function checkedRows(
  codec: BlockCodec,
  place: string,
  entry: BlockEntry | undefined,
  read: (entry: BlockEntry) => Uint8Array,
): StoredRows {
  invariant(entry !== undefined, `${place} is not in the index`)
  try {
    const rows = codec.decode(read(entry), entry.checksum)
    if (!isOf(rows, entry)) throw new BlockFault('it is not the block in the index')
    return rows
  } catch (error) {
    if (!(error instanceof BlockFault)) throw error
    throw new InputError(place, `is damaged: ${error.message}`, { cause: error })
  }
}

const isOf = ({ block: { length, time }, ...rows }: StoredRows, entry: BlockEntry): boolean =>
  length === entry.rows &&
  time[0] === entry.first &&
  time[length - 1] === entry.last &&
  rows.pricePrecision === entry.pricePrecision &&
  rows.qtyPrecision === entry.qtyPrecision
