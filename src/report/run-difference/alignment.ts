/**
 * Alignment of two request sequences: stretches that are equal, and the stretches between them.
 *
 * Invariant: swapping the sequences swaps the stretches; each request is in exactly one. Known limit: a greedy search.
 * After a divergence it takes the nearest match within the next 256 requests; if there is none, it moves on by 128 in
 * both.
 */
import { firstIndex } from '../../domain/first-index.ts'

/** One stretch: [from, to) in each sequence. */
export interface Stretch {
  readonly isSame: boolean
  readonly a: Span
  readonly b: Span
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** Search window, in requests. */
const REACH = 256

/** Consecutive requests that must be equal: a single one may match by chance. */
const ALIKE = 2

export function aligned(a: readonly string[], b: readonly string[]): readonly Stretch[] {
  // Fixes the order of the sequences, so that ties do not depend on which one is named first.
  if (!isBefore(b, a)) return alignedInOrder(a, b)
  return alignedInOrder(b, a).map(({ isSame, a: ofB, b: ofA }) => ({ isSame, a: ofA, b: ofB }))
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  const index = a.findIndex((words, at) => words !== b[at])
  if (index < 0) return false
  const other = b[index]
  return other !== undefined && (a[index] ?? '') < other
}

function alignedInOrder(a: readonly string[], b: readonly string[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  const places = placesOf(b)
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [fromA, fromB] = [i, j]
    while (i < a.length && a[i] === b[j]) [i, j] = [i + 1, j + 1]
    if (i > fromA) stretches.push({ isSame: true, a: { from: fromA, to: i }, b: { from: fromB, to: j } })
    if (i >= a.length && j >= b.length) break
    const [partedA, partedB] = [i, j]
    ;[i, j] = nextAlike(a, b, places, i, j)
    stretches.push({ isSame: false, a: { from: partedA, to: i }, b: { from: partedB, to: j } })
  }
  return stretches
}

type Places = ReadonlyMap<string, readonly number[]>

function placesOf(all: readonly string[]): Places {
  const places = new Map<string, number[]>()
  all.forEach((words, index) => {
    const known = places.get(words)
    if (known === undefined) places.set(words, [index])
    else known.push(index)
  })
  return places
}

/** Next position from which both are equal, or both ends. */
function nextAlike(
  a: readonly string[],
  b: readonly string[],
  places: Places,
  fromA: number,
  fromB: number,
): readonly [number, number] {
  let [i, j] = [fromA, fromB]
  while (i < a.length && j < b.length) {
    const found = nearest(a, b, places, i, j)
    if (found !== undefined) return found
    // Nothing is near. Smaller steps would search the same positions repeatedly.
    ;[i, j] = [i + REACH / 2, j + REACH / 2]
  }
  return [a.length, b.length]
}

function nearest(
  a: readonly string[],
  b: readonly string[],
  places: Places,
  i: number,
  j: number,
): readonly [number, number] | undefined {
  let found: readonly [number, number] | undefined
  let fewest = REACH
  for (let skipped = 0; skipped < fewest && i + skipped < a.length; skipped += 1) {
    const known = places.get(a[i + skipped] ?? '') ?? []
    for (let index = firstFrom(known, j); index < known.length; index += 1) {
      const at = known[index] ?? j
      if (skipped + at - j >= fewest) break
      if (!isAlike(a, b, i + skipped, at)) continue
      fewest = skipped + at - j
      found = [i + skipped, at]
    }
  }
  return found
}

function isAlike(a: readonly string[], b: readonly string[], i: number, j: number): boolean {
  for (let offset = 0; offset < ALIKE; offset += 1) {
    if (a[i + offset] !== b[j + offset]) return false
  }
  return true
}

/** Index of the first of ascending numbers that is not below `least`. */
const firstFrom = (numbers: readonly number[], least: number): number =>
  firstIndex(0, numbers.length, (index) => (numbers[index] ?? 0) >= least)
