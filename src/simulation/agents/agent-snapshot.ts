/**
 * Complete state of the agents of a market as JSON values: they continue from it as if nothing had happened.
 *
 * An action to come is saved by its name. All actions to come of a world must be scheduled again in their order.
 */
import type { AgentTerms } from './agent-terms.ts'
import type { Side } from '../../domain/order.ts'

export type AgentValue = number | string | boolean | null

export interface RestingOrder {
  readonly id: number
  readonly side: Side
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly remaining: number
}

/** An action to come. */
export interface StepSnapshot {
  /** Unix milliseconds. */
  readonly time: number
  /** Order among all actions to come. */
  readonly sequence: number
  /** Name of the action. */
  readonly step: string
  readonly side?: Side | undefined
}

export interface AgentSnapshot {
  /** Account without its market. */
  readonly name: string
  /** State of its random numbers. */
  readonly chance: readonly number[]
  /** Lots bought less lots sold. */
  readonly position: number
  /** Oldest first. */
  readonly resting: readonly RestingOrder[]
  readonly refusals: number
  /** True if it sends no orders for now. */
  readonly isAway: boolean
  readonly state: Readonly<Record<string, AgentValue>>
  readonly steps: readonly StepSnapshot[]
}

export interface FairValueSnapshot {
  readonly chance: readonly number[]
  /** Ticks. */
  readonly price: number
  readonly regime: string
  /** Unix milliseconds. */
  readonly regimeEndsAt: number
  readonly changedAt: number
  /** The next change. */
  readonly next: StepSnapshot
}

export interface PopulationSnapshot {
  readonly symbol: string
  readonly terms: AgentTerms
  readonly fairValue: FairValueSnapshot
  readonly agents: readonly AgentSnapshot[]
}

/** An action to schedule again, in the order of `sequence`. */
export interface SavedStep {
  readonly sequence: number
  readonly schedule: () => void
}
