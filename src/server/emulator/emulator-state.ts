/** The state of an emulator, in memory or in a file, and the source of its ids and keys. */
import { createExchange } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig } from '../../exchange/exchange.ts'
import { seededSecrets, systemSecrets, type Secrets } from '../service/secrets.ts'
import type { ServiceState } from '../state/service-state.ts'
import { UserRegistry } from '../service/user-registry.ts'

export interface EmulatorState extends ServiceState {
  readonly secrets: Secrets
}

export interface EmulatorStateOptions {
  /** Undefined for memory only. */
  readonly file: string | undefined
  readonly fresh: ExchangeConfig
  /** Seed of ids and keys; undefined for random ones. */
  readonly seed: number | undefined
  /** Called once if a write fails. */
  readonly onFailure: (error: unknown) => void
}

/** @throws {InputError} for an unusable file */
export async function openState({ file, fresh, seed, onFailure }: EmulatorStateOptions): Promise<EmulatorState> {
  if (seed === undefined) return { ...(await open(file, fresh, systemSecrets, onFailure)), secrets: systemSecrets }
  let source = seededSecrets(seed)
  const secrets: Secrets = { bytes: (count) => source.bytes(count), uuid: () => source.uuid() }
  const state = await open(file, fresh, secrets, onFailure)
  // Each life has its own random sequence, so a restart never repeats an id, used or not.
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
  // SQLite is loaded on demand.
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
  saveAtOnce: (work) => {
    work()
  },
  checkpoint: () => undefined,
  close: () => undefined,
})
