/**
 * Sources of ids and secrets: the system's randomness, or a seed, so that a run over HTTP can be repeated to the byte.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

export interface Secrets {
  bytes(count: number): Buffer
  uuid(): string
}

export const systemSecrets: Secrets = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() }

/** @param seed  a 32-bit integer. Never for an address that others can reach: whoever knows the seed knows every key */
export function seededSecrets(seed: number): Secrets {
  const generator = xoroshiro128plus(seed)
  const bytes = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => uniformInt(generator, 0, 255)))
  return { bytes, uuid: () => uuidOf(bytes(16)) }
}

/** Version 4, variant 1 (RFC 9562). */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
