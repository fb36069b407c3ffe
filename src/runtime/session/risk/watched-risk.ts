/**
 * Connects the risk of a session to the prices, balances and commands that change its state, and to the effects of a
 * loss.
 */
import type { AccountUpdate, ExchangeAdapter, RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { EntrySweep } from './entry-sweep.ts'
import { PriceWatch } from './price-watch.ts'
import type { SessionEvent } from '../session-event.ts'
import type { Risk } from './risk.ts'
import type { SessionState, StateChange } from '../../session-state.ts'

export interface WatchedRiskOptions {
  readonly risk: Risk
  readonly adapter: ExchangeAdapter
  readonly quoteAsset: string
  /** Takes each change of the state first, and each loss that begins to hold the session. */
  readonly process: (event: Extract<SessionEvent, { type: 'state' | 'breach' }>) => void
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
  /** True if nothing is to be cancelled any more. */
  readonly isOver: () => boolean
}

export class WatchedRisk {
  readonly state$ = new HotStream<StateChange>()
  readonly #risk: Risk
  readonly #prices: PriceWatch | undefined
  readonly #sweep: EntrySweep
  #hasBegun = false

  constructor({ risk, adapter, quoteAsset, process, cancel, isOver }: WatchedRiskOptions) {
    this.#risk = risk
    const onPrice = (): void => void risk.look()
    const { watched } = risk
    this.#prices = watched && new PriceWatch({ adapter, balances: () => watched.balances(), quoteAsset, onPrice })
    this.#sweep = new EntrySweep({ adapter, cancel, isOn: () => this.#hasBegun && risk.isHeldByRule && !isOver() })
    risk.state$.subscribe((change) => {
      process({ type: 'state', change })
      this.state$.push(change)
      this.#sweep.sweep()
    })
    // Deferred, because it may occur inside a turn or an order check.
    risk.breach$.subscribe((why) => {
      adapter.after(0, () => {
        process({ type: 'breach', why })
      })
    })
  }

  get state(): SessionState {
    return this.#risk.state
  }

  setState(state: SessionState, why: string): void {
    this.#risk.setState(state, why)
  }

  /** Call once the open orders are known, before the strategy runs. */
  begin(): void {
    this.#hasBegun = true
    this.#risk.begin()
    this.#sweep.sweep()
  }

  start(): void {
    this.#risk.start()
    this.#prices?.follow()
  }

  /** Call after each update of the account. */
  onAccount(type: AccountUpdate['type']): void {
    if (type === 'balances') this.#prices?.follow()
    if (type === 'order') this.#sweep.sweep()
  }

  stop(): void {
    this.#prices?.stop()
    this.#risk.stop()
  }
}
