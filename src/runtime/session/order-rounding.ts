/**
 * Rounding of computed quantities and prices to the precision of their market, before an order is checked.
 *
 * A quantity that is a Decimal or a number is rounded down to whole lots; a limit price to whole ticks, down for a buy
 * and up for a sell, so that it never pays more. Text must fit as it is. A quantity below one lot stays as it is, and
 * is refused.
 */
import { Decimal, toDecimal, type DecimalInput } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import type { Side } from '../../domain/order.ts'
import type { LimitIntent, PlaceIntent } from '../../strategy/place-intent.ts'
import type { BracketIntent, OcoIntent, WaitingIntent } from '../../strategy/waiting-intent.ts'

type Conditional = WaitingIntent | OcoIntent | BracketIntent

const REFUSE = 'pass --rounding refuse to refuse such orders'

interface Rounding {
  readonly kind: 'quantity' | 'price'
  readonly way: 'up' | 'down'
  readonly step: string
  readonly asset: string
}

export class OrderRounding {
  readonly #isOn: boolean
  readonly #markets: readonly Market[]
  readonly #onFirst: ((message: string) => void) | undefined
  #total = 0
  readonly #counts = new Map<string, Rounding & { readonly count: number }>()

  /**
   * @param isOn     false to leave every order as it is
   * @param onFirst  receives the first rounding of each kind when it happens; undefined to report only the counts
   */
  constructor(isOn: boolean, markets: readonly Market[], onFirst?: (message: string) => void) {
    this.#isOn = isOn
    this.#markets = markets
    this.#onFirst = onFirst
  }

  /** The same intent if nothing of it is rounded. */
  place(intent: PlaceIntent): PlaceIntent {
    const { symbol, side } = intent
    const qty = this.#qty(symbol, intent.qty)
    if (intent.type === 'market') return qty === intent.qty ? intent : { ...intent, qty }
    const price = this.#price(symbol, side, intent.price)
    return qty === intent.qty && price === intent.price ? intent : { ...intent, qty, price }
  }

  conditional(intent: Conditional): Conditional {
    if (intent.type === 'oco') return { ...intent, orders: intent.orders.map((order) => this.#order(order)) }
    if (intent.type !== 'bracket') return this.#waiting(intent)
    const { entry, exits } = intent
    const { target } = exits
    const side = entry.side === 'BUY' ? 'SELL' : 'BUY'
    return {
      ...intent,
      entry: this.place(entry),
      exits: target === undefined ? exits : { ...exits, target: this.#price(entry.symbol, side, target) },
    }
  }

  /** Count of all values that were rounded. */
  get total(): number {
    return this.#total
  }

  /**
   * One line for each kind of value that was rounded since the last report, unless its only rounding was reported
   * already.
   */
  takeReport(): readonly string[] {
    const counts = [...this.#counts.values()].filter(({ count }) => count > 1 || this.#onFirst === undefined)
    this.#counts.clear()
    return counts.map(({ kind, way, step, asset, count }) => {
      const rounded = count === 1 ? `${kind} was` : `${kind === 'price' ? 'prices' : 'quantities'} were`
      return `${count} ${rounded} rounded ${way} to a multiple of ${step} ${asset}; ${REFUSE}`
    })
  }

  #order(order: WaitingIntent | LimitIntent): WaitingIntent | LimitIntent {
    return order.type === 'limit' ? (this.place(order) as LimitIntent) : this.#waiting(order)
  }

  #waiting(intent: WaitingIntent): WaitingIntent {
    const { symbol, side } = intent
    const qty = this.#qty(symbol, intent.qty)
    if (intent.type === 'take-profit') return { ...intent, qty, price: this.#price(symbol, side, intent.price) }
    if (intent.type === 'trailing-stop' || intent.limit === undefined) return { ...intent, qty }
    return { ...intent, qty, limit: this.#price(symbol, side, intent.limit) }
  }

  #market(symbol: string): Market | undefined {
    return this.#markets.find((market) => market.symbol === symbol)
  }

  #qty(symbol: string, given: DecimalInput): DecimalInput {
    const market = this.#market(symbol)
    if (market === undefined) return given
    const rounded = this.#rounded(given, market.qtyPrecision, Decimal.ROUND_FLOOR)
    if (rounded === undefined || rounded.isZero()) return given
    this.#count(
      { kind: 'quantity', way: 'down', step: stepText(market.qtyPrecision), asset: market.baseAsset },
      given,
      rounded,
    )
    return rounded
  }

  #price(symbol: string, side: Side, given: DecimalInput): DecimalInput {
    const market = this.#market(symbol)
    if (market === undefined) return given
    const mode = side === 'BUY' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL
    const rounded = this.#rounded(given, market.pricePrecision, mode)
    if (rounded === undefined || rounded.isZero()) return given
    const way = side === 'BUY' ? 'down' : 'up'
    this.#count({ kind: 'price', way, step: stepText(market.pricePrecision), asset: market.quoteAsset }, given, rounded)
    return rounded
  }

  /** Undefined for a value that fits, and for one that is refused unchanged: text, negative values, and non-numbers. */
  #rounded(given: DecimalInput, precision: number, mode: 2 | 3): Decimal | undefined {
    if (!this.#isOn || typeof given === 'string') return undefined
    const value = decimalIfAny(given)
    if (value?.isPositive() !== true || !value.isFinite() || value.decimalPlaces() <= precision) return undefined
    return value.toDecimalPlaces(precision, mode)
  }

  #count(rounding: Rounding, given: DecimalInput, rounded: Decimal): void {
    this.#total += 1
    const { kind, way, step, asset } = rounding
    // An asset may be the base of one market and the quote of another.
    const key = `${kind} ${way} ${step} ${asset}`
    const { count } = this.#counts.get(key) ?? { count: 0 }
    this.#counts.set(key, { ...rounding, count: count + 1 })
    if (count > 0) return
    const shown = shortText(toDecimal(given).toFixed())
    this.#onFirst?.(`${kind} ${shown} was rounded ${way} to ${rounded.toFixed()} ${asset}; ${REFUSE}`)
  }
}

function decimalIfAny(given: DecimalInput): Decimal | undefined {
  try {
    return toDecimal(given)
  } catch {
    return undefined
  }
}

/** A quotient has up to 64 digits. */
const shortText = (digits: string): string => (digits.length > 20 ? `${digits.slice(0, 16)}...` : digits)

const stepText = (precision: number): string => toDecimal(`1e-${precision}`).toFixed()
