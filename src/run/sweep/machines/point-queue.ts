/**
 * The names and the terms under which points wait in Redis, and the form of what came of them. Whatever stands there
 * may be anybody's: it is checked when it is read.
 *
 * Invariant: the id of a job is the key of its point, so that a point waits once, whoever asks for it.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { JobsOptions, QueueOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { version } from '../../../runtime/version.ts'
import type { PointOutcome } from '../../../runtime/sweep/point-outcome.ts'
import { pointTermsSchema, readOutcome } from '../outcome-text.ts'

/** Of all keys. */
export const PREFIX = 'papertape'
/** Workers of another version would give other digests: they have a queue of their own. */
export const queueName = (): string => `points-${version()}`

/**
 * How long Redis keeps tapes and code that nobody asks for, what came of a point, and the same once somebody has it.
 */
export const KEPT_SECONDS = 7 * 24 * 3_600
export const OUTCOME_SECONDS = 24 * 3_600
export const TAKEN_SECONDS = 3_600
/** How long it tells why a machine could not run points. */
export const FAULT_SECONDS = 600
/** A machine that does not say so for this long is gone, and its points are another's. */
export const LOCK_MS = 10_000
export const STALLED_MS = 4_000
/** A point at which this many workers have died is what kills them. */
export const MOST_DEATHS = 10
/** Workers that cannot run a point, because of a package or a disk, leave it to others this often. */
const MOST_ATTEMPTS = 20
const AGAIN_MS = 2_000

/** More is no text of Node. */
const MOST_OUTCOME_BYTES = 2 ** 29

const HEX_64 = /^[0-9a-f]{64}$/
export const sha256Schema = z.string().regex(HEX_64)

/** A job's data. */
export const pointJobSchema = z.strictObject({
  /** SHA-256 of the bundle that says what the point is run with. */
  bundle: sha256Schema,
  point: z.strictObject({
    key: sha256Schema,
    params: z.record(z.string(), z.string()),
    terms: pointTermsSchema.optional(),
  }),
})
export type PointJob = z.output<typeof pointJobSchema>

export const JOB_OPTIONS: JobsOptions = {
  attempts: MOST_ATTEMPTS,
  backoff: { type: 'fixed', delay: AGAIN_MS },
  // What came of it stands under a key of its own.
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: KEPT_SECONDS },
}

export const queueOptions = (connection: Redis): QueueOptions => ({
  connection,
  prefix: PREFIX,
  // Who asks has looked at the version.
  skipVersionCheck: true,
})

/** Of a set of texts: why machines cannot run the points of a bundle. */
export const faultsKey = (bundle: string): string => `${PREFIX}:faults:${bundle}`

export const outcomeKey = (key: string): string => `${PREFIX}:outcome:${key}`

export const packedOutcome = (outcome: PointOutcome): Buffer => deflateRawSync(JSON.stringify(outcome), { level: 6 })

/** @returns undefined for what is no outcome of that point */
export function unpackedOutcome(key: string, packed: Buffer): PointOutcome | undefined {
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MOST_OUTCOME_BYTES }).toString()
    const outcome = readOutcome(outcomeKey(key), text)
    return outcome.key === key ? outcome : undefined
  } catch {
    // Whatever it is, the point is run again.
    return undefined
  }
}
