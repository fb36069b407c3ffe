/**
 * Reference equities of a strategy after capital came or went, which is no profit or loss: the loss of the day stays,
 * and the fall from the peak in percent.
 */
import { type Decimal, ONE, toDecimal, ZERO } from '../../../domain/decimal.ts'
import type { PersistedMarks } from '../../../store/state/live/persisted-risk.ts'

/**
 * Digits of a peak that a transfer has moved in proportion: the quotient may have no last digit, so a drawdown limit
 * can be reached 10^-12 of the quote asset too early or too late.
 */
const MIN_PEAK_DIGITS = 12

/**
 * The peak in proportion to the equity.
 *
 * @param before  equity before the move, undefined if it is not known
 * @param worth   of everything that came, negative for what went
 */
export function movedPeak(peak: Decimal, before: Decimal | undefined, worth: Decimal): Decimal {
  const after = before?.plus(worth)
  if (before?.gt(0) !== true || after?.gt(0) !== true) return peak.plus(worth)
  const digits = Math.max(after.decimalPlaces(), before.decimalPlaces(), MIN_PEAK_DIGITS)
  return peak.times(after).div(before).toDecimalPlaces(digits)
}

/**
 * An asset other than the quote asset that was not held stays unlisted: the next session counts it as a deposit at its
 * price then.
 *
 * @param moved  amounts by asset, negative for what went
 */
export function marksAfter(marks: PersistedMarks, moved: ReadonlyMap<string, Decimal>): PersistedMarks {
  const { quoteAsset, holdings } = marks
  const priceOf = (asset: string): Decimal => {
    const price = holdings.find((each) => each.asset === asset)?.price
    return asset === quoteAsset ? ONE : toDecimal(price ?? 0)
  }
  const worthOf = (amounts: Iterable<readonly [string, Decimal]>): Decimal =>
    [...amounts].reduce((sum, [asset, amount]) => sum.plus(amount.times(priceOf(asset))), ZERO)
  const before = worthOf(holdings.map(({ asset, qty }) => [asset, toDecimal(qty)]))
  const worth = worthOf(moved)
  const isListed = holdings.some(({ asset }) => asset === quoteAsset)
  const listed = isListed ? holdings : [...holdings, { asset: quoteAsset, qty: '0', price: ONE.toFixed() }]
  const qtyOf = ({ asset, qty }: PersistedMarks['holdings'][number]): string =>
    toDecimal(qty)
      .plus(moved.get(asset) ?? ZERO)
      .toFixed()
  return {
    ...marks,
    dayStart: toDecimal(marks.dayStart).plus(worth).toFixed(),
    peak: movedPeak(toDecimal(marks.peak), before, worth).toFixed(),
    holdings: listed.map((each) => ({ ...each, qty: qtyOf(each) })),
  }
}
