/**
 * The emulator's own surface: users, keys, credits, faults, audit, clock and a look into the books. Not part of the service.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { auditDifference } from '../../domain/audit.ts'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { faultMessage, formatTrimmed, formatUnits, parseAmount } from '../../domain/fixed-point.ts'
import { SCOPES } from '../service/api-key.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { FAULT_KINDS, type Faults } from '../faults/faults.ts'
import type { Call, Route } from '../service/route.ts'
import { balancesSchema } from '../service/schemas.ts'
import type { Service } from '../service/service.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import type { User } from '../service/user-registry.ts'
import type { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'

export interface EmulatorParts {
  readonly faults: Faults
  /** Undefined when the time is the machine's. */
  readonly clock: VirtualClock | undefined
}

const userSchema = z.strictObject({ id: z.string(), email: z.string(), verified: z.boolean() })
const userRequest = z.strictObject({ email: z.email().max(254), verified: z.boolean() })
const verifiedRequest = z.strictObject({ verified: z.boolean() })
const keyRequest = z.strictObject({ scopes: z.array(z.enum(SCOPES)).min(1) })
const creditRequest = z.strictObject({ asset: z.string(), amount: z.string() })
const clockRequest = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(366 * 86_400_000),
})
const clockSchema = z.strictObject({ now: z.int() })
const faultRequest = z
  .strictObject({
    fault: z.enum(FAULT_KINDS),
    route: z.string().min(1),
    count: z.int().min(1).optional(),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int32().default(1),
    ms: z.int().min(0).max(600_000).default(1_000),
  })
  .refine(({ count, probability }) => count !== undefined || probability !== undefined, {
    path: ['count'],
    message: 'expected a count or a probability',
  })
const levels = z.array(z.tuple([z.string(), z.string()]))
const assetAudit = z.strictObject({ credited: z.string(), held: z.string(), fees: z.string(), difference: z.string() })

/** Of a market that is moved far on, at once. */
const STEP_MS = 600_000

const missing = (what: string): ServiceError => new ServiceError('VALIDATION_ERROR', `no such ${what}`, { status: 404 })

function userOf({ service, params }: Call): User {
  const user = service.users.user(params.id ?? '')
  if (user === undefined) throw missing('user')
  return user
}

function addKey(call: Call): object {
  const user = userOf(call)
  const { scopes } = shapeOf(keyRequest, call.body)
  if (!user.verified) throw new ServiceError('EMAIL_NOT_VERIFIED', 'only a verified user has keys')
  const { key, text } = call.service.users.addKey(user, scopes)
  return { id: key.id, key: text, scopes: key.scopes }
}

function credit(call: Call): BalancesJson {
  const { service, now } = call
  const { id } = userOf(call)
  const { asset, amount: text } = shapeOf(creditRequest, call.body)
  const scale = service.exchange.scales.get(asset)
  if (scale === undefined) throw new ServiceError('ASSET_NOT_FOUND', `no asset '${asset.slice(0, 40)}'`)
  const parsed = parseAmount(text, scale)
  if (!parsed.ok) throw fieldError('amount', faultMessage(parsed.fault, text, scale))
  const [event] = service.execute({ type: 'credit', time: now, account: id, asset, amount: parsed.value })
  if (event?.type === 'credit-refused') throw new ServiceError(event.refusal.code, event.refusal.message)
  return balancesToJson(service.exchange.balances(id), service.exchange.scales)
}

function audit({ service }: Call): object {
  const lines = service.exchange.audit()
  const rows = lines.map((line) => {
    const amount = (units: bigint): string => formatTrimmed(units, line.scale)
    const { credited, held, fees } = line
    return [
      line.asset,
      {
        credited: amount(credited),
        held: amount(held),
        fees: amount(fees),
        difference: amount(auditDifference(line)),
      },
    ] as const
  })
  return { assets: Object.fromEntries(rows), ok: lines.every((line) => auditDifference(line) === 0n) }
}

function book({ service, params: { symbol = '' } }: Call): object {
  const market = service.market(symbol)
  if (market === undefined) throw new ServiceError('MARKET_NOT_FOUND', `no market '${symbol.slice(0, 40)}'`)
  const { bids, asks } = service.exchange.depth(symbol)
  const side = (depth: typeof bids): readonly (readonly [string, string])[] =>
    depth.map(({ price, qty }) => [formatUnits(price, market.pricePrecision), formatTrimmed(qty, market.qtyPrecision)])
  return { bids: side(bids), asks: side(asks) }
}

export function emulatorRoutes({ faults, clock }: EmulatorParts): readonly Route[] {
  return [...USER_ROUTES, ...faultRoutes(faults), ...LOOK_ROUTES, ...(clock === undefined ? [] : clockRoutes(clock))]
}

const USER_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/users',
    summary: 'makes a user',
    access: 'emulator',
    body: userRequest,
    status: 201,
    answer: userSchema,
    handle: ({ service, body }) => {
      const { email, verified } = shapeOf(userRequest, body)
      return service.users.addUser(email, verified)
    },
  },
  {
    method: 'PATCH',
    path: '/users/{id}',
    summary: 'verifies a user, or takes it back',
    access: 'emulator',
    body: verifiedRequest,
    status: 200,
    answer: userSchema,
    handle: (call) => call.service.users.setVerified(userOf(call), shapeOf(verifiedRequest, call.body).verified),
  },
  {
    method: 'POST',
    path: '/users/{id}/keys',
    summary: 'makes a key; the only time that it is shown',
    access: 'emulator',
    body: keyRequest,
    status: 201,
    answer: z.strictObject({ id: z.string(), key: z.string(), scopes: z.array(z.enum(SCOPES)) }),
    handle: addKey,
  },
  {
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'revokes a key',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: ({ service, params }) => {
      if (!service.users.revokeKey(params.id ?? '')) throw missing('key')
    },
  },
  {
    method: 'POST',
    path: '/users/{id}/credits',
    summary: 'credits a user, or debits with a negative amount',
    access: 'emulator',
    body: creditRequest,
    status: 200,
    answer: balancesSchema,
    handle: credit,
  },
]

const faultRoutes = (faults: Faults): readonly Route[] => [
  {
    method: 'POST',
    path: '/faults',
    summary: 'plans a fault',
    access: 'emulator',
    body: faultRequest,
    status: 201,
    answer: z.strictObject({ id: z.string() }),
    handle: ({ body }) => ({ id: faults.plan(shapeOf(faultRequest, body)) }),
  },
  {
    method: 'DELETE',
    path: '/faults',
    summary: 'forgets every fault',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: () => {
      faults.clear()
    },
  },
]

const LOOK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/audit',
    summary: 'credited = held + fees, by asset',
    access: 'emulator',
    status: 200,
    answer: z.strictObject({ assets: z.record(z.string(), assetAudit), ok: z.boolean() }),
    handle: audit,
  },
  {
    method: 'GET',
    path: '/markets/{symbol}/book',
    summary: 'the order book of a market, best first',
    access: 'emulator',
    status: 200,
    answer: z.strictObject({ bids: levels, asks: levels }),
    handle: book,
  },
]

/** The last moment of the year 9999: later ones have no ISO date of the usual form. */
const LAST_TIME = 253_402_300_799_999

/** Moves the time on step by step, so that others are answered meanwhile and a signal is heard. */
async function advance(service: Service, clock: VirtualClock, ms: number): Promise<object> {
  if (clock.now() + ms > LAST_TIME) throw fieldError('advanceMs', 'goes beyond the year 9999')
  for (let left = ms; left > 0; left -= STEP_MS) {
    clock.advance(Math.min(left, STEP_MS))
    await service.catchUpFully()
    if (left > STEP_MS) await setImmediate()
  }
  return { now: service.catchUp() }
}

const clockRoutes = (clock: VirtualClock): readonly Route[] => [
  {
    method: 'GET',
    path: '/clock',
    summary: 'the time',
    access: 'emulator',
    status: 200,
    answer: clockSchema,
    handle: ({ now }) => ({ now }),
  },
  {
    method: 'POST',
    path: '/clock',
    summary: 'moves the time on',
    access: 'emulator',
    body: clockRequest,
    status: 200,
    answer: clockSchema,
    handle: ({ service, body }) => advance(service, clock, shapeOf(clockRequest, body).advanceMs),
  },
]
