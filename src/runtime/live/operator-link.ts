/**
 * Command channel of a live process: reads the commands that other processes left in the account's state directory,
 * executes and answers them.
 *
 * Invariant: every command that was read is answered, and a commanded state is on disk before it applies.
 */
import type { LiveTime, LiveTimer } from '../../adapter/live/live-time.ts'
import { assertNever } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import {
  saveSessionState,
  persistedSessionState,
  type PersistedSessionState,
} from '../../store/state/live/persisted-facts.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import type {
  FlattenCommand,
  OperatorAnswer,
  OperatorCommand,
  SetCommand,
} from '../../store/state/live/operator-command.ts'
import { BY_FLATTEN, BY_OPERATOR, type SessionState } from '../session-state.ts'

/** Executes an operator's commands. Results are an error message, or undefined on success. */
export interface OperatorOrders {
  /** Sets the state of every session. */
  setState(state: SessionState, why: string): void
  /** Resumes a blocked market. */
  resumeMarket(symbol: string): string | undefined
  adopt(intent: number, order: string): Promise<string | undefined>
  disown(intent: number): Promise<string | undefined>
  /** Starts a strategy again with other parameters, in an event. @throws {Error} if nothing was changed */
  setParams(command: SetCommand): OperatorAnswer
  /** @returns the plan of a dry run, or the report */
  flatten(command: FlattenCommand): Promise<OperatorAnswer>
}

export interface OperatorLinkOptions {
  readonly state: LiveState
  readonly time: LiveTime
  readonly orders: OperatorOrders
  /** The channel does not work; called once. */
  readonly onTrouble: (reason: string) => void
}

const POLL_MS = 250

const STATES = { halt: 'HALTED', reduce: 'REDUCING', resume: 'ACTIVE' } as const

export class OperatorLink {
  readonly #options: OperatorLinkOptions
  #timer: LiveTimer | undefined
  #isStopped = false
  #isTroubleReported = false

  constructor(options: OperatorLinkOptions) {
    this.#options = options
  }

  /** Applies the last commanded state, and polls for commands from now on. */
  start(): void {
    const { state, time, orders } = this.#options
    state.commands.close('the process ended before it was done', time.now())
    const saved = persistedSessionState(state)
    if (saved !== undefined && saved.state !== 'ACTIVE') orders.setState(saved.state, saved.reason)
    this.#poll()
  }

  /** Answers the commands that are left. */
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
    // At its end the process has answered all commands and closed the file.
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
      case 'set':
        return this.#setParams(command)
      case 'flatten':
        if (!command.isDry) this.#setState('HALTED', BY_FLATTEN)
        return orders.flatten(command)
      default:
        return assertNever(command)
    }
  }

  #setParams(command: SetCommand): OperatorAnswer {
    const { time, orders } = this.#options
    let answer: OperatorAnswer = { isDone: false, message: 'the process ends' }
    time.enter(() => {
      try {
        answer = orders.setParams(command)
      } catch (error) {
        answer = { isDone: false, message: `nothing was changed: ${thrownText(error)}` }
      }
    })
    return answer
  }

  #setState(session: SessionState, reason = BY_OPERATOR): OperatorAnswer {
    const { state, time, orders } = this.#options
    const saved: PersistedSessionState = { state: session, reason, since: time.now() }
    saveSessionState(state, saved)
    time.enter(() => {
      orders.setState(session, reason)
    })
    return { isDone: true, message: `all sessions are ${session}` }
  }

  /** A file that is temporarily unreadable must not end a trading session. */
  #attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (this.#isTroubleReported) return
      this.#isTroubleReported = true
      this.#options.onTrouble(`commands of operators cannot be read: ${error instanceof Error ? error.message : ''}`)
    }
  }
}

const answered = (wrong: string | undefined, done: string): OperatorAnswer =>
  wrong === undefined ? { isDone: true, message: done } : { isDone: false, message: wrong }
