/** The known name that a mistyped one may have meant, for the end of an error message. */

/**
 * The name with the fewest edits (change, insert, delete or swap of letters), the first of equals; otherwise one of
 * which one name is a prefix of the other. Undefined if more than half of the letters would change. Case-insensitive.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Infinity
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= Math.max(name.length, candidate.length) / 2 && distance < fewest) {
      nearest = candidate
      fewest = distance
    }
  }
  return nearest ?? known.find((candidate) => isBegun(name, candidate) || isBegun(candidate, name))
}

const SHORTEST_BEGINNING = 2

const isBegun = (name: string, beginning: string): boolean =>
  beginning.length >= SHORTEST_BEGINNING && name.toLowerCase().startsWith(beginning.toLowerCase())

/** Suffix of an error message: `; did you mean 'price'?`, or empty. */
export function nearestNameHint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}

/** More than other edits, so that those take precedence. */
const SWAP = 1.25

/** Damerau-Levenshtein distance (optimal string alignment): a swap of two neighbours counts as one edit. */
function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]]
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of from.entries()) {
    const next = [index + 1]
    for (const [column, other] of to.entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = index > 0 && column > 0 && letter === to[column - 1] && from[index - 1] === other
      const swapped = isSwapped ? (before[column - 1] ?? 0) + SWAP : Infinity
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
