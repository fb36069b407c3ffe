/**
 * The state of an emulator, in memory alone or in a file as well, and the source of its ids and keys.
 */
import { createExchange } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig } from '../../exchange/exchange.ts'
import { seededSecrets, systemSecrets, type Secrets } from '../service/secrets.ts'
import type { ServiceState } from '../state/service-state.ts'
import { UserRegistry } from '../service/user-registry.ts'

export interface EmulatorState extends ServiceState {
  readonly secrets: Secrets
}

export interface EmulatorStateOptions {
  /** Undefined for memory alone. */
  readonly file: string | undefined
  readonly fresh: ExchangeConfig
  /** Where ids and keys come from; undefined for the system's randomness. */
  readonly seed: number | undefined
  /** Hears once when something could not be written. */
  readonly onFailure: (error: unknown) => void
}

/** @throws {InputError} for a file that cannot be used */
export async function openState({ file, fresh, seed, onFailure }: EmulatorStateOptions): Promise<EmulatorState> {
  if (seed === undefined) return { ...(await open(file, fresh, systemSecrets, onFailure)), secrets: systemSecrets }
  let source = seededSecrets(seed)
  const secrets: Secrets = { bytes: (count) => source.bytes(count), uuid: () => source.uuid() }
  const state = await open(file, fresh, secrets, onFailure)
  // After a restart nothing is drawn that was drawn before, whether anything came of that or not.
  source = seededSecrets(seed, state.beginLife())
  return { ...state, secrets }
}

async function open(
  file: string | undefined,
  fresh: ExchangeConfig,
  secrets: Secrets,
  onFailure: (error: unknown) => void,
): Promise<ServiceState> {
  if (file === undefined) return inMemory(fresh, secrets)
  // SQLite is loaded by who needs it.
  const { openServiceState } = await import('../state/service-state.ts')
  return openServiceState(file, fresh, secrets, onFailure)
}

const inMemory = (fresh: ExchangeConfig, secrets: Secrets): ServiceState => ({
  exchange: createExchange(fresh),
  users: new UserRegistry(secrets, () => undefined),
  isNew: true,
  addedMarkets: [],
  time: 0,
  keepTime: () => undefined,
  beginLife: () => 1,
  durable: () => undefined,
  checkpoint: () => undefined,
  close: () => undefined,
})
