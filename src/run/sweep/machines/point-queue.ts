/**
 * Names and options of the queue in Redis, and the format of outcomes. Others may write there, so data is validated
 * when read.
 *
 * Invariant: the id of a job is the key of its point, so a point is queued once even if several sweeps request it.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { JobsOptions, QueueOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { version } from '../../../runtime/version.ts'
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import { pointTermsSchema, readOutcome } from '../outcome-text.ts'

/** Prefix of all keys. */
export const PREFIX = 'papertape'
/** Queue name with the version: workers of another version would compute different digests. */
export const queueName = (): string => `points-${version()}`

/** Expiry times: tapes and code after their last use, outcomes, and outcomes that a sweep has fetched. */
export const EXPIRY_SECONDS = 7 * 24 * 3_600
export const OUTCOME_SECONDS = 24 * 3_600
export const TAKEN_SECONDS = 3_600
/** Expiry of the reasons why a machine could not run points. */
export const FAULT_SECONDS = 600
/** A worker that does not renew its lock for this long is considered dead, and its points go to others. */
export const LOCK_MS = 10_000
export const STALLED_MS = 4_000
/** After this many workers have died on a point, the point is considered the cause. */
export const MAX_DEATHS = 10
/** Retries of a point that a worker cannot run, for example because of a missing package or a full disk. */
const MAX_ATTEMPTS = 20
const AGAIN_MS = 2_000

/** Maximum length of a string in Node. */
const MAX_OUTCOME_BYTES = 2 ** 29

const HEX_64 = /^[0-9a-f]{64}$/
export const sha256Schema = z.string().regex(HEX_64)

/** A job's data. */
export const pointJobSchema = z.strictObject({
  /** SHA-256 of the bundle for this point. */
  bundle: sha256Schema,
  point: z.strictObject({
    key: sha256Schema,
    params: z.record(z.string(), z.string()),
    terms: pointTermsSchema.optional(),
  }),
})
export type PointJob = z.output<typeof pointJobSchema>

export const JOB_OPTIONS: JobsOptions = {
  attempts: MAX_ATTEMPTS,
  backoff: { type: 'fixed', delay: AGAIN_MS },
  // The outcome is stored under its own key.
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: EXPIRY_SECONDS },
}

export const queueOptions = (connection: Redis): QueueOptions => ({
  connection,
  prefix: PREFIX,
  // `openRedis` has already checked the version.
  skipVersionCheck: true,
})

/** Key of the set of reasons why machines cannot run the points of a bundle. */
export const faultsKey = (bundle: string): string => `${PREFIX}:faults:${bundle}`

export const outcomeKey = (key: string): string => `${PREFIX}:outcome:${key}`

export const packedOutcome = (outcome: PointOutcome): Buffer => deflateRawSync(JSON.stringify(outcome), { level: 6 })

/** @returns undefined if it is not an outcome of that point */
export function unpackedOutcome(key: string, packed: Buffer): PointOutcome | undefined {
  try {
    const text = inflateRawSync(packed, { maxOutputLength: MAX_OUTCOME_BYTES }).toString()
    const outcome = readOutcome(outcomeKey(key), text)
    return outcome.key === key ? outcome : undefined
  } catch {
    // An invalid outcome means that the point runs again.
    return undefined
  }
}
