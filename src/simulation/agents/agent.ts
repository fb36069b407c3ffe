/**
 * An agent: it trades in a market of its own accord, through an account of its own, by public market data, with chance
 * of its own.
 */
import type { Chance } from './chance.ts'
import type { AgentAccount } from './agent-account.ts'
import type { Scene } from './scene.ts'

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
