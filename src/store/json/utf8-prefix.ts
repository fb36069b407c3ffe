/**
 * The sound beginning of bytes that should be UTF-8.
 */
import { isUtf8 } from 'node:buffer'

/** Number of bytes at the end that begin a character and do not finish it, 0 to 3. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isFollowing(byte)) continue
    return characterBytes(byte) > back ? back : 0
  }
  return 0
}

/** Where the first character begins that is none; undefined when all are sound. */
export function unsoundAt(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined
  for (let at = 0; ;) {
    const end = at + characterBytes(bytes[at] ?? 0)
    if (!isUtf8(bytes.subarray(at, end))) return at
    at = end
  }
}

export const isFollowing = (byte: number): boolean => (byte & 0xc0) === 0x80

function characterBytes(lead: number): number {
  if (lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
