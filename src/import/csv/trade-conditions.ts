/**
 * Trade conditions of a print in the two forms of files, and which of them exclude it from price formation.
 *
 * Doubtful are: cash, next day, seller; derivatively priced, average price, price variation; prior reference, out of
 * sequence, sold; contingent, form T, extended hours, odd lot; official open and close; split and bunched. This is
 * stricter than the SIP's rules for high and low, on purpose: no one could have traded at these prices at that moment.
 *
 * Known limit: a letter that the CTA and the UTP use for two conditions (B: average price, bunched) is doubtful if one
 * of them is. Reserved letters are not known.
 */

/** No condition speaks against the price. */
export const PLAIN = 0
/** The print forms no price. */
export const DOUBTFUL = 1

/**
 * Sale conditions of the consolidated tapes.
 *
 * @see the tables of the CTS Output Multicast and the UTDF Direct Subscriber Interface Specifications, as
 * https://www.interactivebrokers.com/en/trading/tradeConditions.php?code=UTDF has them; V and 7 by UTP Vendor Alert
 * 2015-4
 */
export const SIP_LETTERS: Readonly<Record<string, typeof PLAIN | typeof DOUBTFUL>> = {
  '@': PLAIN, // regular
  A: PLAIN, // acquisition
  B: DOUBTFUL, // average price (CTA), bunched (UTP)
  C: DOUBTFUL, // cash
  D: PLAIN, // distribution
  E: PLAIN, // automatic execution
  F: PLAIN, // intermarket sweep
  G: DOUBTFUL, // bunched, sold
  H: DOUBTFUL, // price variation
  I: DOUBTFUL, // odd lot
  K: PLAIN, // rule 127 or 155
  L: DOUBTFUL, // sold last
  M: DOUBTFUL, // official close
  N: DOUBTFUL, // next day
  O: PLAIN, // opening
  P: DOUBTFUL, // prior reference price
  Q: DOUBTFUL, // official open
  R: DOUBTFUL, // seller
  S: DOUBTFUL, // split
  T: DOUBTFUL, // form T, extended hours
  U: DOUBTFUL, // extended hours, sold out of sequence
  V: DOUBTFUL, // contingent, before 2015 stock and option
  W: DOUBTFUL, // average price (UTP)
  X: PLAIN, // cross
  Y: PLAIN, // yellow flag
  Z: DOUBTFUL, // sold out of sequence
  '1': PLAIN, // stopped
  '2': DOUBTFUL, // stopped, sold last
  '3': DOUBTFUL, // stopped, sold out of sequence
  '4': DOUBTFUL, // derivatively priced
  '5': PLAIN, // reopening
  '6': PLAIN, // closing
  '7': DOUBTFUL, // qualified contingent
  '9': DOUBTFUL, // corrected close
}

/** The settlement of a print; it has one at most. */
export const LEAN_SETTLEMENT = {
  regular: 0x1,
  cash: 0x2,
  nextDay: 0x4,
  seller: 0x8,
} as const

/**
 * Bits of LEAN's field that make a print doubtful; the others of its 32 say nothing against its price.
 *
 * @see QuantConnect/Lean, Common/Data/Auxiliary/TradeConditionFlags.cs
 */
export const LEAN_DOUBTFUL = {
  cash: LEAN_SETTLEMENT.cash,
  nextDay: LEAN_SETTLEMENT.nextDay,
  seller: LEAN_SETTLEMENT.seller,
  derivativelyPriced: 0x200,
  formT: 0x400,
  sold: 0x800,
  extendedHours: 0x2000,
  outOfSequence: 0x4000,
  split: 0x8000,
  bunched: 0x20000,
  // Contingent on an option.
  stockOption: 0x40000,
  averagePrice: 0x100000,
  priceVariation: 0x400000,
  officialClose: 0x1000000,
  priorReferencePrice: 0x2000000,
  officialOpen: 0x4000000,
  oddLot: 0x80000000,
} as const

/** Trade reporting facilities, where no orders rest, as named in the column `exchange`, in lower case. */
export const REPORTING_FACILITIES = ['d', 'finra', 'trf', 'adf'] as const
