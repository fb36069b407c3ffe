/**
 * Zip archives made by hand, sound ones and others.
 */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  readonly name: string
  readonly data?: Uint8Array | string
  /** 8 unless given otherwise: deflated. 0 is stored, and what else there is gets stored data. */
  readonly method?: number
  /** Sizes and checksum stand behind the data instead of in front. */
  readonly hasDescriptor?: boolean
  /** Sizes and place stand in the longer form of the directory. */
  readonly isLong?: boolean
  /** Added to the flags of both headers: 1 is encrypted, 0x800 a name in UTF-8. */
  readonly flags?: number
  /** What the directory says instead. */
  readonly reported?: {
    readonly size?: number
    readonly packed?: number
    readonly checksum?: number
    readonly start?: number
  }
  /** Added behind the compressed data, and counted with them. */
  readonly surplus?: Uint8Array
}

export interface Zipped {
  readonly bytes: Buffer
  /** Where the directory begins. */
  readonly directory: number
}

const numbers = (...fields: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer =>
  Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(8)
      field.writeBigUInt64LE(BigInt(value))
      return field.subarray(0, bytes)
    }),
  )

const FULL = 0xffff_ffff
const DESCRIPTOR = 8

/** @param end  a comment, and the number of entries that the end reports of instead */
export function zipOf(files: readonly ZippedFile[], end: { comment?: string; count?: number } = {}): Zipped {
  const parts: Buffer[] = []
  const rows: Buffer[] = []
  let at = 0
  const add = (part: Buffer): void => {
    parts.push(part)
    at += part.length
  }
  for (const file of files) {
    const start = at
    const { headers, row } = zipped(file, start)
    headers.forEach(add)
    rows.push(row)
  }
  const directory = at
  rows.forEach(add)
  const size = at - directory
  const count = end.count ?? files.length
  const isLong = files.some((file) => file.isLong)
  if (isLong) {
    const record = at
    add(
      numbers(
        [0x0606_4b50, 4],
        [44, 8],
        [45, 2],
        [45, 2],
        [0, 4],
        [0, 4],
        [count, 8],
        [count, 8],
        [size, 8],
        [directory, 8],
      ),
    )
    add(numbers([0x0706_4b50, 4], [0, 4], [record, 8], [1, 4]))
  }
  const comment = Buffer.from(end.comment ?? '', 'latin1')
  const short = (value: number, bytes: 2 | 4): readonly [number, 2 | 4] => [
    isLong ? (bytes === 2 ? 0xffff : FULL) : value,
    bytes,
  ]
  add(
    numbers([0x0605_4b50, 4], [0, 2], [0, 2], short(count, 2), short(count, 2), short(size, 4), short(directory, 4), [
      comment.length,
      2,
    ]),
  )
  add(comment)
  return { bytes: Buffer.concat(parts), directory }
}

/** Header, data and descriptor of a file, and its row of the directory. */
function zipped(file: ZippedFile, start: number): { readonly headers: readonly Buffer[]; readonly row: Buffer } {
  const { hasDescriptor = false, isLong = false, reported = {} } = file
  const data = Buffer.from(file.data ?? '')
  const method = file.method ?? 8
  const packed = Buffer.concat([method === 8 ? deflateRawSync(data) : data, file.surplus ?? Buffer.alloc(0)])
  const name = Buffer.from(file.name)
  const flags = (file.flags ?? 0) | (hasDescriptor ? DESCRIPTOR : 0)
  const checksum = crc32(data)
  const sums = numbers([checksum, 4], [packed.length, 4], [data.length, 4])
  const both = numbers([45, 2], [flags, 2], [method, 2], [0x5c21, 2], [0x5921, 2])
  const header = [
    numbers([0x0403_4b50, 4]),
    both,
    hasDescriptor ? Buffer.alloc(12) : sums,
    numbers([name.length, 2], [0, 2]),
    name,
    packed,
    ...(hasDescriptor ? [numbers([0x0807_4b50, 4]), sums] : []),
  ]
  const size = reported.size ?? data.length
  const length = reported.packed ?? packed.length
  const place = reported.start ?? start
  const long = isLong ? numbers([1, 2], [24, 2], [size, 8], [length, 8], [place, 8]) : Buffer.alloc(0)
  const row = [
    numbers([0x0201_4b50, 4], [45, 2]),
    both,
    numbers([reported.checksum ?? checksum, 4], [isLong ? FULL : length, 4], [isLong ? FULL : size, 4]),
    numbers([name.length, 2], [long.length, 2], [0, 2], [0, 2], [0, 2], [0, 4], [isLong ? FULL : place, 4]),
    name,
    long,
  ]
  return { headers: header, row: Buffer.concat(row) }
}
