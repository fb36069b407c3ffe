/**
 * The known name that a mistyped one may have meant, for the end of an error message.
 */

/**
 * The name with the fewest letters to change, add or leave out, the first of equals; undefined when that would be more than half
 * of the letters. Case does not count.
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
  return nearest
}

/** For the end of an error message: `; did you mean 'price'?`, or nothing. */
export function nearestNameHint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
