/**
 * Two sequences of requests laid beside each other: stretches in which both ask for the same, and those between, in
 * which they do not.
 *
 * Invariant: swapped sequences give the same stretches, swapped; each request is in exactly one. Known limit: after a
 * parting the nearest place is taken at which both go on alike, and it is looked for among the next 256 requests; from
 * where there is none, it is looked for 128 requests further on in both.
 */
import { firstIndex } from '../../domain/first-index.ts'

/** A stretch of both: [from, to) of each. */
export interface Stretch {
  readonly isSame: boolean
  readonly a: Span
  readonly b: Span
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** Requests that are looked through for a place to go on alike. */
const REACH = 256

/** Requests in a row that have to be alike there: one alone may be by chance. */
const ALIKE = 2

export function aligned(a: readonly string[], b: readonly string[]): readonly Stretch[] {
  // Of equally near places one has to be taken, whichever side is named first.
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

/** Where both go on alike again, or both ends. */
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
    // Nothing is near, so that going on in small steps would look at the same places again and again.
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
