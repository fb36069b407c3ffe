/**
 * Ledger of a session: the account as this session's fills and transfers alone would have changed it from the initial
 * balances.
 *
 * Other sessions and programs may use the account; their gains and losses are not this session's.
 * Invariant: nothing is rounded. Fees are the adapter's, which may be assumed.
 */
import type { AuditLine } from '../../domain/audit.ts'
import type { Balances } from '../../domain/balances.ts'
import { stepsOf, toDecimal, unitsOf, type Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { ledgerScales, type Market } from '../../domain/market.ts'
import type { AccountFill } from '../../domain/trade.ts'
import type { Amounts } from '../../adapter/live/books/strategy-book.ts'
import type { OwnBalances, OwnFill } from '../../strategy/own-order.ts'

/** Ledger units by asset. */
type Units = ReadonlyMap<string, bigint>

export class SessionLedger {
  readonly markets: readonly Market[]
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  readonly initial: Units
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #held: Map<string, bigint>
  readonly #fees = new Map<string, bigint>()

  /** @param balances  initial */
  constructor(markets: readonly Market[], balances: OwnBalances) {
    this.markets = markets
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.scales = new Map(
      [...ledgerScales(markets)].map(([asset, scale]) => [asset, Math.max(scale, digitsOf(heldOf(balances, asset)))]),
    )
    this.initial = new Map([...this.scales].map(([asset, scale]) => [asset, unitsOf(heldOf(balances, asset), scale)]))
    this.#held = new Map(this.initial)
  }

  /** Converts an own fill for the figures: ticks, lots, ledger units. */
  read(fill: OwnFill, time: number, isOwnMatch: boolean): AccountFill {
    const { pricePrecision, qtyPrecision, quoteAsset } = this.#market(fill.symbol)
    const price = stepsOf(fill.price, pricePrecision)
    const qty = stepsOf(fill.qty, qtyPrecision)
    const fee = unitsOf(fill.fee, this.#scale(quoteAsset))
    const { symbol, side, isMaker, tag } = fill
    return { trade: { symbol, price, qty, createdAt: time }, side, isMaker, fee, isOwnMatch, tag }
  }

  add({ trade, side, fee }: AccountFill): void {
    const { baseAsset, quoteAsset, pricePrecision, qtyPrecision } = this.#market(trade.symbol)
    const base = BigInt(trade.qty) * powerOfTen(this.#scale(baseAsset) - qtyPrecision)
    const spareDigits = this.#scale(quoteAsset) - pricePrecision - qtyPrecision
    const quote = BigInt(trade.price) * BigInt(trade.qty) * powerOfTen(spareDigits)
    this.#move(baseAsset, side === 'BUY' ? base : -base)
    this.#move(quoteAsset, (side === 'BUY' ? -quote : quote) - fee)
    this.#fees.set(quoteAsset, (this.#fees.get(quoteAsset) ?? 0n) + fee)
  }

  /** An amount came from other strategies of the account, or went to them if it is negative. */
  transfer(asset: string, amount: Decimal): void {
    this.#move(asset, unitsOf(amount, this.#scale(asset)))
  }

  /** Balances as if only this session had used the account. */
  balances(): Balances {
    return new Map([...this.#held].map(([asset, available]) => [asset, { available, locked: 0n }]))
  }

  /** Net change of an asset by the session's fills, including fees, and those fees. */
  moved(asset: string): { readonly net: bigint; readonly fees: bigint } {
    const net = (this.#held.get(asset) ?? 0n) - (this.initial.get(asset) ?? 0n)
    return { net, fees: this.#fees.get(asset) ?? 0n }
  }

  #move(asset: string, units: bigint): void {
    this.#held.set(asset, (this.#held.get(asset) ?? 0n) + units)
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    invariant(market !== undefined, `no market '${symbol}'`)
    return market
  }

  #scale(asset: string): number {
    const scale = this.scales.get(asset)
    invariant(scale !== undefined, `no market has the asset '${asset}'`)
    return scale
  }
}

/** Audit of an account: the books of its strategies and the reserve, compared with its present balances. */
export const booksAudit = (
  ledgers: readonly SessionLedger[],
  { expected, balances: now }: { readonly expected: Amounts; readonly balances: OwnBalances },
): readonly AuditLine[] => {
  const [first] = ledgers
  if (first === undefined) return []
  return [...first.scales.keys()].map((asset) => {
    const [held, booked] = [heldOf(now, asset), expected.get(asset) ?? toDecimal(0)]
    const scale = Math.max(...ledgers.map(({ scales }) => scales.get(asset) ?? 0), digitsOf(held), digitsOf(booked))
    const feesOf = (ledger: SessionLedger): bigint =>
      ledger.moved(asset).fees * powerOfTen(scale - (ledger.scales.get(asset) ?? 0))
    const fees = ledgers.reduce((sum, ledger) => sum + feesOf(ledger), 0n)
    return { asset, scale, credited: unitsOf(booked, scale) + fees, held: unitsOf(held, scale), fees }
  })
}

/**
 * Audit of an account: initial balances plus the fills of its sessions, compared with its present balances.
 * @param ledgers  of all sessions of the account, which began together
 * @param now      the balances that were read last
 */
export const accountAudit = (ledgers: readonly SessionLedger[], now: OwnBalances): readonly AuditLine[] => {
  const [first] = ledgers
  if (first === undefined) return []
  return [...first.scales].map(([asset, ownScale]) => {
    const heldNow = heldOf(now, asset)
    const scale = Math.max(ownScale, digitsOf(heldNow))
    const more = powerOfTen(scale - ownScale)
    const moved = ledgers.map((ledger) => ledger.moved(asset))
    const fees = moved.reduce((sum, each) => sum + each.fees, 0n)
    const net = moved.reduce((sum, each) => sum + each.net, 0n)
    const initial = first.initial.get(asset) ?? 0n
    const held = unitsOf(heldNow, scale)
    return { asset, scale, credited: (initial + net + fees) * more, held, fees: fees * more }
  })
}

/** Negative at a service that lends. */
const heldOf = (balances: OwnBalances, asset: string): Decimal => {
  const balance = balances.get(asset)
  return balance?.available.plus(balance.locked) ?? toDecimal(0)
}

const digitsOf = (amount: Decimal): number => amount.decimalPlaces()
