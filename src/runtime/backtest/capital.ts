/**
 * The capital of each strategy of a portfolio: a share of every credited asset, an amount of the quote asset, or an
 * equal part of what the others leave.
 *
 * Invariant: capital and reserve add up to the credit, to the last digit of the ledger.
 */
import { toDecimal } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { formatTrimmed, powerOfTen } from '../../domain/fixed-point.ts'
import { creditAmount } from '../../domain/credit.ts'
import { setting, type SettingName } from '../../domain/setting-name.ts'

/** Capital of a strategy. Without either it gets an equal part of what the others leave. */
export interface Capital {
  /** Part of the credit in (0, 1]. */
  readonly share?: number | undefined
  /** Decimal string in the quote asset of the portfolio. */
  readonly amount?: string | undefined
}

/** The credit of a portfolio. */
export interface CapitalSource {
  /** Ledger units by asset. */
  readonly credit: ReadonlyMap<string, bigint>
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>
  readonly quoteAsset: string
  /** Part of the credit that other strategies have; default: nothing. */
  readonly taken?: ReadonlyMap<string, bigint> | undefined
}

export interface AllottedCapital {
  /** Ledger units by asset, in the order of the strategies. */
  readonly capitals: readonly ReadonlyMap<string, bigint>[]
  /** Credit that no strategy has. */
  readonly reserve: ReadonlyMap<string, bigint>
}

const capitalAt = (index: number, field?: keyof Capital): SettingName =>
  setting(`strategies.${index}.capital${field === undefined ? '' : `.${field}`}`)

/**
 * @param places  positions of the strategies in the user's list, for errors; default: they are the whole list
 * @throws {InputError} for an invalid capital, and for more than the credit
 */
export function allottedCapital(
  given: readonly (Capital | undefined)[],
  source: CapitalSource,
  places: readonly number[] = [...given.keys()],
): AllottedCapital {
  const placeOf = (index: number): number => places[index] ?? index
  for (const [index, capital] of given.entries()) checkCapital(placeOf(index), capital, source)
  const capitals = given.map(() => new Map<string, bigint>())
  const reserve = new Map<string, bigint>()
  for (const [asset, credit] of source.credit) {
    const parts = given.map((capital, index) => partOf(placeOf(index), capital, asset, credit, source))
    const free = credit - (source.taken?.get(asset) ?? 0n)
    const wanted = parts.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n)
    if (wanted > 0n && wanted > free) throw tooMuch(asset, free, wanted, source)
    const left = free > wanted ? free - wanted : 0n
    const rest = splitEvenly(left, parts.filter((part) => part === undefined).length)
    reserve.set(asset, rest.length === 0 ? left : 0n)
    parts.forEach((part, index) => capitals[index]?.set(asset, part ?? rest.shift() ?? 0n))
  }
  return { capitals, reserve }
}

export function checkCapital(index: number, capital: Capital | undefined, { credit, quoteAsset }: CapitalSource): void {
  if (capital === undefined) return
  const { share, amount } = capital
  if (share !== undefined && amount !== undefined)
    throw new InputError(capitalAt(index), 'expected a share or an amount, got both')
  if (share === undefined && amount === undefined)
    throw new InputError(capitalAt(index), "expected { share: 0.5 } or { amount: '5000' }")
  if (share !== undefined && !(share > 0 && share <= 1))
    throw new InputError(capitalAt(index, 'share'), `expected a share above 0 and up to 1, got ${share}`)
  if (amount !== undefined && !credit.has(quoteAsset))
    throw new InputError(capitalAt(index, 'amount'), `is in ${quoteAsset}, but the wallet has no credit in it`)
}

/** Ledger units of one asset; undefined for a part of what is left. */
export function partOf(
  index: number,
  capital: Capital | undefined,
  asset: string,
  credit: bigint,
  { scales, quoteAsset }: CapitalSource,
): bigint | undefined {
  if (capital?.amount !== undefined) {
    if (asset !== quoteAsset) return 0n
    return creditAmount({ asset, text: capital.amount, place: capitalAt(index, 'amount') }, scales)
  }
  if (capital?.share === undefined) return undefined
  const share = toDecimal(capital.share)
  const digits = share.decimalPlaces()
  return (credit * BigInt(share.times(toDecimal(10).pow(digits)).toFixed(0))) / powerOfTen(digits)
}

/** Parts that differ by at most one unit, the larger ones first. */
const splitEvenly = (units: bigint, count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => {
    const parts = BigInt(count)
    return units / parts + (BigInt(index) < units % parts ? 1n : 0n)
  })

function tooMuch(asset: string, free: bigint, wanted: bigint, { scales, taken }: CapitalSource): InputError {
  const scale = scales.get(asset) ?? 0
  const [has, wants] = [free > 0n ? free : 0n, wanted].map((units) => formatTrimmed(units, scale))
  const why = taken === undefined ? `the credit is ${has}` : `the account has ${has} that no strategy has`
  return new InputError(setting('strategies'), `the strategies get ${wants} ${asset}, but ${why}`)
}
