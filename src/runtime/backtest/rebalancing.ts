/**
 * Rebalancing: moves free quote asset between the strategies of one wallet at given times, by a rule.
 *
 * Invariants: transfers of one moment add up to zero. No order is sent, and locked money and holdings stay. A transfer
 * is no profit or loss of a strategy, and the wallet as a whole does not change. A moment is carried out at most once.
 * Known limitation: at the end of a candle it comes before the fills of that candle, and values holdings at its open.
 */
import { deviation } from '../../analysis/returns/float-sums.ts'
import { decimalOf, toDecimal, unitsOf } from '../../domain/decimal.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { DAY_MS, isoTime } from '../../domain/time.ts'
import { EVENT_KIND, type EventQueue } from '../../simulation/event-queue.ts'
import type { PersistedRebalancing } from '../../store/state/live/persisted-rebalancing.ts'
import { isDue, nextTimeOfDay, type RebalanceTerms } from '../settings/rebalance-terms.ts'
import { planTransfers } from './transfer-plan.ts'

/** A strategy of the wallet. */
export interface RebalancedBook {
  readonly name: string
  /** Checks its limits at the present prices. */
  look(): void
  /** False if it has failed, or if a limit or a command holds it. */
  isActive(): boolean
  /** Exact equity in units of 10^-scale of the quote asset; undefined if a holding has no price. */
  equity(): bigint | undefined
  /** Quote asset that it can spend, in ledger units. */
  free(): bigint
}

/** The strategies of a wallet, in their order, and their money. */
export interface RebalancedWallet {
  readonly queue: EventQueue
  readonly books: readonly RebalancedBook[]
  /** Digits of the equities. */
  readonly scale: number
  /** Ledger digits of the quote asset. */
  readonly ledgerScale: number
  /** The history that the last session saved; undefined without one. */
  readonly history: PersistedRebalancing | undefined
  /**
   * Executes the transfers of a moment and saves the history, as one change of everything that is persisted.
   *
   * @param amounts  ledger units by strategy; negative for what it gives
   * @returns        false if it was not possible, so that nothing has changed
   */
  execute(amounts: Transfers, history: PersistedRebalancing): boolean
  /** Reports a moment at which no session ran. */
  onMissed(text: string): void
}

type Transfers = ReadonlyMap<string, bigint>

/** A strategy, with its daily returns. */
interface Weighed {
  readonly book: RebalancedBook
  /** Its configured share. */
  readonly share: number
  /** Exact equity after the transfers of the last time of day; undefined if it is not known. */
  value: bigint | undefined
  /** The last ones, oldest first. */
  returns: readonly number[]
}

const EQUAL = 1n
const NOTHING: Transfers = new Map()
/** A deviation of daily returns below it counts as none: it is the rounding of doubles, or of the last unit. */
const MIN_SPREAD = 1e-9
/** Resolution of weights that are no decimals. */
const WEIGHT_STEPS = 2 ** 40

export class Rebalancing {
  readonly #terms: RebalanceTerms
  readonly #wallet: RebalancedWallet
  readonly #all: readonly Weighed[]
  /** Equity units in one ledger unit. */
  readonly #unit: bigint
  /** The last time of day. */
  #last = Number.NEGATIVE_INFINITY

  constructor(terms: RebalanceTerms, wallet: RebalancedWallet) {
    this.#terms = terms
    this.#wallet = wallet
    this.#all = wallet.books.map((book, index) => {
      return { book, share: terms.shares?.[index] ?? 1, value: undefined, returns: [] }
    })
    this.#unit = powerOfTen(wallet.scale - wallet.ledgerScale)
  }

  /** Continues the last session, from the first time of day after `from`. @param to  undefined if it is not known */
  begin(from: number, to: number | undefined): void {
    const { history } = this.#wallet
    // A clock that was set back repeats no moment.
    const next = nextTimeOfDay(this.#terms, Math.max(from, history?.time ?? from))
    this.#last = next - DAY_MS
    if (history !== undefined) {
      const missed = this.#lastDue(history.time)
      if (missed !== undefined)
        this.#wallet.onMissed(`no capital moved at ${isoTime(missed)}, because no session ran at that time`)
      for (const each of this.#all) this.#restore(each, history)
    }
    this.#wallet.execute(NOTHING, this.#historyAt(this.#last, this.#values))
    this.#schedule(next, to)
  }

  #schedule(time: number, to: number | undefined): void {
    if (to !== undefined && time >= to) return
    const { queue } = this.#wallet
    // Before the candles that end at this moment are emitted: what strategies order then is sized by the new balances.
    queue.schedule(
      Math.max(time, queue.now()),
      EVENT_KIND.data,
      () => {
        this.#onTimeOfDay(time)
        this.#schedule(nextTimeOfDay(this.#terms, Math.max(time, queue.now())), to)
      },
      true,
    )
  }

  /** The last moment up to the last time of day. @param after  Unix milliseconds */
  #lastDue(after: number): number | undefined {
    for (let time = this.#last; time > after; time -= DAY_MS) if (isDue(this.#terms, time)) return time
    return undefined
  }

  /** The value counts only if no time of day was missed since. */
  #restore(each: Weighed, { time, books }: PersistedRebalancing): void {
    const { value, returns = [] } = books[each.book.name] ?? {}
    if (!this.#isWeighed) return
    each.returns = returns.slice(-this.#days)
    const known = value === undefined || time !== this.#last ? undefined : toDecimal(value)
    const { scale } = this.#wallet
    if (known !== undefined && known.decimalPlaces() <= scale) each.value = unitsOf(known, scale)
  }

  #onTimeOfDay(time: number): void {
    const isNext = time - DAY_MS === this.#last
    for (const each of this.#isWeighed ? this.#all : []) this.#addReturn(each, isNext)
    const amounts = isDue(this.#terms, time) ? this.#planned() : NOTHING
    const values = this.#all.map(({ book }) => {
      const equity = book.equity()
      return equity === undefined ? undefined : equity + (amounts.get(book.name) ?? 0n) * this.#unit
    })
    if (!this.#wallet.execute(amounts, this.#historyAt(time, values))) return
    this.#last = time
    for (const [index, each] of this.#all.entries()) each.value = values[index]
  }

  /** Equity that is not known gives no return of its day. */
  #addReturn(each: Weighed, isNext: boolean): void {
    const { value: before, book } = each
    const value = book.equity()
    if (before === undefined || value === undefined || !isNext) return
    const change = Number(value - before) / Number(before)
    if (Number.isFinite(change)) each.returns = [...each.returns, change].slice(-this.#days)
  }

  #historyAt(time: number, values: readonly (bigint | undefined)[]): PersistedRebalancing {
    const books = this.#all.map(({ book, returns }, index) => {
      const units = values[index]
      const value = units === undefined ? undefined : decimalOf(units, this.#wallet.scale).toFixed()
      return [book.name, { value, returns }] as const
    })
    return { time, books: this.#isWeighed ? Object.fromEntries(books) : {} }
  }

  get #values(): readonly (bigint | undefined)[] {
    return this.#all.map(({ value }) => value)
  }

  get #isWeighed(): boolean {
    return this.#terms.rule === 'inverse-volatility'
  }

  get #days(): number {
    return this.#terms.days ?? 0
  }

  /** Strategies that have failed, or that a limit or a command holds, neither give nor receive. */
  #planned(): Transfers {
    for (const { book } of this.#all) book.look()
    const active = this.#all.filter(({ book }) => book.isActive())
    const equities = active.flatMap(({ book }) => book.equity() ?? [])
    // Without a price of everything that is held no target is known.
    if (equities.length < active.length) return NOTHING
    const weights = this.#weightsOf(active)
    const amounts = planTransfers(
      active.map(({ book }, index) => ({
        equity: equities[index] ?? 0n,
        free: book.free(),
        weight: weights[index] ?? EQUAL,
      })),
      this.#unit,
    )
    const moves = active.map(({ book }, index) => [book.name, amounts[index] ?? 0n] as const)
    return new Map(moves.filter(([, amount]) => amount !== 0n))
  }

  #weightsOf(active: readonly Weighed[]): readonly bigint[] {
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
}
