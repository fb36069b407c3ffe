/**
 * Complete state of the world of an emulator as JSON values: an emulator that continues from it answers every later
 * request as the one that it was taken of.
 *
 * Without the orders and fills of agents, which no client can ask for; without requests that wait for a late execution.
 */
import type { ExchangeSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import type { PopulationSnapshot } from '../../simulation/agents/agent-snapshot.ts'
import type { FaultsSnapshot } from '../faults/faults.ts'
import type { SecretsPosition } from '../service/secrets.ts'
import type { KeyBudget } from '../service/service.ts'
import type { ScenarioStep } from './scenario.ts'
import type { UserEntry } from '../service/user-registry.ts'

export interface WorldSnapshot {
  /** Market time, Unix milliseconds. */
  readonly time: number
  readonly exchange: ExchangeSnapshot
  /** Users and keys; of a key only its hash. */
  readonly users: readonly UserEntry[]
  /** Null if ids and keys are random. */
  readonly secrets: SecretsPosition | null
  /** One population per market; none without agents. */
  readonly agents: readonly PopulationSnapshot[]
  readonly budgets: readonly KeyBudget[]
  readonly faults: FaultsSnapshot
  /** Paused markets with their reasons. */
  readonly pauses: readonly (readonly [symbol: string, reason: string])[]
  /** Actions of scenarios to come. */
  readonly scenario: readonly ScenarioStep[]
}
