/**
 * Capital of the strategies that trade one live account: allotted at the first start by the rules of a backtest, and
 * changed at a later one.
 *
 * Invariants: books plus reserve equal the account, to the last digit. A book that exists changes only by a changed
 * setting, by amounts that it or the reserve has free.
 */
import { differenceText } from '../../adapter/live/books/books-check.ts'
import type { Amounts, BookFacts } from '../../adapter/live/books/strategy-book.ts'
import { type Decimal, decimalOf, toDecimal, unitsOf, ZERO } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { ledgerScales, type Market } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import { allottedCapital, type Capital, type CapitalSource, checkCapital, partOf } from '../backtest/capital.ts'

/** Configured capital of a strategy. */
export interface AskedCapital {
  readonly owner: string
  /** Undefined for an equal part of what the others leave. */
  readonly capital: Capital | undefined
  readonly quoteAsset: string
}

export interface AccountFacts {
  readonly markets: readonly Market[]
  readonly balances: OwnBalances
  /** Saved reserve; undefined before the first book. */
  readonly reserve: Amounts | undefined
  readonly books: ReadonlyMap<string, BookFacts & { readonly free: Amounts }>
  /** Locked by orders of strategies, by their own count. */
  readonly locked: Amounts
  /** Quantities that strategies without a book have bought and still hold. */
  readonly positions: ReadonlyMap<string, Amounts>
}

export interface CapitalPlan {
  /** Books that are new or change. */
  readonly books: ReadonlyMap<string, BookFacts>
  readonly reserve: Amounts
  /** Strategies whose books are new. */
  readonly created: readonly string[]
  /** Changes of earlier books by a changed setting, by owner. */
  readonly moved: ReadonlyMap<string, Amounts>
  readonly warnings: readonly string[]
}

type Units = ReadonlyMap<string, bigint>

/** @throws {InputError} for an invalid capital, and for more than is free */
export function planCapital(asked: readonly AskedCapital[], facts: AccountFacts): CapitalPlan {
  return new CapitalPlanner(asked, facts).plan()
}

class CapitalPlanner {
  readonly #asked: readonly AskedCapital[]
  readonly #facts: AccountFacts
  readonly #scales: ReadonlyMap<string, number>
  readonly #quoteAsset: string
  /** Holdings of each book, as planned so far. */
  readonly #held = new Map<string, Map<string, bigint>>()
  readonly #moved = new Map<string, Units>()
  /** Account without what strategies that have no book hold, and what orders of others lock. */
  readonly #credit: Units

  constructor(asked: readonly AskedCapital[], facts: AccountFacts) {
    this.#asked = asked
    this.#facts = facts
    this.#quoteAsset = quoteAssetOf(asked)
    const { markets, balances, books, positions } = facts
    const all = [totalsOf(balances), facts.reserve, ...[...books.values()].flatMap(amountsIn), ...positions.values()]
    this.#scales = new Map([...ledgerScales(markets)].map(([asset, scale]) => [asset, digitsOf(asset, scale, all)]))
    for (const [owner, { held }] of books) this.#held.set(owner, new Map(this.#unitsOf(held)))
    this.#credit = this.#creditOf()
  }

  plan(): CapitalPlan {
    const warnings = [...this.#differences(), ...this.#absent()]
    this.#moveCapital()
    const created = this.#allot()
    const changed = new Set([...created, ...this.#moved.keys(), ...this.#restated()])
    const books = this.#asked.flatMap(({ owner, capital }) => {
      if (!changed.has(owner)) return []
      const before = this.#facts.books.get(owner)
      const held = this.#amountsOf(this.#held.get(owner) ?? new Map<string, bigint>())
      return [[owner, { capital, held, allotted: this.#allotted(owner, before, held) }] as const]
    })
    const reserve = this.#amountsOf(this.#reserve())
    const moved = new Map([...this.#moved].map(([owner, units]) => [owner, this.#amountsOf(units)]))
    return { books: new Map(books), reserve, created, moved, warnings }
  }

  /** Anything else that moved the account goes to the reserve. */
  #differences(): readonly string[] {
    const { reserve: saved } = this.#facts
    if (saved === undefined) return []
    const reserve = this.#amountsOf(this.#reserve())
    return [...reserve].flatMap(([asset, now]) => {
      const more = now.minus(saved.get(asset) ?? ZERO)
      if (more.isZero()) return []
      const lacks = now.lt(0) ? `; the books have ${now.neg().toFixed()} ${asset} that the account lacks` : ''
      return [`${differenceText(asset, more)}: the reserve is now ${now.toFixed()} ${asset}${lacks}`]
    })
  }

  #absent(): readonly string[] {
    const listed = new Set(this.#asked.map(({ owner }) => owner))
    return [...this.#facts.books].flatMap(([owner, { held }]) => {
      if (listed.has(owner)) return []
      const what = textOfAmounts(held)
      return what === '' ? [] : [`'${owner}' is not in the list of strategies and keeps its book: ${what}`]
    })
  }

  /** Reductions first, so that one strategy can get what another gives back. */
  #moveCapital(): void {
    const moves = this.#asked.flatMap(({ owner, capital }, index) => {
      const book = this.#facts.books.get(owner)
      if (book === undefined || capital === undefined || isSame(book.capital, capital)) return []
      checkCapital(index, capital, this.#source)
      return [{ owner, index, book, units: this.#changeOf(index, capital, book) }]
    })
    const parts = moves.flatMap(({ units, ...move }) => [...units].map(([asset, more]) => ({ ...move, asset, more })))
    for (const part of [...parts.filter(({ more }) => more < 0n), ...parts.filter(({ more }) => more > 0n)]) {
      this.#checkFree(part)
      this.#move(part.owner, part.asset, part.more)
    }
  }

  /** A changed share scales the capital of the book; anything else replaces it. An amount of 0 gives all back. */
  #changeOf(index: number, capital: Capital, book: BookFacts): Units {
    const [now, before] = [capital.share, book.capital?.share]
    if (capital.amount !== undefined && toDecimal(capital.amount).isZero()) {
      return new Map([...this.#unitsOf(book.held)].map(([asset, units]) => [asset, -units]))
    }
    return new Map(
      [...this.#credit].map(([asset, credit]) => {
        const allotted = this.#unitsIn(book.allotted, asset)
        if (now !== undefined && before !== undefined) return [asset, scaled(allotted, now, before) - allotted]
        return [asset, (partOf(index, capital, asset, credit, this.#source) ?? 0n) - allotted]
      }),
    )
  }

  #checkFree({ owner, index, asset, more, book }: CapitalMove): void {
    const free = more < 0n ? this.#unitsIn(book.free, asset) : this.#freeReserve(asset)
    const wanted = more < 0n ? -more : more
    if (wanted <= free) return
    const [has, wants] = [free > 0n ? free : 0n, wanted].map((units) => this.#text(units, asset))
    const why =
      more < 0n
        ? `'${owner}' is to give back ${wants} ${asset}, but only ${has} of its book is free: sell or cancel first, or keep its capital`
        : `'${owner}' is to get ${wants} ${asset} more, but the reserve has ${has} free`
    throw new InputError(setting(`strategies.${index}.capital`), why)
  }

  /** @returns the strategies whose books are new */
  #allot(): readonly string[] {
    const fresh = this.#asked.filter(({ owner }) => !this.#facts.books.has(owner))
    if (fresh.length === 0) return []
    const taken = this.#facts.books.size === 0 ? undefined : this.#taken()
    const given = this.#asked.map(({ owner, capital }) => (this.#facts.books.has(owner) ? NOTHING : capital))
    // Every place in the list is given, so that an error names it.
    const { capitals } = allottedCapital(given, { ...this.#source, taken })
    this.#asked.forEach(({ owner }, index) => {
      if (this.#facts.books.has(owner)) return
      const own = this.#unitsOf(this.#facts.positions.get(owner))
      for (const [asset, part] of capitals[index] ?? []) this.#move(owner, asset, part + (own.get(asset) ?? 0n))
    })
    return fresh.map(({ owner }) => owner)
  }

  /** Strategies whose setting changed, even if no amount moves. */
  #restated(): readonly string[] {
    return this.#asked.flatMap(({ owner, capital }) => {
      const book = this.#facts.books.get(owner)
      return book === undefined || isSame(book.capital, capital) ? [] : [owner]
    })
  }

  #allotted(owner: string, before: BookFacts | undefined, held: Amounts): Amounts {
    if (before === undefined || [...held.values()].every((amount) => amount.isZero())) return held
    const moved = this.#amountsOf(this.#moved.get(owner) ?? new Map<string, bigint>())
    return new Map(
      [...held].map(([asset]) => [asset, (before.allotted.get(asset) ?? ZERO).plus(moved.get(asset) ?? ZERO)]),
    )
  }

  #move(owner: string, asset: string, units: bigint): void {
    const held = this.#held.get(owner) ?? new Map<string, bigint>()
    held.set(asset, (held.get(asset) ?? 0n) + units)
    this.#held.set(owner, held)
    if (!this.#facts.books.has(owner)) return
    const moved = new Map(this.#moved.get(owner))
    this.#moved.set(owner, moved.set(asset, (moved.get(asset) ?? 0n) + units))
  }

  /** The account without all books. */
  #reserve(): Units {
    const taken = this.#taken()
    const account = this.#unitsOf(totalsOf(this.#facts.balances))
    return new Map(
      [...this.#scales.keys()].map((asset) => [asset, (account.get(asset) ?? 0n) - (taken.get(asset) ?? 0n)]),
    )
  }

  #freeReserve(asset: string): bigint {
    return (this.#credit.get(asset) ?? 0n) - (this.#taken().get(asset) ?? 0n)
  }

  #taken(): Units {
    const sums = new Map<string, bigint>()
    for (const held of this.#held.values())
      for (const [asset, units] of held) sums.set(asset, (sums.get(asset) ?? 0n) + units)
    return sums
  }

  #creditOf(): Units {
    const { balances, locked, positions } = this.#facts
    return new Map(
      [...this.#scales.keys()].map((asset) => {
        const { available = ZERO, locked: all = ZERO } = balances.get(asset) ?? {}
        const own = locked.get(asset) ?? ZERO
        const bought = [...positions.values()].reduce((sum, each) => sum.plus(each.get(asset) ?? ZERO), ZERO)
        const credit = available.plus(own.lt(all) ? own : all).minus(bought)
        return [asset, credit.gt(0) ? unitsOf(credit, this.#scaleOf(asset)) : 0n]
      }),
    )
  }

  get #source(): CapitalSource {
    return { credit: this.#credit, scales: this.#scales, quoteAsset: this.#quoteAsset }
  }

  #unitsOf(amounts: Amounts | undefined): Units {
    return new Map([...this.#scales.keys()].map((asset) => [asset, this.#unitsIn(amounts, asset)]))
  }

  #unitsIn(amounts: Amounts | undefined, asset: string): bigint {
    return unitsOf(amounts?.get(asset) ?? ZERO, this.#scaleOf(asset))
  }

  #amountsOf(units: Units): Amounts {
    return new Map([...units].map(([asset, each]) => [asset, decimalOf(each, this.#scaleOf(asset))]))
  }

  #text(units: bigint, asset: string): string {
    return decimalOf(units, this.#scaleOf(asset)).toFixed()
  }

  #scaleOf(asset: string): number {
    return this.#scales.get(asset) ?? 0
  }
}

interface CapitalMove {
  readonly owner: string
  readonly index: number
  readonly asset: string
  /** Ledger units; below 0 if the strategy gives them back. */
  readonly more: bigint
  readonly book: BookFacts & { readonly free: Amounts }
}

/** Stands for a strategy that has a book already. */
const NOTHING: Capital = { amount: '0' }

/** Asset of the stated amounts. @throws {InputError} if they are in different ones */
function quoteAssetOf(asked: readonly AskedCapital[]): string {
  const amounts = asked.filter(({ capital }) => capital?.amount !== undefined)
  const [first = asked[0], ...others] = amounts
  const quoteAsset = first?.quoteAsset ?? ''
  for (const other of others) {
    if (other.quoteAsset === quoteAsset) continue
    const place = setting(`strategies.${asked.indexOf(other)}.capital.amount`)
    throw new InputError(place, `is in ${other.quoteAsset}, but other amounts are in ${quoteAsset}: use shares`)
  }
  return quoteAsset
}

/** Units x now / before, rounded down. */
function scaled(units: bigint, now: number, before: number): bigint {
  const shares = [toDecimal(now), toDecimal(before)]
  const digits = Math.max(...shares.map((share) => share.decimalPlaces()))
  const [to = 0n, from = 1n] = shares.map((share) => unitsOf(share, digits))
  return (units * to) / from
}

const isSame = (one: Capital | undefined, other: Capital | undefined): boolean =>
  one?.share === other?.share && one?.amount === other?.amount

const totalsOf = (balances: OwnBalances): Amounts =>
  new Map([...balances].map(([asset, { available, locked }]) => [asset, available.plus(locked)]))

const amountsIn = ({ held, allotted, free }: BookFacts & { readonly free: Amounts }): readonly Amounts[] => [
  held,
  allotted,
  free,
]

const digitsOf = (asset: string, scale: number, all: readonly (Amounts | undefined)[]): number =>
  all.reduce((most, amounts) => Math.max(most, (amounts?.get(asset) ?? ZERO).decimalPlaces()), scale)

/** Amounts other than 0, in words. */
export const textOfAmounts = (amounts: Amounts): string =>
  [...amounts]
    .filter(([, amount]: readonly [string, Decimal]) => !amount.isZero())
    .map(([asset, amount]) => `${amount.toFixed()} ${asset}`)
    .join(', ')
