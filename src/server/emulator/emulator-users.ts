/** Creates the initial users of an emulator, with keys and credits. */
import { creditAmount } from '../../domain/credit.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { UserConfig } from './emulator-config.ts'
import { keyIdOf } from '../service/api-key.ts'
import type { UserRegistry } from '../service/user-registry.ts'

/** A user that an emulator has from its start. */
export interface EmulatorUser {
  /** Id for `/emulator/users/{id}`. */
  readonly id: string
  /** E-mail address from the config. */
  readonly email: string
  /** New API keys, which are shown only once. */
  readonly keys: readonly string[]
}

/** Initial credits in ledger units, by asset. */
type Credits = ReadonlyMap<string, bigint>

/** Created users, and their credits still to be booked. */
export interface MadeUsers {
  readonly users: readonly EmulatorUser[]
  readonly creditsById: ReadonlyMap<string, Credits>
}

/** A validated user. */
export interface CheckedUser extends Omit<UserConfig, 'credits'> {
  readonly credits: Credits
}

/**
 * Validates users before any is created.
 *
 * @param scales  ledger digits by asset
 * @throws {InputError} at an invalid credit
 */
export function checkUsers(
  where: string,
  users: readonly UserConfig[],
  scales: ReadonlyMap<string, number>,
): readonly CheckedUser[] {
  return users.map((user, index) => checkUser(`${where} users.${index}.`, user, scales))
}

/**
 * @param prefix  of places in errors
 * @param scales  ledger digits by asset
 * @throws {InputError} at an invalid credit
 */
export function checkUser(
  prefix: string,
  { credits, ...user }: UserConfig,
  scales: ReadonlyMap<string, number>,
): CheckedUser {
  const amounts = Object.entries(credits).map(
    ([asset, text]) => [asset, creditAmount({ asset, text, place: `${prefix}credits.${asset}` }, scales)] as const,
  )
  return { ...user, credits: new Map(amounts) }
}

/**
 * Creates every user with a new e-mail; known users are unchanged, and deleted ones stay deleted.
 *
 * @throws {InputError} for a key of another user, before anything is created
 */
export function makeUsers(users: readonly CheckedUser[], registry: UserRegistry): MadeUsers {
  const before = registry.users.map(({ id, email }): EmulatorUser => ({ id, email, keys: [] }))
  const unknown = users.filter(({ email }) => !registry.hasEmail(email) && !registry.wasDeleted(email))
  for (const { email, keys } of unknown) {
    if (!keys.some(({ key = '' }) => registry.hasHadKey(keyIdOf(key) ?? ''))) continue
    throw new InputError('state', `another user already has a key with the public id of a key of ${email}`)
  }
  const made = unknown.map((wanted) => makeUser(wanted, registry))
  const creditsById = new Map(made.map(({ id }, index) => [id, unknown[index]?.credits ?? new Map<string, bigint>()]))
  return { users: [...before, ...made], creditsById }
}

/** @returns the user, without balances */
export function makeUser({ email, verified, keys }: CheckedUser, registry: UserRegistry): EmulatorUser {
  const user = registry.addUser(email, verified)
  return { id: user.id, email, keys: keys.map(({ scopes, key }) => registry.addKey(user, scopes, key).text) }
}

/** Books the initial credits, at the present market time. */
export function creditUsers(
  creditsById: MadeUsers['creditsById'],
  execute: SimulatedMarkets['execute'],
  time: number,
): void {
  for (const [account, credits] of creditsById) {
    for (const [asset, amount] of credits) {
      const [event] = execute({ type: 'credit', time, account, asset, amount })
      invariant(event?.type === 'credited', `the credit of ${asset} was refused`)
    }
  }
}
