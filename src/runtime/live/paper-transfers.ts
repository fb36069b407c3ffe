/**
 * Transfers between the strategies of paper sessions with a state: durable as a whole, with their sums over all
 * sessions.
 *
 * Invariant: the balances on disk and the reference equities of the limits have the same transfers, so a restart never
 * takes one for a loss or a deposit.
 */
import { type Decimal, decimalOf, toDecimal, ZERO } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { LiveState } from '../../store/state/live/live-state.ts'
import type { PersistedTransfers } from '../../store/state/live/persisted-paper.ts'
import { persistedRisk, saveRisk, type PersistedRisk } from '../../store/state/live/persisted-risk.ts'
import { ownerOf } from '../backtest/portfolio.ts'
import type { TransferStore } from '../backtest/rebalancing.ts'
import { marksAfter } from '../session/risk/moved-marks.ts'

interface PaperTransferParts {
  readonly state: LiveState
  /** Digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  /** Sums of earlier sessions by strategy. */
  readonly saved: Readonly<Record<string, PersistedTransfers>>
  /** Saves the balances and the sums. */
  readonly save: () => void
}

const NOTHING: PersistedTransfers = { count: 0, in: '0', out: '0' }

export class PaperTransfers implements TransferStore {
  readonly #parts: PaperTransferParts
  #sums: ReadonlyMap<string, PersistedTransfers>
  /** Executed transfers that the sessions do not know yet, by strategy. */
  #unknown: ReadonlyMap<string, ReadonlyMap<string, Decimal>> = new Map()

  constructor(parts: PaperTransferParts) {
    this.#parts = parts
    this.#sums = new Map(Object.entries(parts.saved))
  }

  execute(asset: string, amounts: ReadonlyMap<string, bigint>, transfer: () => void): void {
    const { state, scales, save } = this.#parts
    const moved = [...amounts].map(([account, units]) => {
      const owner = ownerOf(account)
      invariant(owner !== undefined, 'capital moves between strategies')
      return [owner, decimalOf(units, scales.get(asset) ?? 0)] as const
    })
    state.together(() => {
      transfer()
      const sums = moved.map(([owner, amount]) => [owner, this.#sumWith(owner, amount)] as const)
      this.#sums = new Map([...this.#sums, ...sums])
      save()
      this.#unknown = new Map(moved.map(([owner, amount]) => [owner, new Map([[asset, amount]])]))
      for (const [owner] of moved) {
        const risk = persistedRisk(state, owner)
        if (risk !== undefined) saveRisk(state, owner, this.withUnknown(owner, risk))
      }
    })
  }

  onKnown(): void {
    this.#unknown = new Map()
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
    const { count, in: came, out: went } = this.of(owner) ?? NOTHING
    const plus = (text: string, more: Decimal): string => toDecimal(text).plus(more).toFixed()
    return {
      count: count + 1,
      in: plus(came, amount.gt(0) ? amount : ZERO),
      out: plus(went, amount.lt(0) ? amount.negated() : ZERO),
    }
  }
}
