/**
 * Makes the users that an emulator begins with, their keys and their credits.
 */
import { creditAmount } from '../../domain/credit.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { emailKey, type UserConfig } from './emulator-config.ts'
import { keyIdOf } from '../service/api-key.ts'
import type { UserRegistry } from '../service/user-registry.ts'

/** A user that an emulator has from its start. */
export interface EmulatorUser {
  /** As `/emulator/users/{id}` wants it. */
  readonly id: string
  /** As its config names it. */
  readonly email: string
  /** The keys that were made now, whole; they are shown once. */
  readonly keys: readonly string[]
}

/** What a user is credited with, in ledger units by asset. */
type Credits = ReadonlyMap<string, bigint>

/** A user that can be made: everything that was said of it is checked. */
export interface CheckedUser extends Omit<UserConfig, 'credits'> {
  readonly credits: Credits
}

/**
 * Checks users before anything is made of them.
 *
 * @param scales  ledger digits by asset
 * @throws {InputError} at a credit that cannot be
 */
export function checkUsers(
  where: string,
  users: readonly UserConfig[],
  scales: ReadonlyMap<string, number>,
): readonly CheckedUser[] {
  return users.map(({ credits, ...user }, index) => ({
    ...user,
    credits: new Map(
      Object.entries(credits).map(([asset, text]) => {
        const place = `${where} users.${index}.credits.${asset}`
        return [asset, creditAmount({ asset, text, place }, scales)]
      }),
    ),
  }))
}

/**
 * Makes every user whose e-mail is not known yet; a user who is known stays as he is.
 *
 * @throws {InputError} for a key that somebody else has already, before anything is made
 */
export function makeUsers(
  users: readonly CheckedUser[],
  registry: UserRegistry,
  simulated: SimulatedMarkets,
): readonly EmulatorUser[] {
  const before = registry.users.map(({ id, email }): EmulatorUser => ({ id, email, keys: [] }))
  const known = new Set(before.map(({ email }) => emailKey(email)))
  const unknown = users.filter(({ email }) => !known.has(emailKey(email)))
  for (const { email, keys } of unknown) {
    if (!keys.some(({ key = '' }) => registry.hasHadKey(keyIdOf(key) ?? ''))) continue
    throw new InputError('state', `there is a key of the public id that ${email} is to have`)
  }
  const made = unknown.map((wanted) => makeUser(wanted, registry, simulated))
  return [...before, ...made]
}

function makeUser(wanted: CheckedUser, registry: UserRegistry, simulated: SimulatedMarkets): EmulatorUser {
  const { email, verified, credits, keys } = wanted
  const user = registry.addUser(email, verified)
  for (const [asset, amount] of credits) {
    const time = simulated.queue.now()
    const [event] = simulated.execute({ type: 'credit', time, account: user.id, asset, amount })
    invariant(event?.type === 'credited', `the credit of ${asset} was refused`)
  }
  return { id: user.id, email, keys: keys.map(({ scopes, key }) => registry.addKey(user, scopes, key).text) }
}
