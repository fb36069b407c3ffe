/**
 * An agent: it trades in a market of its own accord, from a desk, by what everybody sees, with chance of its own.
 */
import type { Chance } from './chance.ts'
import type { AgentAccount } from './agent-account.ts'
import type { Scene } from './scene.ts'

export abstract class Agent {
  protected readonly desk: AgentAccount
  protected readonly scene: Scene
  protected readonly chance: Chance

  constructor(desk: AgentAccount, scene: Scene, chance: Chance) {
    this.desk = desk
    this.scene = scene
    this.chance = chance
  }

  /** Schedules its first events; from then on it acts by itself. */
  abstract start(): void
}
