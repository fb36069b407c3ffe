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

/** Position in a sequence of seeded secrets: the same position gives the same secrets. */
export interface SecretsPosition {
  /** A 32-bit integer. */
  readonly seed: number
  /** Number of the life of the state: each has its own sequence. */
  readonly life: number
  /** Blocks drawn so far. */
  readonly drawn: number
}

/** Deterministic secrets. Never for a public address: the seed reveals every key. */
export class SeededSecrets implements Secrets {
  position: SecretsPosition

  constructor(seed: number, life = 1) {
    this.position = { seed, life, drawn: 0 }
  }

  bytes(count: number): Buffer {
    const blocks = Array.from({ length: Math.ceil(count / BLOCK_BYTES) }, () => this.#block())
    return Buffer.concat(blocks).subarray(0, count)
  }

  uuid(): string {
    return uuidOf(this.bytes(16))
  }

  #block(): Buffer {
    const { seed, life, drawn } = this.position
    this.position = { seed, life, drawn: drawn + 1 }
    return createHash('sha256').update(`papertape ${seed} ${life} ${this.position.drawn}`).digest()
  }
}

/** See `SeededSecrets`. */
export const seededSecrets = (seed: number, life?: number): SeededSecrets => new SeededSecrets(seed, life)

/** Version 4, variant 1 (RFC 9562). */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
