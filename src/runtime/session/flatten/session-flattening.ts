/**
 * Flattening of one session: by a loss limit, by an operator, or at its end.
 *
 * The session is HALTED meanwhile, so that its strategy neither buys again nor sells the same holdings. Conditional
 * orders are cancelled.
 * Invariant: one at a time; a second caller gets the result of the running one, which ends at the earliest deadline.
 */
import type { AccountUpdate, ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { IntentIntake } from '../intent-intake.ts'
import type { Risk } from '../risk/risk.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'
import { flatLines, isFlat, type FlatReport } from './flat-report.ts'
import { Flattening, type FlattenOwner } from './flattening.ts'
import { SimulatedOwner } from './simulated-owner.ts'

export interface SessionFlatteningParts {
  readonly adapter: Pick<ExchangeAdapter, 'after' | 'balances' | 'markets' | 'openOrders'>
  readonly quoteAsset: string
  /** Owner on a live exchange; undefined to sell what the session's own fills bought. */
  readonly owner: FlattenOwner | undefined
  /** Net quantity that earlier sessions bought on the simulated exchange, by base asset; default: nothing. */
  readonly boughtBefore?: ReadonlyMap<string, Decimal> | undefined
  readonly unfilled: UnfilledOrders
  readonly intake: Pick<IntentIntake, 'cancelFor' | 'giveUpLater' | 'place'>
  /** Undefined for a session without risk limits. */
  readonly risk: Risk | undefined
  /** True if the strategy has ended. */
  readonly isOver: () => boolean
  readonly log: (message: string) => void
}

/** Time limit of a flattening by a loss limit on a live exchange; it is retried afterwards. */
const WITHIN_MS = 120_000
/** Retry interval after an incomplete flattening by a loss limit. */
const AGAIN_MS = 60_000

export class SessionFlattening {
  readonly #parts: SessionFlatteningParts
  readonly #simulated: SimulatedOwner
  #running: Flattening | undefined
  #listeners: ((report: FlatReport) => void)[] = []
  #isByRule = false
  #lastLines = ''
  /** The loss limit that triggered the flattening; empty before. */
  #breach = ''

  constructor(parts: SessionFlatteningParts) {
    const { adapter, unfilled, boughtBefore } = parts
    this.#parts = parts
    this.#simulated = new SimulatedOwner(adapter, unfilled, boughtBefore)
  }

  onUpdate(update: AccountUpdate): void {
    this.#simulated.onUpdate(update)
    // The fill of a buy that became known after the flattening.
    if (update.type !== 'fill' || update.fill.side !== 'BUY' || this.#breach === '') return
    this.#parts.adapter.after(0, () => {
      this.onBreach(this.#breach)
    })
  }

  /**
   * Flattens without changing the session state that others have set.
   * @param withinMs  time limit after which the rest is left; undefined in simulated time
   * @param onDone    never called within this call
   */
  flatten(why: string, withinMs: number | undefined, onDone: (report: FlatReport) => void): void {
    this.#begin(why, withinMs, (report) => {
      this.#parts.risk?.endFlatten('flattening ended')
      onDone(report)
    })
  }

  /** A loss limit was reached: flattens until the position is flat, or the limit no longer applies. */
  onBreach(why: string): void {
    const { adapter, risk, owner, log } = this.#parts
    if (risk?.flattensAtLimit !== true || this.#isByRule || !this.#isHeldByRule) return
    this.#isByRule = true
    this.#breach = why
    this.#begin(`flattening: ${why}`, owner === undefined ? undefined : WITHIN_MS, (report) => {
      this.#isByRule = false
      const lines = flatLines(report).join('; ')
      if (lines !== this.#lastLines) log(`flatten: ${lines}`)
      this.#lastLines = lines
      if (isFlat(report) || !this.#isHeldByRule) {
        risk.endFlatten('flattening ended')
        return
      }
      adapter.after(AGAIN_MS, () => {
        if (this.#isHeldByRule) this.onBreach(why)
        else risk.endFlatten('the limit no longer applies')
      })
    })
  }

  get #isHeldByRule(): boolean {
    const { risk, isOver } = this.#parts
    return risk?.isHeldByRule === true && !isOver()
  }

  #begin(why: string, withinMs: number | undefined, onDone: (report: FlatReport) => void): void {
    const { adapter, quoteAsset, owner = this.#simulated, intake, risk } = this.#parts
    this.#listeners.push(onDone)
    if (this.#running !== undefined) {
      this.#running.stopWithin(withinMs)
      return
    }
    risk?.holdToFlatten(why)
    intake.giveUpLater()
    const running = new Flattening({
      adapter,
      quoteAsset,
      withinMs,
      owner,
      cancel: (orderId, reply) => {
        intake.cancelFor('flatten', orderId, reply)
      },
      sell: (intent, follower) => {
        intake.place(intent, follower, { isFree: true })
      },
      onDone: (report) => {
        this.#running = undefined
        const listeners = this.#listeners
        this.#listeners = []
        for (const listener of listeners) listener(report)
      },
    })
    this.#running = running
    adapter.after(0, () => {
      running.start()
    })
  }

  /** Requests in flight continue; no more are sent. */
  stop(why: string): void {
    this.#running?.stop(why)
  }
}
