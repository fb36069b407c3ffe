/**
 * An agent: it trades in a market of its own accord, through an account of its own, by public market data, with chance
 * of its own.
 *
 * Its actions to come have names, and what it remembers is in `state`, so that it can be saved.
 */
import { InputError } from '../../domain/errors.ts'
import type { Side } from '../../domain/order.ts'
import { EVENT_KIND, type EventQueue, type QueuedEvent } from '../event-queue.ts'
import type { AgentAccount } from './agent-account.ts'
import type { AgentSnapshot, AgentValue, SavedStep } from './agent-snapshot.ts'
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

interface ComingStep {
  readonly step: string
  readonly side: Side | undefined
  readonly event: QueuedEvent
}

export abstract class Agent<Step extends string = string> {
  protected readonly account: AgentAccount
  protected readonly scene: Scene
  protected readonly chance: Chance
  /** Its actions by name. */
  protected abstract readonly steps: Readonly<Record<Step, (side: Side) => void>>
  /** Everything that it remembers. */
  protected readonly state: Record<string, AgentValue> = {}
  readonly #coming = new Set<ComingStep>()

  constructor(account: AgentAccount, scene: Scene, chance: Chance) {
    this.account = account
    this.scene = scene
    this.chance = chance
  }

  /** Begins to hear what it acts on. */
  listen(): void {
    // Most agents act on their own clock alone.
  }

  /** Schedules its first events; from then on it acts by itself. */
  abstract start(): void

  /** Lets an action happen in `delayMs` milliseconds, as a command that is then arriving. */
  protected later(delayMs: number, step: Step, side?: Side): void {
    this.#schedule(this.scene.queue.now() + delayMs, step, side)
  }

  /** Cancels every action to come of a name. */
  protected forget(step: Step): void {
    for (const coming of this.#coming) {
      if (coming.step !== step) continue
      this.scene.queue.cancel(coming.event)
      this.#coming.delete(coming)
    }
  }

  protected isComing(step: Step): boolean {
    for (const coming of this.#coming) if (coming.step === step) return true
    return false
  }

  save(): Omit<AgentSnapshot, 'name'> {
    const steps = Array.from(this.#coming, ({ step, side, event: { time, sequence } }) => ({
      ...{ time, sequence, step },
      ...(side === undefined ? {} : { side }),
    }))
    return { ...this.account.save(), chance: this.chance.state, state: { ...this.state }, steps }
  }

  /**
   * Continues from a snapshot.
   *
   * @param shiftMs  see `AgentPopulation`
   * @returns        its actions to come
   * @throws {InputError} for a snapshot of another agent
   */
  restore({ chance, state, steps, ...account }: AgentSnapshot, shiftMs: number): readonly SavedStep[] {
    this.account.restore(account)
    this.chance.state = chance
    Object.assign(this.state, state)
    return steps.map(({ time, sequence, step, side }) => {
      if (!Object.hasOwn(this.steps, step)) throw new InputError('agents', `${account.name} has no action '${step}'`)
      return {
        sequence,
        schedule: () => {
          this.#schedule(time + shiftMs, step as Step, side)
        },
      }
    })
  }

  #schedule(time: number, step: Step, side: Side | undefined): void {
    const event = this.scene.queue.schedule(time, EVENT_KIND.message, () => {
      this.#coming.delete(coming)
      this.steps[step](side ?? 'BUY')
    })
    const coming = { step, side, event }
    this.#coming.add(coming)
  }
}
