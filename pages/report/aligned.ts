/**
 * Decimals one below the other: spaces of the width of a digit take the place of those that a number has fewer behind
 * its point.
 */

const [DIGIT, POINT] = ['\u2007', '\u2008']

const placesOf = (text: string): number | undefined => {
  const [, rest = ''] = /^[+\-−]?[\d, ]+(\.\d+)?/.exec(text) ?? [undefined, undefined]
  return /^[+\-−]?\d/.test(text) ? rest.length : undefined
}

/** Unchanged where one of them is no number, such as a text that says why there is none. */
export function aligned(texts: readonly string[]): readonly string[] {
  const most = Math.max(0, ...texts.map((text) => placesOf(text) ?? 0))
  return texts.map((text) => {
    const places = placesOf(text)
    if (places === undefined || places === most) return text
    return text + (places === 0 ? POINT : '') + DIGIT.repeat(most - Math.max(1, places))
  })
}
