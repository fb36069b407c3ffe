/**
 * Decompression of LZ4 frames, the compression of Arrow files that pandas writes.
 *
 * Known limit: checksums are skipped, not verified.
 *
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */

const MAGIC = 0x184d2204
const MIN_MATCH = 4
/** Largest size of a block by its code. */
const blockBytes = (code: number): number => 1 << (8 + 2 * code)

/** @throws {Error} for bytes that are no such frame */
export function decompressLz4Frame(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw new Error('no LZ4 frame')
  const flags = view.getUint8(4)
  const has = (bit: number): boolean => (flags & bit) !== 0
  let at = 7 + (has(0x08) ? 8 : 0) + (has(0x01) ? 4 : 0)
  const maxBlock = blockBytes((view.getUint8(5) >> 4) & 7)
  let output = new Uint8Array(has(0x08) ? Number(view.getBigUint64(6, true)) : maxBlock)
  let length = 0
  for (let size = view.getUint32(at, true); size !== 0; size = view.getUint32(at, true)) {
    const bytes = size & 0x7fffffff
    const block = frame.subarray(at + 4, at + 4 + bytes)
    if (block.length < bytes) throw new Error('a cut LZ4 frame')
    if (!has(0x08) && output.length < length + maxBlock) output = grown(output, 2 * length + maxBlock)
    if (size >>> 31 === 1) output.set(block, length)
    length = size >>> 31 === 1 ? length + bytes : decompressBlock(block, output, length)
    at += 4 + bytes + (has(0x10) ? 4 : 0)
  }
  return output.subarray(0, length)
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length)
  longer.set(bytes)
  return longer
}

/** Matches may reach into the blocks before. @returns the end of the output */
function decompressBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let [at, end] = [0, start]
  const byte = (): number => {
    const value = block[at]
    if (value === undefined) throw new Error('a cut LZ4 block')
    at += 1
    return value
  }
  const lengthFrom = (nibble: number): number => {
    let length = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255;) length += more = byte()
    return length
  }
  while (at < block.length) {
    const token = byte()
    const literals = lengthFrom(token >> 4)
    if (at + literals > block.length) throw new Error('a cut LZ4 block')
    output.set(block.subarray(at, at + literals), end)
    at += literals
    end += literals
    if (at >= block.length) break
    const offset = byte() | (byte() << 8)
    const length = lengthFrom(token & 15) + MIN_MATCH
    if (offset === 0 || offset > end || end + length > output.length) throw new Error('a damaged LZ4 block')
    // A match may overlap what it writes.
    if (offset >= length) output.copyWithin(end, end - offset, end - offset + length)
    else for (let index = end; index < end + length; index += 1) output[index] = output[index - offset] ?? 0
    end += length
  }
  return end
}
