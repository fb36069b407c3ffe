/** Checks precisions of a market against its recordings: no row is rounded to fit. */
import { InputError } from '../../domain/errors.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { largestUnits } from './blocks/stored-market.ts'

// Taken now, because a run puts its own in the place of the global one.
// eslint-disable-next-line papertape/no-clock -- waits for nothing
const { setImmediate: realSetImmediate } = globalThis

/**
 * Yields to the event loop between two blocks, as reading a file does, so that signals and timers of the process can
 * run.
 */
export const blockTurn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve))

/**
 * @param needed  of the recording itself @throws {InputError} naming its file, when it needs more decimals than are
 * given
 */
export function checkPrecisions(needed: TapePrecisions & { readonly file: string }, given: TapePrecisions): void {
  checkPrecision(needed.file, 'price', needed.pricePrecision, given.pricePrecision)
  checkPrecision(needed.file, 'quantity', needed.qtyPrecision, given.qtyPrecision)
}

/** @throws {InputError} naming the file, for a value that does not fit into a safe integer with the precisions */
export function checkLargest(
  file: string,
  entries: Parameters<typeof largestUnits>[0],
  precisions: TapePrecisions,
): void {
  const { price, qty } = largestUnits(entries, precisions)
  if (Math.max(price, qty) <= Number.MAX_SAFE_INTEGER) return
  const [what, digits] =
    price > Number.MAX_SAFE_INTEGER ? ['price', precisions.pricePrecision] : ['quantity', precisions.qtyPrecision]
  throw new InputError(file, `expected a ${what} of at most 2^53 - 1 units of 10^-${digits} in every row`)
}

function checkPrecision(file: string, what: string, needed: number, given: number): void {
  if (Number.isInteger(given) && given >= needed && given <= MAX_PRECISION) return
  throw new InputError(file, `expected ${needed} to ${MAX_PRECISION} decimals of the ${what}, got ${given}`)
}
