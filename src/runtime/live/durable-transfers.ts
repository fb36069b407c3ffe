/**
 * Transfers between the strategies of sessions with a state: durable as a whole, with their sums over all sessions.
 *
 * Invariant: the balances on disk and the reference equities of the limits have the same transfers, so a restart never
 * takes one for a loss or a deposit.
 */
import { type Decimal, toDecimal, ZERO } from '../../domain/decimal.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import {
  persistedRebalancing,
  type PersistedRebalancing,
  type PersistedTransfers,
  saveRebalancing,
} from '../../store/state/live/persisted-rebalancing.ts'
import { persistedRisk, saveRisk, type PersistedRisk } from '../../store/state/live/persisted-risk.ts'
import type { Moment, TransferStore } from '../backtest/simulated-wallet.ts'
import { marksAfter } from '../session/risk/moved-marks.ts'

interface DurableTransferParts {
  readonly state: LiveState
  /** Sums of earlier sessions by strategy. */
  readonly saved: Readonly<Record<string, PersistedTransfers>>
  /** Saves the sums, and the balances if they are not saved by the transfer itself. */
  readonly save: (sums: Readonly<Record<string, PersistedTransfers>>) => void
  readonly onMissed: (text: string) => void
}

const NONE: PersistedTransfers = { count: 0, in: '0', out: '0' }

export class DurableTransfers implements TransferStore {
  readonly #parts: DurableTransferParts
  #sums: ReadonlyMap<string, PersistedTransfers>
  /** Executed transfers that the sessions do not know yet, by strategy. */
  #unknown: ReadonlyMap<string, ReadonlyMap<string, Decimal>> = new Map()

  constructor(parts: DurableTransferParts) {
    this.#parts = parts
    this.#sums = new Map(Object.entries(parts.saved))
  }

  get history(): PersistedRebalancing | undefined {
    return persistedRebalancing(this.#parts.state)
  }

  /** @throws {InputError} if it cannot be saved */
  execute({ asset, amounts, history }: Moment, transfer: () => void): void {
    const { state } = this.#parts
    const before = this.#sums
    try {
      state.together(() => {
        if (amounts.size > 0) this.#execute(asset, amounts, transfer)
        saveRebalancing(state, history)
      })
    } catch (error) {
      this.#sums = before
      this.onKnown()
      throw error
    }
  }

  #execute(asset: string, amounts: Moment['amounts'], transfer: () => void): void {
    const { state, save } = this.#parts
    transfer()
    const sums = [...amounts].map(([owner, amount]) => [owner, this.#sumWith(owner, amount)] as const)
    this.#sums = new Map([...this.#sums, ...sums])
    save(this.sums)
    this.#unknown = new Map([...amounts].map(([owner, amount]) => [owner, new Map([[asset, amount]])]))
    for (const owner of amounts.keys()) {
      const risk = persistedRisk(state, owner)
      if (risk !== undefined) saveRisk(state, owner, this.withUnknown(owner, risk))
    }
  }

  onKnown(): void {
    this.#unknown = new Map()
  }

  onMissed(text: string): void {
    this.#parts.onMissed(text)
  }

  /** A risk state as its session has it, with the transfers that the session does not know yet. */
  withUnknown(owner: string, risk: PersistedRisk): PersistedRisk {
    const moved = this.#unknown.get(owner)
    return moved === undefined || risk.marks === undefined ? risk : { ...risk, marks: marksAfter(risk.marks, moved) }
  }

  /** Sums of all sessions of a strategy; undefined without a transfer. */
  of(owner: string): PersistedTransfers | undefined {
    return this.#sums.get(owner)
  }

  /** Sums of all strategies. */
  get sums(): Readonly<Record<string, PersistedTransfers>> {
    return Object.fromEntries(this.#sums)
  }

  #sumWith(owner: string, amount: Decimal): PersistedTransfers {
    const { count, in: came, out: went } = this.of(owner) ?? NONE
    const plus = (text: string, more: Decimal): string => toDecimal(text).plus(more).toFixed()
    return {
      count: count + 1,
      in: plus(came, amount.gt(0) ? amount : ZERO),
      out: plus(went, amount.lt(0) ? amount.negated() : ZERO),
    }
  }
}
