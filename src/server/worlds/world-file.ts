/**
 * The file of a snapshot: one JSON object with the digest of its world, so that a damaged file is refused.
 *
 * Known limit: a file that somebody changed on purpose can have any digest; the world is checked when it is restored.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { shapeFault } from '../envelope/body-shape.ts'
import { FAULT_KINDS } from '../faults/faults.ts'
import { SCOPES } from '../service/api-key.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/** Goes up when the form changes; another number is not read. */
const WORLD_FORMAT = 1

/** State of a generator. */
const numbers = z.array(z.int()).length(4)
/** Unix milliseconds, up to the year 9999. */
const time = z.int().min(0).max(253_402_300_799_999)
const step = z.strictObject({
  time,
  sequence: z.int(),
  step: z.string(),
  side: z.enum(['BUY', 'SELL']).optional(),
})
const agent = z.strictObject({
  name: z.string(),
  chance: numbers,
  position: z.int(),
  resting: z.array(z.strictObject({ id: z.int(), side: z.enum(['BUY', 'SELL']), price: z.int(), remaining: z.int() })),
  refusals: z.int(),
  isAway: z.boolean(),
  state: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
  steps: z.array(step),
})
const population = z.strictObject({
  symbol: z.string(),
  terms: z.strictObject({ firstPrice: z.int().min(1), unitQty: z.int().min(1), pace: z.number().positive() }),
  fairValue: z.strictObject({
    chance: numbers,
    price: z.number().positive(),
    regime: z.string(),
    regimeEndsAt: z.number(),
    changedAt: z.number(),
    next: step,
  }),
  agents: z.array(agent),
})
const rateWindow = z.strictObject({ openedAt: z.number().nullable(), count: z.int() })
const user = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('user'),
    user: z.strictObject({
      id: z.string(),
      email: z.string(),
      verified: z.boolean(),
      frozen: z.literal(true).optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('key'),
    key: z.strictObject({ id: z.string(), userId: z.string(), scopes: z.array(z.enum(SCOPES)), hash: z.string() }),
  }),
  z.strictObject({ type: z.literal('key-revoked'), id: z.string() }),
  z.strictObject({ type: z.literal('user-deleted'), id: z.string(), email: z.string() }),
])
const fault = z.strictObject({
  id: z.string(),
  request: z.strictObject({
    fault: z.enum(FAULT_KINDS),
    route: z.string(),
    count: z.int().min(1).optional(),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int(),
    ms: z.int().min(0).max(600_000),
    rows: z.int().min(1).max(500).optional(),
  }),
  chance: numbers,
  left: z.int().nullable(),
})
const symbol = z.string()
const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('news'), symbol, move: z.number().gt(-1) }),
  z.strictObject({ type: z.enum(['withdraw', 'return']), symbol }),
  z.strictObject({ type: z.literal('resume'), symbol, reason: z.string().optional() }),
  z.strictObject({ type: z.literal('pause'), symbol, reason: z.string() }),
  z.strictObject({ type: z.literal('fault'), request: fault.shape.request }),
])
const world = z.strictObject({
  time,
  // Checked where it is restored.
  exchange: z.custom<WorldSnapshot['exchange']>((value) => typeof value === 'object' && value !== null),
  users: z.array(user),
  secrets: z.strictObject({ seed: z.int(), life: z.int(), drawn: z.int() }).nullable(),
  agents: z.array(population),
  budgets: z.array(z.strictObject({ key: z.string(), general: rateWindow, mutations: rateWindow })),
  faults: z.strictObject({ lastId: z.int(), planned: z.array(fault) }),
  pauses: z.array(z.tuple([z.string(), z.string()])),
  scenario: z.array(z.strictObject({ time, action })),
})
const head = z.object({ papertapeWorld: z.number(), digest: z.string(), world: z.unknown() })

/** Text of the file. */
export function worldFileText(snapshot: WorldSnapshot): string {
  const text = JSON.stringify(snapshot)
  return `{"papertapeWorld":${WORLD_FORMAT},"digest":"${hash('sha256', text)}","world":${text}}\n`
}

/** @throws {InputError} for levels that no world has and the stack cannot hold */
function plainText(where: string, world: unknown): string {
  try {
    return JSON.stringify(world)
  } catch (error) {
    throw new InputError(where, 'is damaged: it has too many levels', { cause: error })
  }
}

/**
 * @param where  place of errors
 * @param file   parsed JSON of the file
 * @throws {InputError} for another file, another format, or a damaged one
 */
export function readWorldFile(where: string, file: unknown): WorldSnapshot {
  const read = head.safeParse(file)
  if (!read.success) throw new InputError(where, 'is not the file of a snapshot of an emulator')
  const { papertapeWorld: format, digest } = read.data
  if (format !== WORLD_FORMAT) {
    throw new InputError(where, `has format ${format}, and this version reads ${WORLD_FORMAT}`)
  }
  if (digest !== hash('sha256', plainText(where, read.data.world))) {
    throw new InputError(where, 'is damaged: its content does not match its digest')
  }
  const parsed = world.safeParse(read.data.world)
  if (!parsed.success) throw new InputError(where, `cannot be restored: ${shapeFault(parsed.error).message}`)
  return parsed.data
}
