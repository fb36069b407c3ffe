/** The state of an emulator: in memory or in a file, with the source of its ids and keys. */
import { createExchange } from '../../exchange/create-exchange.ts'
import type { ExchangeConfig, SnapshotExchange } from '../../exchange/exchange.ts'
import { restoreExchange } from '../../exchange/restore-exchange.ts'
import { agentsOf } from '../../simulation/agents/agent-population.ts'
import { type Secrets, SeededSecrets, systemSecrets } from '../service/secrets.ts'
import { type UserEntry, UserRegistry } from '../service/user-registry.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { EmulatorExtension } from './emulator-extension.ts'

/** The state of an emulator, and the source of its ids and keys. */
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
  /** Keeps the state instead of `file`. */
  readonly extension?: EmulatorExtension | undefined
}

/** @throws {InputError} for an unusable file */
export async function openState({
  file,
  fresh,
  seed,
  onFailure,
  ...own
}: EmulatorStateOptions): Promise<EmulatorState> {
  const secrets = seed === undefined ? systemSecrets : new SeededSecrets(seed)
  const state = own.extension?.openState(fresh, secrets, onFailure) ?? (await open(file, fresh, secrets, onFailure))
  if (!(secrets instanceof SeededSecrets) || seed === undefined) return { ...state, secrets }
  // Each life has its own random sequence, so a restart never repeats an id, used or not.
  secrets.position = { seed, life: state.beginLife(), drawn: 0 }
  return { ...state, secrets }
}

async function open(
  file: string | undefined,
  fresh: ExchangeConfig,
  secrets: Secrets,
  onFailure: (error: unknown) => void,
): Promise<ServiceState> {
  if (file === undefined) return inMemory(createExchange(fresh), [], secrets)
  // SQLite is loaded on demand.
  const { openServiceState } = await import('../state/service-state.ts')
  return openServiceState(file, fresh, secrets, onFailure)
}

/** A state in memory only. */
export function inMemory(
  exchange: SnapshotExchange,
  known: readonly UserEntry[],
  secrets: Secrets,
  time = 0,
): ServiceState {
  const users = new UserRegistry(secrets, () => undefined)
  for (const entry of known) users.apply(entry)
  return {
    exchange,
    users,
    isNew: known.length === 0,
    addedMarkets: [],
    time,
    saveTime: () => undefined,
    beginLife: () => 1,
    snapshot: () => exchange.snapshot(agentsOf(exchange)),
    replace: (next) => inMemory(restoreExchange(next.exchange), next.users, secrets, next.time),
    durable: () => undefined,
    saveAtOnce: (work) => {
      work()
    },
    listen: () => undefined,
    checkpoint: () => undefined,
    close: () => undefined,
  }
}
