/**
 * Rebalancing: moves free quote asset between the strategies of one wallet at given times, by a rule.
 *
 * Invariants: transfers of one moment add up to zero. No order is sent, and locked money and holdings stay. A transfer
 * is no profit or loss of a strategy, and the wallet as a whole does not change.
 * Known limitation: at the end of a candle it comes before the fills of that candle, and values holdings at its open.
 */
import { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { deviation } from '../../analysis/returns/float-sums.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import { isDue, nextTimeOfDay, type RebalanceTerms } from '../settings/rebalance-terms.ts'
import type { Member } from './backtest.ts'
import { planTransfers } from './transfer-plan.ts'

/** A strategy of the wallet, with its daily returns. */
interface Book {
  readonly run: Member['run']
  /** Its configured share. */
  readonly share: number
  /** Exact equity after the transfers of the last time of day; undefined if it is not known. */
  value: bigint | undefined
  /** The last ones, oldest first. */
  returns: readonly number[]
}

interface Move {
  readonly run: Member['run']
  /** Ledger units; negative for what it gives. */
  readonly amount: bigint
}

/** Persists transfers. */
export interface TransferStore {
  /**
   * Executes the transfers of one moment as one change of everything that is persisted.
   * @param amounts  ledger units by account; negative for what it gives
   */
  execute(asset: string, amounts: ReadonlyMap<string, bigint>, transfer: () => void): void
  /** The sessions learn of the executed transfers now. */
  onKnown(): void
}

function knownEquity({ run }: Book): bigint | undefined {
  const { equity } = run.figures
  return equity.isPartial ? undefined : equity.equity()
}

const EQUAL = 1n
/** A deviation of daily returns below it counts as none: it is the rounding of doubles, or of the last unit. */
const MIN_SPREAD = 1e-9
/** Resolution of weights that are no decimals. */
const WEIGHT_STEPS = 2 ** 40

export class Rebalancing {
  readonly #terms: RebalanceTerms
  readonly #quoteAsset: string
  readonly #books: readonly [Book, ...Book[]]
  readonly #store: TransferStore | undefined

  /** @param store  default: nothing is persisted */
  constructor(terms: RebalanceTerms, [first, ...others]: readonly [Member, ...Member[]], store?: TransferStore) {
    const bookOf = ({ run }: Member, index: number): Book => {
      return { run, share: terms.shares?.[index] ?? 1, value: undefined, returns: [] }
    }
    this.#terms = terms
    this.#quoteAsset = first.prepared.quoteAsset
    this.#books = [bookOf(first, 0), ...others.map((member, index) => bookOf(member, index + 1))]
    this.#store = store
  }

  /** Schedules the times of day after `from`, and before `to`. @param to  undefined if it is not known */
  begin(from: number, to: number | undefined): void {
    const time = nextTimeOfDay(this.#terms, from)
    if (to !== undefined && time >= to) return
    const { queue } = this.#simulated
    // Before the candles that end at this moment are emitted: what strategies order then is sized by the new balances.
    queue.schedule(
      Math.max(time, queue.now()),
      EVENT_KIND.data,
      () => {
        this.#onTimeOfDay(time)
        this.begin(Math.max(time, queue.now()), to)
      },
      true,
    )
  }

  get #simulated(): Member['run']['stage']['simulated'] {
    return this.#books[0].run.stage.simulated
  }

  #onTimeOfDay(time: number): void {
    const weighed = this.#terms.rule === 'inverse-volatility' ? this.#books : []
    for (const book of weighed) this.#addReturn(book)
    if (isDue(this.#terms, time)) this.#rebalance()
    for (const book of weighed) book.value = knownEquity(book)
  }

  #addReturn(book: Book): void {
    const { value: before } = book
    if (before === undefined) return
    const value = knownEquity(book)
    const change = value === undefined ? Number.NaN : Number(value - before) / Number(before)
    book.returns = [...book.returns, change].slice(-this.#days)
  }

  get #days(): number {
    return this.#terms.days ?? 0
  }

  /** Strategies that have failed, or that a limit or a command holds, neither give nor receive. */
  #rebalance(): void {
    for (const { run } of this.#books) run.session.look()
    const active = this.#books.filter(({ run: { session } }) => {
      return session.failure === undefined && session.state === 'ACTIVE'
    })
    // Without a price of everything that is held no target is known.
    if (active.some(({ run }) => run.figures.equity.isPartial)) return
    const weights = this.#weightsOf(active)
    const { exchange } = this.#simulated
    const { scale } = this.#books[0].run.figures.equity
    const unit = powerOfTen(scale - (exchange.scales.get(this.#quoteAsset) ?? 0))
    const amounts = planTransfers(
      active.map(({ run }, index) => ({
        equity: run.figures.equity.equity(),
        free: exchange.balances(run.stage.account).get(this.#quoteAsset)?.available ?? 0n,
        weight: weights[index] ?? EQUAL,
      })),
      unit,
    )
    const moves = active.map(({ run }, index): Move => ({ run, amount: amounts[index] ?? 0n }))
    this.#move(moves.filter(({ amount }) => amount !== 0n))
  }

  #weightsOf(active: readonly Book[]): readonly bigint[] {
    const { rule } = this.#terms
    if (rule === 'share') {
      const shares = active.map(({ share }) => toDecimal(share))
      const digits = Math.max(...shares.map((share) => share.decimalPlaces()))
      return shares.map((share) => BigInt(share.times(toDecimal(10).pow(digits)).toFixed(0)))
    }
    const spreads = rule === 'equal' ? [] : active.map(({ returns }) => this.#spreadOf(returns))
    const smallest = Math.min(...spreads)
    const isKnown = spreads.length > 0 && smallest > 0
    return active.map((_, index) => {
      const part = isKnown ? (WEIGHT_STEPS * smallest) / (spreads[index] ?? smallest) : 0
      return isKnown ? BigInt(Math.max(1, Math.round(part))) : EQUAL
    })
  }

  /** Standard deviation of the daily returns; 0 or NaN if it is not known. */
  #spreadOf(returns: readonly number[]): number {
    const spread = returns.length < this.#days ? Number.NaN : (deviation(returns) ?? Number.NaN)
    return spread < MIN_SPREAD ? 0 : spread
  }

  #move(moves: readonly Move[]): void {
    if (moves.length === 0) return
    const { queue, exchange } = this.#simulated
    const [time, asset] = [queue.now(), this.#quoteAsset]
    const transfer = (): void => {
      for (const { run, amount } of moves) {
        const [event] = this.#simulated.execute({ type: 'credit', time, account: run.stage.account, asset, amount })
        invariant(event?.type === 'credited', `the transfer of ${amount} was refused`)
      }
    }
    const store = this.#store
    if (store === undefined) transfer()
    else store.execute(asset, new Map(moves.map(({ run, amount }) => [run.stage.account, amount])), transfer)
    for (const { run } of moves) run.figures.onTransfer(time, exchange.balances(run.stage.account))
    SimulatedExchange.reportTransfers(
      moves.map(({ run, amount }) => ({ adapter: run.stage.adapter, asset, amount })),
      () => store?.onKnown(),
    )
  }
}
