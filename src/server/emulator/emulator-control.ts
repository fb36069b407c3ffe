/**
 * An emulator in the hands of a program in the same process: time, faults, users, money and a look into the books, by the rules and
 * checks of the emulator's surface over HTTP.
 *
 * Invariant: what it has done is as safe when it resolves as what a request was answered.
 */
import type { BalancesJson } from '../../domain/balances.ts'
import { InputError, InvariantError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { audit, book, type AuditJson, type BookJson } from '../control/book-routes.ts'
import { advanceMsOf } from '../control/clock-routes.ts'
import { planFault, type FaultPlan } from '../control/fault-routes.ts'
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

/** A moment to which a virtual clock is to be moved. */
export interface ClockTarget {
  /** Unix milliseconds, or a Date; not before the time of the clock. */
  readonly to: number | Date
}

/** A fault that was planned. */
export interface EmulatorFault {
  /** As `DELETE /emulator/faults/{id}` wants it. */
  readonly id: string
  /** Forgets it. @returns false when it cannot happen any more anyway */
  remove(): boolean
  /** `remove()`, for `using`. */
  [Symbol.dispose](): void
}

/** Each resolves when what it did, or tells of, is as safe as over HTTP, and rejects once the emulator is closed. */
export interface EmulatorControl {
  /**
   * Moves a virtual clock on, behind what it is told already, and lets everything happen that is due until then.
   *
   * @param by  milliseconds, 0 to 366 days; or where to
   * @returns   where it is then, Unix milliseconds
   * @throws {InputError} without a virtual clock, and for a time that it cannot go
   * @throws {Error} when it was stopped on its way
   */
  advance(by: number | ClockTarget): Promise<number>
  /** Plans a fault. @throws {InputError} for one that could never happen */
  fault(plan: FaultPlan): Promise<EmulatorFault>
  /** Faults that can still happen, in the order in which they were planned. */
  faults(): Promise<readonly PlannedFault[]>
  /** Forgets every fault. */
  clearFaults(): Promise<void>
  /**
   * Makes a user, as a config does: whole, or not at all.
   *
   * @throws {InputError} for what cannot be, and for an e-mail that somebody has already
   */
  addUser(user: EmulatorUserInput): Promise<EmulatorUser>
  /**
   * Credits a user, or debits with a negative amount.
   *
   * @param amount  a decimal string, with as many decimals as the ledger has of the asset
   * @returns       what the user has then
   * @throws {InputError} for a user or an asset that is not there, and a debit of more than is available
   */
  credit(userId: string, asset: string, amount: string): Promise<BalancesJson>
  /** What rests in a market, best first. @throws {InputError} for a market that is not there */
  book(symbol: string): Promise<BookJson>
  /** What everybody has in sum: credited = held + fees, by asset. */
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
      throw asOfProgram(error)
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
    book: (symbol) => safely(book, { params: { symbol } }),
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

/** A program has no use for an error without a stack. */
function asOfProgram(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  const { code, message, details: [detail] = [] } = error
  if (detail?.field !== undefined) return new InputError(detail.field, detail.message, { cause: error })
  const place = PLACES[code]
  return place === undefined ? new Error(message, { cause: error }) : new InputError(place, message, { cause: error })
}
