/**
 * Tells a call by another copy of RxJS than that of papertape, whose timers and clock nothing leads.
 *
 * Ours never asks the machine in a run, so whichever does is another. Two copies are there when a package is linked, or when the
 * versions that are asked for have nothing in common.
 */
import { fileURLToPath } from 'node:url'

const PROVIDER = /(?:\(|at )([^()\n]*[\\/]rxjs)[\\/]dist[\\/]\w+[\\/]internal[\\/]scheduler[\\/]\w+Provider\.js/

/** @param stack  of an error that was made within the call @returns the folder of the copy; undefined where none calls */
export function otherRxjs(stack: string | undefined): string | undefined {
  const [, place] = PROVIDER.exec(stack ?? '') ?? []
  return place?.startsWith('file:') === true ? fileURLToPath(place) : place
}
