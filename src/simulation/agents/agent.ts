/**
 * An agent: it trades in a market of its own accord, through an account of its own, by public market data, with chance
 * of its own.
 */
import type { EventQueue } from '../event-queue.ts'
import type { AgentAccount } from './agent-account.ts'
import type { Chance } from './chance.ts'

/** Public knowledge of the fair value of the base asset. */
export interface Worth {
  /** Ticks, not whole ones. */
  readonly price: number
  /** Multiple of the usual volatility. */
  readonly volatility: number
  /** @param listener  is called at every change, with the change as a fraction of the price before */
  onNews(listener: (move: number) => void): void
}

/** The scene that the agents of one market share. */
export interface Scene {
  readonly queue: EventQueue
  readonly fairValue: Worth
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
