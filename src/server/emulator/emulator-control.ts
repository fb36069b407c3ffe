/**
 * Control of an emulator by a program in the same process: time, faults, users, credits and books, with the rules and
 * checks of the HTTP control API.
 *
 * Invariant: a change is as durable when its promise resolves as one that was answered over HTTP.
 */
import type { BalancesJson } from '../../domain/balances.ts'
import { InputError, InvariantError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { cloneAccount, deleteAccount, resetAccount, setFrozen } from '../control/account-control-routes.ts'
import { audit, book, type AuditJson, type BookJson } from '../control/book-routes.ts'
import { advanceMsOf } from '../control/clock-routes.ts'
import { pause, resume } from '../control/market-control-routes.ts'
import { planFault } from '../control/fault-routes.ts'
import type { FaultPlan } from '../faults/fault-plan.ts'
import { credit } from '../control/user-routes.ts'
import { ServiceError, stopping } from '../envelope/service-error.ts'
import type { PlannedFault } from '../faults/faults.ts'
import type { RunningServer } from '../serve.ts'
import { keyIdOf } from '../service/api-key.ts'
import type { Call } from '../service/route.ts'
import type { VirtualTime } from '../service/virtual-time.ts'
import type { ErrorCode } from '../../wire/error-code.ts'
import { readEmulatorUser, type EmulatorUserInput } from './emulator-config.ts'
import { checkUser, creditUsers, makeUser, type CheckedUser, type EmulatorUser } from './emulator-users.ts'

/** Time to move a virtual clock to. */
export interface ClockTarget {
  /** Unix milliseconds, or a Date; not before the present time of the clock. */
  readonly to: number | Date
}

/** A planned fault. */
export interface EmulatorFault {
  /** Id for `DELETE /emulator/faults/{id}`. */
  readonly id: string
  /** Removes the fault. @returns false if it could not happen any more */
  remove(): boolean
  /** `remove()`, for `using`. */
  [Symbol.dispose](): void
}

/**
 * Calls that control an emulator. Each resolves once its effect is as durable as over HTTP, and rejects once the
 * emulator is closed.
 */
export interface EmulatorControl {
  /**
   * Moves a virtual clock forward, after moves that were requested before, and runs everything that is due until then.
   *
   * @param by  milliseconds, 0 to 366 days; or where to
   * @returns   the time of the clock afterwards, Unix milliseconds
   * @throws {InputError} without a virtual clock, or for a time that it cannot move to
   * @throws {Error} if the move was stopped before its end
   */
  advance(by: number | ClockTarget): Promise<number>
  /** Plans a fault. @throws {InputError} for a fault that could never happen */
  fault(plan: FaultPlan): Promise<EmulatorFault>
  /** Returns the faults that can still happen, in the order in which they were planned. */
  faults(): Promise<readonly PlannedFault[]>
  /** Removes all faults. */
  clearFaults(): Promise<void>
  /**
   * Creates a user, as a config does: completely, or not at all.
   *
   * @throws {InputError} for a wrong field, or an e-mail that is in use
   */
  addUser(user: EmulatorUserInput): Promise<EmulatorUser>
  /**
   * Credits a user, or debits with a negative amount.
   *
   * @param amount  a decimal string with at most as many decimals as the asset has
   * @returns       the balances of the user afterwards
   * @throws {InputError} for an unknown user or asset, or a debit of more than is available
   */
  credit(userId: string, asset: string, amount: string): Promise<BalancesJson>
  /** Refuses further orders of a user, or accepts them again. @throws {InputError} for an unknown user */
  freeze(userId: string, isFrozen?: boolean): Promise<void>
  /**
   * Cancels all orders of a user and sets its balances; past orders and fills can still be read.
   *
   * @param credits  decimal strings by asset
   * @returns        the balances afterwards
   * @throws {InputError} for an unknown user or asset, or a wrong amount
   */
  resetUser(userId: string, credits: Readonly<Record<string, string>>): Promise<BalancesJson>
  /**
   * Creates a user with the balances of another, without orders and keys.
   *
   * @returns its id
   * @throws {InputError} for an unknown user, or an e-mail in use
   */
  cloneUser(userId: string, email: string): Promise<string>
  /**
   * Cancels all orders of a user, and deletes it with its keys and balances.
   *
   * @throws {InputError} for an unknown user
   */
  deleteUser(userId: string): Promise<void>
  /** Returns the order book of a market, best first. @throws {InputError} for an unknown market */
  book(symbol: string): Promise<BookJson>
  /**
   * Pauses a market: orders are refused with ORDER_REJECTED and the reason; cancels and reads go on.
   *
   * @param reason  part of the message; default: `by its operator`
   * @throws {InputError} for an unknown market, or one that follows recorded trades
   */
  pause(symbol: string, reason?: string): Promise<void>
  /** Resumes a paused market. @throws {InputError} for an unknown market */
  resume(symbol: string): Promise<void>
  /** Returns the audit of all assets: credited = held + fees. */
  audit(): Promise<AuditJson>
}

type ControlledServer = Pick<RunningServer, 'service' | 'faults' | 'time'>

/**
 * @param durable  resolves when everything that was done so far is safe; undefined when it is now
 * @param onError  an error that is ours
 */
export function controlOf(
  server: ControlledServer,
  durable: () => Promise<void> | undefined,
  onError: (error: unknown) => void,
): EmulatorControl {
  const { service, faults } = server
  const safely = async <T>(action: (call: Call) => T | Promise<T>, given: Partial<Call> = {}): Promise<T> => {
    try {
      if (service.closing.aborted) throw stopping()
      service.checkLife()
      const now = service.catchUp()
      const result = await action({ service, now, user: undefined, params: {}, query: {}, body: undefined, ...given })
      await durable()
      return result
    } catch (error) {
      if (error instanceof InvariantError && error !== service.failure) onError(error)
      throw errorOfProgram(error)
    }
  }
  return {
    advance: (by) => safely(() => advance(server, by)),
    fault: (plan) => safely(() => handleOf(server, planFault(faults, plan))),
    faults: () => safely(() => faults.list()),
    clearFaults: () =>
      safely(() => {
        faults.clear()
      }),
    addUser: (user) => safely((call) => addUser(call, user)),
    credit: (id, asset, amount) => safely(credit, { params: { id }, body: { asset, amount } }),
    freeze: async (id, isFrozen = true) => {
      await safely((call) => setFrozen(call, isFrozen), { params: { id } })
    },
    resetUser: (id, credits) => safely(resetAccount, { params: { id }, body: { credits } }),
    cloneUser: async (id, email) => (await safely(cloneAccount, { params: { id }, body: { email } })).id,
    deleteUser: async (id) => {
      await safely(deleteAccount, { params: { id } })
    },
    book: (symbol) => safely(book, { params: { symbol } }),
    pause: async (symbol, reason) => {
      await safely(pause, { params: { symbol }, body: { reason } })
    },
    resume: async (symbol) => {
      await safely(resume, { params: { symbol } })
    },
    audit: () => safely(audit),
  }
}

async function advance({ service, time }: ControlledServer, by: number | ClockTarget): Promise<number> {
  if (time === undefined) {
    const clock = setting('virtualClock')
    throw new InputError(
      'advance',
      worded`the clock runs in real time: start the emulator with ${clock} to move it yourself`,
    )
  }
  const advanceMs = typeof by === 'number' ? by : msUntil(by, time)
  const isReached = await time.advance(service, advanceMsOf({ advanceMs }, time))
  if (!isReached) throw new Error(`the clock was stopped before its target, at ${service.catchUp()}`)
  return service.catchUp()
}

function msUntil({ to }: ClockTarget, { target }: VirtualTime): number {
  const ms = Number(to) - target
  if (ms >= 0) return ms
  throw new InputError('to', `expected a time at or after ${target}, got ${Number(to)}`)
}

function handleOf({ service, faults }: ControlledServer, id: string): EmulatorFault {
  const { life } = service
  // Another life has another fault by that id.
  const remove = (): boolean => life === service.life && faults.forget(id)
  return { id, remove, [Symbol.dispose]: () => void remove() }
}

function addUser({ service, now }: Call, given: EmulatorUserInput): EmulatorUser {
  const { users, exchange } = service
  const wanted = checkUser('user ', readEmulatorUser('user', given), exchange.scales)
  checkIsNew(wanted, service)
  const user = makeUser(wanted, users)
  creditUsers(new Map([[user.id, wanted.credits]]), (command) => service.execute(command), now)
  return user
}

function checkIsNew({ email, keys }: CheckedUser, { users }: Call['service']): void {
  if (users.hasEmail(email)) {
    throw new InputError('user email', `a user with the email ${email} exists already`)
  }
  const ids = keys.map(({ key }) => (key === undefined ? undefined : keyIdOf(key)))
  for (const [index, id] of ids.entries()) {
    if (id === undefined || (!users.hasHadKey(id) && !ids.slice(0, index).includes(id))) continue
    throw new InputError(`user keys.${index}.key`, `a key with the public id ${id} exists already`)
  }
}

/** Whatever a program can mend, by the argument that is wrong. */
const PLACES: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'userId',
  ASSET_NOT_FOUND: 'asset',
  INSUFFICIENT_BALANCE: 'amount',
  MARKET_NOT_FOUND: 'symbol',
}

/** Runs an action of a program, which has no use for an error without a stack. */
export async function asOfProgram<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw errorOfProgram(error)
  }
}

function errorOfProgram(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  const { code, message, details: [detail] = [] } = error
  if (detail?.field !== undefined) return new InputError(detail.field, detail.message, { cause: error })
  const place = PLACES[code]
  return place === undefined ? new Error(message, { cause: error }) : new InputError(place, message, { cause: error })
}
