/**
 * Plays scenarios in the world that is served: their actions are events of its queue, before anything else of their
 * moment.
 *
 * Invariant: the actions to come are those of the present world, and part of its snapshots.
 */
import { assertNever } from '../../domain/errors.ts'
import type { AgentPopulation } from '../../simulation/agents/agent-population.ts'
import { EVENT_KIND, type QueuedEvent } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { fieldError } from '../envelope/service-error.ts'
import type { Faults } from '../faults/faults.ts'
import { type ScenarioAction, type ScenarioStep, stepsOf } from './scenario.ts'

/** Actions to come of all scenarios. */
const MAX_COMING = 50_000

/** The world in which a scenario is played. */
export interface PlayedWorld {
  readonly simulated: SimulatedMarkets
  readonly agents: () => readonly AgentPopulation[]
  /** Absent for a world that was not restored. */
  readonly restored?: { readonly scenario: readonly ScenarioStep[] }
}

/** The faults of a server, of which a scenario plans some. */
type PlannedFaults = Pick<Faults, 'check' | 'plan' | 'hasRoom'>

interface ComingAction {
  readonly step: ScenarioStep
  readonly event: QueuedEvent
}

export class ScenarioPlayer {
  readonly #present: () => PlayedWorld
  readonly #faults: PlannedFaults
  #coming = new Set<ComingAction>()
  /** World of the actions to come. */
  #world: PlayedWorld | undefined

  constructor(present: () => PlayedWorld, faults: PlannedFaults) {
    this.#present = present
    this.#faults = faults
  }

  /**
   * Plays a scenario from now on, in addition to what is played already.
   *
   * @param now  market time, Unix milliseconds
   * @returns    its actions to come
   * @throws {ServiceError} for a scenario with a wrong field, or one that this world cannot play
   */
  play(scenario: unknown, now: number): readonly ScenarioStep[] {
    const steps = stepsOf(scenario, now)
    if (this.#coming.size + steps.length > MAX_COMING) {
      throw fieldError('steps', `more than ${MAX_COMING} actions would be to come: stop earlier scenarios first`)
    }
    for (const { action } of steps) this.#check(action)
    this.schedule(steps)
    return steps
  }

  /** Actions to come, in the order of their times. */
  coming(): readonly ScenarioStep[] {
    return Array.from(this.#coming, ({ step }) => step).sort((a, b) => a.time - b.time)
  }

  /** Cancels all actions to come; what a scenario has begun stays. */
  stop(): void {
    for (const { event } of this.#coming) this.#present().simulated.queue.cancel(event)
    this.#coming.clear()
  }

  /** Continues with the actions of the world that is served from now on. */
  follow(): void {
    const world = this.#present()
    if (world.simulated === this.#world?.simulated) return
    this.#world = world
    this.#coming = new Set()
    this.schedule(world.restored?.scenario ?? [])
  }

  /** Adds actions that were checked before. */
  schedule(steps: readonly ScenarioStep[]): void {
    const { queue } = this.#present().simulated
    const all = this.#coming
    for (const step of steps) {
      const event = queue.schedule(step.time, EVENT_KIND.data, () => {
        all.delete(coming)
        this.#act(step.action)
      })
      const coming = { step, event }
      all.add(coming)
    }
  }

  #act(action: ScenarioAction): void {
    const { simulated } = this.#present()
    switch (action.type) {
      case 'news':
        this.#agentsOf(action.symbol)?.shock(action.move)
        return
      case 'withdraw':
        this.#agentsOf(action.symbol)?.withdraw()
        return
      case 'return':
        // Of withdrawals that overlap, the last return counts.
        if (this.#under(action).length === 0) this.#agentsOf(action.symbol)?.comeBack()
        return
      case 'pause':
        if (this.#isOperators(action.symbol)) return
        simulated.pauses.pause(action.symbol, action.reason)
        return
      case 'resume':
        this.#resume(action)
        return
      case 'fault':
        // Without room it is left out: an error here would stop the market.
        if (this.#faults.hasRoom) this.#faults.plan(action.request)
        return
      default:
        assertNever(action)
    }
  }

  /** Ends a pause, unless another one of a scenario goes on, or the pause is the operator's. */
  #resume(action: Extract<ScenarioAction, { type: 'resume' }>): void {
    const { symbol, reason } = action
    const { pauses } = this.#present().simulated
    if (reason !== undefined && pauses.reasonOf(symbol) !== reason) return
    const [other] = this.#under(action)
    if (other?.type === 'resume' && other.reason !== undefined) pauses.pause(symbol, other.reason)
    else if (other === undefined) pauses.resume(symbol)
  }

  /** True if a market is paused, and by no scenario. Known limit: reasons are compared. */
  #isOperators(symbol: string): boolean {
    const reason = this.#present().simulated.pauses.reasonOf(symbol)
    const ours = this.#under({ type: 'resume', symbol })
    return reason !== undefined && !ours.some((each) => each.type === 'resume' && each.reason === reason)
  }

  /** Ends to come of the same kind and market whose beginnings have been: each beginning has one end. */
  #under({ type, symbol }: Extract<ScenarioAction, { type: 'return' | 'resume' }>): readonly ScenarioAction[] {
    const begins = type === 'return' ? 'withdraw' : 'pause'
    const all = Array.from(this.#coming).flatMap(({ step: { action } }) =>
      'symbol' in action && action.symbol === symbol ? [action] : [],
    )
    const ends = all.filter((each) => each.type === type)
    const begun = ends.length - all.filter((each) => each.type === begins).length
    return ends.slice(0, Math.max(0, begun))
  }

  #agentsOf(symbol: string): AgentPopulation | undefined {
    return this.#present()
      .agents()
      .find((each) => each.symbol === symbol)
  }

  /** @throws {ServiceError} for an action that is not possible in this world */
  #check(action: ScenarioAction): void {
    if (action.type === 'fault') {
      this.#faults.check(action.request)
      return
    }
    const { symbol } = action
    const { simulated } = this.#present()
    const market = simulated.exchange.markets.find((each) => each.symbol === symbol)
    if (market === undefined) throw fieldError('symbol', `no market '${symbol.slice(0, 40)}'`)
    if (simulated.market(symbol).isRecorded) throw fieldError('symbol', `${symbol} follows recorded trades`)
    if (action.type === 'pause' || action.type === 'resume' || this.#agentsOf(symbol) !== undefined) return
    throw fieldError('symbol', `${symbol} has no agents whose prices could move`)
  }
}
