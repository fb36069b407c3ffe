/**
 * The consequences of what is found out about intents without an answer: adopted, given up, or left to a person; and what that person
 * says.
 */
import { invariant } from '../../../domain/errors.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { DeskCore } from './desk-core.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Intent } from './intent.ts'
import type { Decision } from './settle-decision.ts'

const OPEN_TO_SAY: ReadonlySet<Intent['state']> = new Set<Intent['state']>(['AMBIGUOUS', 'QUARANTINED'])

export class Settlements {
  readonly #core: DeskCore
  readonly #onChange: () => void

  /** @param onChange  something may go now that had to wait */
  constructor(core: DeskCore, onChange: () => void) {
    this.#core = core
    this.#onChange = onChange
  }

  onDecision(decision: Exclude<Decision, { type: 'wait' }>, intents: readonly Intent[]): void {
    switch (decision.type) {
      case 'adopt':
        for (const { intent, order } of decision.adoptions) {
          this.#core.adopt(intent, order)
          if (intent.state === 'QUARANTINED') this.#haltForGhost(intent, order)
        }
        break
      case 'absent':
        for (const intent of intents.filter(({ state }) => state === 'UNKNOWN')) this.#quarantine(intent)
        break
      case 'ambiguous':
        this.#ambiguous(intents, decision.reason)
        break
    }
    this.#onChange()
  }

  /** An order of a request that was given up: it is ours, and something is slower than was thought. */
  onGhost(intents: readonly Intent[], order: WireOrder): void {
    const [oldest] = intents
    const owners = new Set(intents.map(({ owner }) => owner))
    invariant(oldest !== undefined, 'a ghost is the order of an intent')
    if (owners.size > 1) this.#ambiguous(intents, `order ${order.id} could be that of ${[...owners].join(' or ')}`)
    else {
      this.#core.adopt(oldest, order)
      this.#haltForGhost(oldest, order)
    }
    this.#onChange()
  }

  /**
   * A person says which order an intent is.
   *
   * @throws {ExchangeError} when the order cannot be read
   * @returns what was wrong; undefined when it is done
   */
  async adopt(intentId: number, orderId: string): Promise<string | undefined> {
    const order = await this.#core.calls.order(orderId, 'settle')
    const intent = this.#core.intents.find(intentId)
    if (intent === undefined || !OPEN_TO_SAY.has(intent.state)) return `intent ${intentId} is not undecided`
    if (order === undefined) return `there is no order ${orderId}`
    if (this.#core.intents.isOwned(orderId)) return `order ${orderId} is that of another intent`
    if (fingerprintOf(order) !== fingerprintOf(intent)) {
      return `order ${orderId} is not what intent ${intentId} asked for`
    }
    this.#core.time.enter(() => {
      this.#core.adopt(intent, order)
      this.#endAmbiguity(intent.symbol)
    })
    return undefined
  }

  /**
   * A person says that no order is an intent's.
   *
   * @returns what was wrong; undefined when it is done
   */
  disown(intentId: number): string | undefined {
    const intent = this.#core.intents.find(intentId)
    if (intent === undefined || !OPEN_TO_SAY.has(intent.state)) return `intent ${intentId} is not undecided`
    this.#core.time.enter(() => {
      this.#core.intents.forget(this.#core.save(intent, { state: 'DISOWNED', isFinished: true }))
      this.#core.tellSettled(intent, { type: 'absent' })
      this.#endAmbiguity(intent.symbol)
    })
    return undefined
  }

  /** A person has looked at what came late, and lets a market go on. @returns what was wrong; undefined when it is done */
  resume(symbol: string): string | undefined {
    const halt = this.#core.halts.of(symbol)
    if (halt === undefined) return `${symbol} is not halted`
    if (halt.why === 'AMBIGUOUS') return `${symbol} waits for a word about each intent that is ambiguous`
    this.#core.time.enter(() => {
      this.#core.halts.end(symbol)
      this.#onChange()
    })
    return undefined
  }

  #quarantine(intent: Intent): void {
    this.#core.save(intent, { state: 'QUARANTINED' })
    this.#core.tellSettled(intent, { type: 'absent' })
    this.#core.listener.onWarning(
      `intent ${intent.id} of ${intent.owner} is assumed not to have been executed; should its order come, ${intent.symbol} is halted`,
    )
  }

  #ambiguous(intents: readonly Intent[], reason: string): void {
    const [first] = intents
    invariant(first !== undefined, 'what is ambiguous is an intent')
    for (const intent of intents) {
      if (intent.state === 'AMBIGUOUS') continue
      this.#core.save(intent, { state: 'AMBIGUOUS' })
      this.#core.tellSettled(intent, { type: 'ambiguous', reason })
    }
    this.#core.halt(first.symbol, 'AMBIGUOUS', reason)
  }

  #haltForGhost(intent: Intent, order: WireOrder): void {
    this.#core.halt(intent.symbol, 'GHOST', `order ${order.id} came after intent ${intent.id} was given up`)
  }

  #endAmbiguity(symbol: string): void {
    const isLeft = this.#core.intents.inState('AMBIGUOUS').some((intent) => intent.symbol === symbol)
    if (!isLeft && this.#core.halts.of(symbol)?.why === 'AMBIGUOUS') this.#core.halts.end(symbol)
    this.#onChange()
  }
}
