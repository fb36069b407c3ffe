/** Users of an emulator, their keys and credits. */
import { z } from 'zod'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { faultMessage, parseAmount } from '../../domain/fixed-point.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { SCOPES } from '../service/api-key.ts'
import { emailSchema } from '../service/email.ts'
import type { Call, Route } from '../service/route.ts'
import { balancesSchema } from '../../wire/schemas.ts'
import type { User } from '../service/user-registry.ts'

/** A user as answered. */
export const userSchema = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    verified: z.boolean(),
    frozen: z.literal(true).optional().meta({ description: 'its orders are refused' }),
  })
  .meta({ id: 'User' })
const keySchema = z.strictObject({ id: z.string(), scopes: z.array(z.enum(SCOPES)) }).meta({ id: 'Key' })
const listedUserSchema = userSchema.extend({ keys: z.array(keySchema) }).meta({ id: 'UserWithKeys' })
const userRequest = z.strictObject({ email: emailSchema, verified: z.boolean() })
const verifiedRequest = z.strictObject({ verified: z.boolean() })
const keyRequest = z.strictObject({ scopes: z.array(z.enum(SCOPES)).min(1) })
const creditRequest = z.strictObject({ asset: z.string(), amount: z.string() })

const missing = (what: string): ServiceError => new ServiceError('VALIDATION_ERROR', `no such ${what}`, { status: 404 })

/** User of a path. @throws {ServiceError} 404 */
export function userOf({ service, params }: Call): User {
  const user = service.users.user(params.id ?? '')
  if (user === undefined) throw missing('user')
  return user
}

function listUsers({ service: { users } }: Call): object {
  return users.users.map((user) => ({ ...user, keys: users.keysOf(user).map(({ id, scopes }) => ({ id, scopes })) }))
}

function addUser({ service, body }: Call): User {
  const { email, verified } = shapeOf(userRequest, body)
  if (service.users.hasEmail(email)) throw fieldError('email', `a user with the email ${email} exists already`)
  return service.users.addUser(email, verified)
}

function addKey(call: Call): object {
  const user = userOf(call)
  const { scopes } = shapeOf(keyRequest, call.body)
  if (!user.verified) throw new ServiceError('EMAIL_NOT_VERIFIED', 'only a verified user has keys')
  const { key, text } = call.service.users.addKey(user, scopes)
  return { id: key.id, key: text, scopes: key.scopes }
}

function revokeKey({ service, params }: Call): void {
  if (!service.users.revokeKey(params.id ?? '')) throw missing('key')
}

/** @throws {ServiceError} when it cannot be */
export function credit(call: Call): BalancesJson {
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

export const USER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    tag: 'Users',
    summary: 'every user, with the ids and scopes of their keys; the keys themselves are not shown again',
    access: 'emulator',
    status: 200,
    answer: z.array(listedUserSchema),
    handle: listUsers,
  },
  {
    method: 'POST',
    path: '/users',
    operationId: 'addUser',
    tag: 'Users',
    summary: 'creates a user',
    access: 'emulator',
    body: userRequest,
    status: 201,
    answer: userSchema,
    handle: addUser,
  },
  {
    method: 'PATCH',
    path: '/users/{id}',
    operationId: 'setVerified',
    tag: 'Users',
    summary: 'marks a user as verified or not verified',
    access: 'emulator',
    body: verifiedRequest,
    status: 200,
    answer: userSchema,
    handle: (call) => call.service.users.setVerified(userOf(call), shapeOf(verifiedRequest, call.body).verified),
  },
  {
    method: 'POST',
    path: '/users/{id}/keys',
    operationId: 'addKey',
    tag: 'Users',
    summary: 'creates a key; it is shown only in this response',
    access: 'emulator',
    body: keyRequest,
    refusals: ['EMAIL_NOT_VERIFIED'],
    status: 201,
    answer: z.strictObject({ id: z.string(), key: z.string(), scopes: z.array(z.enum(SCOPES)) }),
    handle: addKey,
  },
  {
    method: 'DELETE',
    path: '/keys/{id}',
    operationId: 'revokeKey',
    tag: 'Users',
    summary: 'revokes a key',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: revokeKey,
  },
  {
    method: 'POST',
    path: '/users/{id}/credits',
    operationId: 'creditUser',
    tag: 'Users',
    summary: 'credits a user, or debits with a negative amount',
    access: 'emulator',
    body: creditRequest,
    refusals: ['ASSET_NOT_FOUND', 'INSUFFICIENT_BALANCE'],
    status: 200,
    answer: balancesSchema,
    handle: credit,
  },
]
