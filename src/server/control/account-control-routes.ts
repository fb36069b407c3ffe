/** Accounts of an emulator: frozen, reset, cloned and deleted. */
import { z } from 'zod'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { creditAmount } from '../../domain/credit.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import { balancesSchema } from '../../wire/schemas.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError } from '../envelope/service-error.ts'
import { emailSchema } from '../service/email.ts'
import type { Call, Route } from '../service/route.ts'
import type { User } from '../service/user-registry.ts'
import { userOf, userSchema } from './user-routes.ts'

const resetRequest = z.strictObject({
  credits: z.record(z.string(), z.string()).meta({ description: 'balances afterwards, decimal strings by asset' }),
})
const cloneRequest = z.strictObject({ email: emailSchema })

export const setFrozen = (call: Call, isFrozen: boolean): User => call.service.users.setFrozen(userOf(call), isFrozen)

/** Cancels every open order of a user, and takes all that it has. */
function empty({ service, now: time }: Call, { id: account }: User): void {
  for (const { id: orderId } of service.exchange.openOrders(account)) {
    service.execute({ type: 'cancel', time, account, orderId })
  }
  for (const [asset, { available }] of service.exchange.balances(account)) {
    if (available > 0n) addTo(service, { time, account, asset, amount: -available })
  }
}

interface Change {
  readonly time: number
  readonly account: string
  readonly asset: string
  readonly amount: bigint
}

function addTo(service: Call['service'], change: Change): void {
  const [event] = service.execute({ type: 'credit', ...change })
  invariant(event?.type === 'credited', 'no more is taken than is available')
}

/** @throws {ServiceError} for an unknown user or asset, or a wrong amount, before anything changes */
export function resetAccount(call: Call): BalancesJson {
  const { service, now: time } = call
  const user = userOf(call)
  const { scales } = service.exchange
  const { credits } = shapeOf(resetRequest, call.body)
  const amounts = Object.entries(credits).map(([asset, text]) => [asset, amountOf(asset, text, scales)] as const)
  empty(call, user)
  for (const [asset, amount] of amounts) if (amount > 0n) addTo(service, { time, account: user.id, asset, amount })
  return balancesToJson(service.exchange.balances(user.id), scales)
}

function amountOf(asset: string, text: string, scales: ReadonlyMap<string, number>): bigint {
  try {
    return creditAmount({ asset, text, place: `credits.${asset.slice(0, 40)}` }, scales)
  } catch (error) {
    throw error instanceof InputError ? fieldError(error.where, error.message) : error
  }
}

/** @throws {ServiceError} for an unknown user, or an e-mail in use */
export function cloneAccount(call: Call): User {
  const { service, now: time } = call
  const user = userOf(call)
  const { email } = shapeOf(cloneRequest, call.body)
  if (service.users.hasEmail(email)) throw fieldError('email', `a user with the email ${email} exists already`)
  const { id: account } = service.users.addUser(email, user.verified)
  for (const [asset, { available, locked }] of service.exchange.balances(user.id)) {
    const amount = available + locked
    if (amount > 0n) addTo(service, { time, account, asset, amount })
  }
  const made = service.users.user(account)
  invariant(made !== undefined, 'a new user is there')
  return made
}

/** @throws {ServiceError} for an unknown user */
export function deleteAccount(call: Call): void {
  const user = userOf(call)
  empty(call, user)
  call.service.users.deleteUser(user)
}

const FREEZE_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/users/{id}/freeze',
    operationId: 'freezeUser',
    tag: 'Users',
    summary: 'refuses further orders of a user with FORBIDDEN; cancels and reads go on, and open orders stay',
    access: 'emulator',
    status: 200,
    answer: userSchema,
    handle: (call) => setFrozen(call, true),
  },
  {
    method: 'DELETE',
    path: '/users/{id}/freeze',
    operationId: 'unfreezeUser',
    tag: 'Users',
    summary: 'accepts orders of a frozen user again',
    access: 'emulator',
    status: 200,
    answer: userSchema,
    handle: (call) => setFrozen(call, false),
  },
]

export const ACCOUNT_CONTROL_ROUTES: readonly Route[] = [
  ...FREEZE_ROUTES,
  {
    method: 'POST',
    path: '/users/{id}/reset',
    operationId: 'resetUser',
    tag: 'Users',
    summary: 'cancels all orders of a user and sets the balances; past orders and fills can still be read',
    access: 'emulator',
    body: resetRequest,
    status: 200,
    answer: balancesSchema,
    handle: resetAccount,
  },
  {
    method: 'POST',
    path: '/users/{id}/clone',
    operationId: 'cloneUser',
    tag: 'Users',
    summary: 'creates a user with the same balances, without orders and keys',
    access: 'emulator',
    body: cloneRequest,
    status: 201,
    answer: userSchema,
    handle: cloneAccount,
  },
  {
    method: 'DELETE',
    path: '/users/{id}',
    operationId: 'deleteUser',
    tag: 'Users',
    summary: 'deletes a user: cancels all orders, revokes all keys, takes all balances',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: deleteAccount,
  },
]
