/** Removes a key from texts in which a service may have echoed it. */

/** Shorter pieces are words that may occur in any text. */
const MIN_PIECE = 6

/** Replaces the key, and each part of it between underscores, with asterisks. */
export function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key === '') return text
  const pieces = [key, ...key.split('_')].filter((piece) => piece === key || piece.length >= MIN_PIECE)
  return pieces.reduce((shown, piece) => shown.replaceAll(piece, '***'), text)
}
