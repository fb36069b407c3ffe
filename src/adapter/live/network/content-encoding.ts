/**
 * Decompresses answers of senders that ignore `accept-encoding: identity`, as some gateways do.
 *
 * Invariant: a body is never decompressed beyond the limit (no zip bombs).
 */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflate],
])

/** More than any real sender applies. */
const MAX_ENCODINGS = 3

/**
 * @param encoding  the header `content-encoding`; undefined if absent
 * @returns         the plain bytes, or the reason why they cannot be decoded
 */
export function decodedContent(encoding: string | undefined, bytes: Uint8Array, maxBytes: number): Uint8Array | string {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const applied = names.filter((name) => name !== '' && name !== 'identity')
  const decoders = applied.slice(0, MAX_ENCODINGS).flatMap((name) => DECODERS.get(name) ?? [])
  const shown = `content-encoding '${String(encoding)}'`
  if (decoders.length < applied.length) return `an answer with ${shown}, which is not supported`
  // An answer without a body has nothing to decode, whatever its header says.
  if (bytes.length === 0) return bytes
  try {
    return decoders.reduceRight((encoded, decode) => decode(encoded, { maxOutputLength: maxBytes }), bytes)
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLong ? `an answer of more than ${maxBytes} bytes` : `an answer whose body does not match its ${shown}`
  }
}

/** Some senders omit the zlib header. */
function inflate(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array {
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}
