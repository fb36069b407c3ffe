/** Admission of a request: key, rate limit, scope, verified account, in the order of decision 20. */
import type { RateBudget } from '../../domain/rate-window.ts'
import { isScope } from '../service/api-key.ts'
import { isOfService, type Route } from '../service/route.ts'
import { ServiceError, StacklessError } from '../envelope/service-error.ts'
import type { Service } from '../service/service.ts'
import type { Caller, User } from '../service/user-registry.ts'

/** The caller if known, and the budget of its key after the request. */
export interface Admission {
  readonly caller: Caller | undefined
  readonly budget: RateBudget | undefined
  /** Life of the market at admission. */
  readonly life: AbortSignal
}

/** Thrown for a refused request; its budget goes into the response headers. */
export class NotAdmitted extends StacklessError {
  override readonly name = 'NotAdmitted'
  readonly error: ServiceError
  readonly budget: RateBudget | undefined

  constructor(error: ServiceError, budget?: RateBudget) {
    super(error.message)
    this.error = error
    this.budget = budget
  }
}

/**
 * Admits a request.
 *
 * @param keyText  the `x-api-key` header; undefined if there is none
 * @throws {NotAdmitted}
 */
export function admit(service: Service, route: Route, keyText: string | undefined, now: number): Admission {
  const { life } = service
  const caller = callerOf(service, route, keyText)
  if (caller === undefined) return { caller, budget: undefined, life }
  const budget = service.budgetOf(caller.key.id)
  takeFrom(service, budget, route, now)
  if (!isScope(route.access)) return { caller, budget, life }
  if (!caller.key.scopes.includes(route.access)) {
    throw new NotAdmitted(new ServiceError('FORBIDDEN', `the key lacks the scope ${route.access}`), budget)
  }
  const refusal = refusalOf(route, caller.user)
  if (refusal !== undefined) throw new NotAdmitted(refusal, budget)
  return { caller, budget, life }
}

/**
 * Repeats the checks at execution, because something may have changed since the admission: the body or a fault may have
 * taken long.
 *
 * @returns the present caller; undefined if none is needed
 * @throws {ServiceError} as at admission, and if the market was renewed since
 */
export function admitAgain(service: Service, route: Route, admission: Admission | undefined): User | undefined {
  service.checkLife(admission?.life)
  const caller = admission?.caller
  if (caller === undefined || route.access === 'public') return caller?.user
  const user = service.users.ownerOf(caller.key)
  if (user === undefined) throw invalidKey()
  const refusal = refusalOf(route, user)
  if (refusal !== undefined) throw refusal
  return user
}

/** Refusal of a user who may not trade; a frozen one may still cancel. */
function refusalOf({ isMutation = false, method }: Route, { verified, frozen }: User): ServiceError | undefined {
  if (!isMutation) return undefined
  if (!verified) return new ServiceError('EMAIL_NOT_VERIFIED', 'the account is not verified')
  return frozen === true && method === 'POST' ? new ServiceError('FORBIDDEN', 'the account is frozen') : undefined
}

const invalidKey = (): ServiceError =>
  new ServiceError('INVALID_API_KEY', 'the API key is malformed, revoked or incorrect')

/** A request with a key counts even without a route. */
export function countUnknown(service: Service, keyText: string | undefined, now: number): RateBudget | undefined {
  const caller = keyText === undefined ? undefined : service.users.callerOf(keyText)
  if (caller === undefined) return undefined
  const budget = service.budgetOf(caller.key.id)
  budget.general.count(now)
  return budget
}

function callerOf(service: Service, { access }: Route, keyText: string | undefined): Caller | undefined {
  if (!isOfService(access)) return undefined
  const caller = keyText === undefined ? undefined : service.users.callerOf(keyText)
  if (access === 'public' || caller !== undefined) return caller
  if (keyText === undefined || keyText === '') {
    throw new NotAdmitted(new ServiceError('AUTHENTICATION_REQUIRED', 'an API key is required in x-api-key'))
  }
  throw new NotAdmitted(invalidKey())
}

function takeFrom(service: Service, budget: RateBudget, { isMutation = false }: Route, now: number): void {
  const bucket = budget.general.remaining(now) > 0 ? 'mutations' : 'general'
  const isAllowed = isMutation ? budget.takeMutation(now) : takeGeneral(budget, now)
  if (isAllowed) return
  service.counts.refused(bucket)
  const retryInMs = isMutation ? budget.mutationAllowedInMs(now) : budget.general.resetInMs(now)
  throw new NotAdmitted(new ServiceError('RATE_LIMITED', 'too many requests in the window', { retryInMs }), budget)
}

function takeGeneral({ general }: RateBudget, now: number): boolean {
  const isAllowed = general.remaining(now) > 0
  general.count(now)
  return isAllowed
}
