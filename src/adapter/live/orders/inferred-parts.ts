/**
 * Fills that stand for those which a service tells no more: at most two, since a mean need not be a whole number of
 * ticks.
 *
 * Invariant: they have the quantity and the cost of what they stand for, to the lot and the tick.
 */

/** Ticks and lots of one fill. */
export interface InferredPart {
  readonly price: number
  readonly qty: number
}

/**
 * @param qty       lots, above 0
 * @param notional  ticks x lots, at least one tick a lot
 * @returns         at the tick below the mean, and for what that leaves at the tick above it
 */
export function inferredParts(qty: number, notional: bigint): readonly InferredPart[] {
  const lots = BigInt(qty)
  const price = Number(notional / lots)
  const above = Number(notional % lots)
  const below = { price, qty: qty - above }
  return above === 0 ? [below] : [below, { price: price + 1, qty: above }]
}
