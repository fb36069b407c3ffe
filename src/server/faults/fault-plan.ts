/** A fault as it is planned, and its schema. */
import { z } from 'zod'
import { FAULT_KINDS, type FaultKind } from './faults.ts'

/** A fault to plan. */
export interface FaultPlan {
  /** Kind of fault; see docs/emulator.md. */
  readonly fault: FaultKind | FormerFaultKind
  /** Route, such as `POST /orders`, or `*` for all. */
  readonly route: string
  /** How often it happens; required without `probability`. */
  readonly count?: number | undefined
  /** Probability that it happens at a request, a fraction in [0, 1]. */
  readonly probability?: number | undefined
  /** Seed of `probability`, a 32-bit integer; default: 1. */
  readonly seed?: number | undefined
  /** Milliseconds of a delay, of the wait in a 429, or until a late execution; default: 1000. */
  readonly ms?: number | undefined
  /** Count of rows of a page, 1 to 500; only with `page-cap`. */
  readonly rows?: number | undefined
}

/** Former name of `duplicate-order`. */
type FormerFaultKind = 'stranger-order'

const kind = z.preprocess(
  (name: FaultKind | FormerFaultKind) => (name === 'stranger-order' ? 'duplicate-order' : name),
  z.enum(FAULT_KINDS),
)

/** Schema of a fault to plan. */
export const faultRequest = z
  .strictObject({
    fault: kind,
    route: z.string().min(1),
    count: z.int().min(1).optional(),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int32().default(1),
    ms: z.int().min(0).max(600_000).default(1_000),
    rows: z.int().min(1).max(500).optional(),
  })
  .refine(({ count, probability }) => count !== undefined || probability !== undefined, {
    path: ['count'],
    message: 'expected a count or a probability',
  })
  .refine(({ fault, rows }) => (fault === 'page-cap') === (rows !== undefined), {
    path: ['rows'],
    message: 'required for page-cap, and not allowed for any other fault',
  }) satisfies z.ZodType<unknown, FaultPlan>
