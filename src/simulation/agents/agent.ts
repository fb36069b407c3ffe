/**
 * An agent: it trades in a market of its own accord, through an account of its own, by public market data, with chance
 * of its own.
 */
import type { EventQueue } from '../event-queue.ts'
import type { AgentAccount } from './agent-account.ts'
import type { Chance } from './chance.ts'
import type { FairValue } from './fair-value.ts'

/** The scene that the agents of one market share. */
export interface Scene {
  readonly queue: EventQueue
  /** Fair value of the base asset, which is public knowledge. */
  readonly fairValue: Pick<FairValue, 'price' | 'volatility' | 'onNews'>
  /** Lots of a small order; agents trade multiples of it. */
  readonly unitQty: number
  /** Event rate as a multiple of the usual, above 0. */
  readonly pace: number
}

export abstract class Agent {
  protected readonly account: AgentAccount
  protected readonly scene: Scene
  protected readonly chance: Chance

  constructor(account: AgentAccount, scene: Scene, chance: Chance) {
    this.account = account
    this.scene = scene
    this.chance = chance
  }

  /** Schedules its first events; from then on it acts by itself. */
  abstract start(): void
}
