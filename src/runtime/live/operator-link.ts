/**
 * The operator's line to a live process: takes the commands that other processes left in the state of the account, has
 * them done, and answers.
 *
 * Invariant: every command that was taken is answered, and a state that was commanded is on disk before it holds.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import { assertNever } from '../../domain/errors.ts'
import {
  saveSessionState,
  persistedSessionState,
  type PersistedSessionState,
} from '../../store/state/live/persisted-facts.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import type { FlattenCommand, OperatorAnswer, OperatorCommand } from '../../store/state/live/operator-command.ts'
import type { SessionState } from '../session/risk/session-state.ts'

/** Whoever does what an operator says. Of those with a result: what was wrong, undefined when it is done. */
export interface OperatorOrders {
  /** Of every session. */
  setState(state: SessionState, why: string): void
  /** A market that is halted goes on. */
  resumeMarket(symbol: string): string | undefined
  adopt(intent: number, order: string): Promise<string | undefined>
  disown(intent: number): Promise<string | undefined>
  /** @returns the plan of a dry run, or the report */
  flatten(command: FlattenCommand): Promise<OperatorAnswer>
}

export interface OperatorLinkOptions {
  readonly state: LiveState
  readonly time: LiveTime
  readonly orders: OperatorOrders
  /** The line does not work, which is told once. */
  readonly onTrouble: (reason: string) => void
}

const POLL_MS = 250

const STATES = { halt: 'HALTED', reduce: 'REDUCING', resume: 'ACTIVE' } as const
const BY_OPERATOR = 'by an operator'

export class OperatorLink {
  readonly #options: OperatorLinkOptions
  #timer: LiveTimer | undefined
  #isStopped = false
  #isTroubleTold = false

  constructor(options: OperatorLinkOptions) {
    this.#options = options
  }

  /** Puts the sessions into the state that was said last, and listens from now on. */
  start(): void {
    const { state, time, orders } = this.#options
    state.commands.close('the process ended before it was done', time.now())
    const kept = persistedSessionState(state)
    if (kept !== undefined && kept.state !== 'ACTIVE') orders.setState(kept.state, kept.reason)
    this.#poll()
  }

  /** What is left open is answered. */
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#timer?.cancel()
    const { state, time } = this.#options
    this.#attempt(() => {
      state.commands.close('the process ends', time.now())
    })
  }

  #poll(): void {
    if (this.#isStopped) return
    const { state, time } = this.#options
    this.#attempt(() => {
      for (const { id, command } of state.commands.take(time.now())) void this.#answer(id, command)
    })
    this.#timer = time.after(POLL_MS, () => {
      this.#poll()
    })
  }

  async #answer(id: number, command: OperatorCommand): Promise<void> {
    let answer: OperatorAnswer
    try {
      answer = await this.#do(command)
    } catch (error) {
      answer = { isDone: false, message: error instanceof Error ? error.message : String(error) }
    }
    // At its end the process has answered all that was left, and closed the file.
    if (this.#isStopped) return
    this.#attempt(() => {
      this.#options.state.commands.answer(id, answer)
    })
  }

  async #do(command: OperatorCommand): Promise<OperatorAnswer> {
    const { orders } = this.#options
    switch (command.kind) {
      case 'halt':
      case 'reduce':
        return this.#setState(STATES[command.kind])
      case 'resume': {
        const { symbol } = command
        if (symbol === undefined) return this.#setState(STATES.resume)
        return answered(orders.resumeMarket(symbol), `${symbol} resumes`)
      }
      case 'adopt': {
        const { intent, order } = command
        return answered(await orders.adopt(intent, order), `order ${order} belongs to intent ${intent}`)
      }
      case 'disown':
        return answered(await orders.disown(command.intent), `intent ${command.intent} has no order`)
      case 'flatten':
        if (!command.isDry) this.#setState('HALTED')
        return orders.flatten(command)
      default:
        return assertNever(command)
    }
  }

  #setState(session: SessionState): OperatorAnswer {
    const { state, time, orders } = this.#options
    const kept: PersistedSessionState = { state: session, reason: BY_OPERATOR, since: time.now() }
    saveSessionState(state, kept)
    time.enter(() => {
      orders.setState(session, BY_OPERATOR)
    })
    return { isDone: true, message: `all sessions are ${session}` }
  }

  /** A file that cannot be read now must not end a session that trades. */
  #attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (this.#isTroubleTold) return
      this.#isTroubleTold = true
      this.#options.onTrouble(`commands of operators cannot be read: ${error instanceof Error ? error.message : ''}`)
    }
  }
}

const answered = (wrong: string | undefined, done: string): OperatorAnswer =>
  wrong === undefined ? { isDone: true, message: done } : { isDone: false, message: wrong }
