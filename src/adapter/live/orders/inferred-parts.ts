/**
 * Inferred fills in place of those that a service no longer lists: at most two, since a mean price need not be a whole
 * number of ticks.
 *
 * Invariant: their quantity and cost equal those of the missing fills, to the lot and the tick.
 */

/** Ticks and lots of one fill. */
export interface InferredPart {
  readonly price: number
  readonly qty: number
}

/**
 * @param qty       lots, above 0
 * @param notional  ticks x lots, at least one tick a lot
 * @returns         a part at the tick below the mean, and one for the remainder at the tick above it
 */
export function inferredParts(qty: number, notional: bigint): readonly InferredPart[] {
  const lots = BigInt(qty)
  const price = Number(notional / lots)
  const above = Number(notional % lots)
  const below = { price, qty: qty - above }
  return above === 0 ? [below] : [below, { price: price + 1, qty: above }]
}
