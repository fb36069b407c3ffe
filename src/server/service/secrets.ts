/**
 * Sources of ids and secrets: the system's randomness, or a seed, so that a run over HTTP can be repeated to the byte.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'

export interface Secrets {
  bytes(count: number): Buffer
  uuid(): string
}

export const systemSecrets: Secrets = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() }

const BLOCK_BYTES = 32

/**
 * Deterministic secrets. Never for a public address: the seed reveals every key.
 *
 * @param seed  a 32-bit integer
 * @param life  number of the life of the state: each has its own sequence
 */
export function seededSecrets(seed: number, life = 1): Secrets {
  let drawn = 0
  const block = (): Buffer =>
    createHash('sha256')
      .update(`papertape ${seed} ${life} ${(drawn += 1)}`)
      .digest()
  const bytes = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: Math.ceil(count / BLOCK_BYTES) }, block)).subarray(0, count)
  return { bytes, uuid: () => uuidOf(bytes(16)) }
}

/** Version 4, variant 1 (RFC 9562). */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
