/**
 * The transfers that bring the books of a wallet closer to their targets.
 *
 * Invariants: the transfers add up to zero, exactly. No book gives more than it has free, or more than it is above its
 * target, and none receives more than it is below.
 */
export interface PlannedBook {
  /** Equity in units of the value scale. */
  readonly equity: bigint
  /** Available quote asset in ledger units. */
  readonly free: bigint
  /** Part of the sum of all equities, in proportion to the other weights; above 0. */
  readonly weight: bigint
}

/**
 * @param unit  equity units in one ledger unit of the quote asset
 * @returns     what each book receives, in ledger units; negative for what it gives
 */
export function planTransfers(books: readonly PlannedBook[], unit: bigint): readonly bigint[] {
  const total = sum(books.map(({ equity }) => equity))
  const weights = sum(books.map(({ weight }) => weight))
  // Above 0 for a book above its target, rounded toward its target.
  const excess = books.map(({ equity, weight }) => (equity * weights - total * weight) / (weights * unit))
  const givable = books.map(({ free }, index) => positive(smaller(excess[index] ?? 0n, free)))
  const wanted = excess.map((each) => positive(-each))
  const moved = smaller(sum(givable), sum(wanted))
  const [given, received] = [inProportion(givable, moved), inProportion(wanted, moved)]
  return books.map((_, index) => (received[index] ?? 0n) - (given[index] ?? 0n))
}

/** Parts of `amount` rounded down; the units that are left go to the first books that can take them, one each. */
function inProportion(limits: readonly bigint[], amount: bigint): readonly bigint[] {
  const whole = sum(limits)
  if (whole === 0n) return limits
  const parts = limits.map((limit) => (limit * amount) / whole)
  let left = amount - sum(parts)
  return parts.map((part, index) => {
    if (left === 0n || part === limits[index]) return part
    left -= 1n
    return part + 1n
  })
}

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n)

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const positive = (value: bigint): bigint => (value > 0n ? value : 0n)
