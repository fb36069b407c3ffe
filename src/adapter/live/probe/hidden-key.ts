/**
 * Texts that a service may have put a key into, made safe to show.
 */

/** Shorter pieces are words that any text may have. */
const LEAST_PIECE = 6

/** The text with stars for the key and for each piece of it between underscores. */
export function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key === '') return text
  const pieces = [key, ...key.split('_')].filter((piece) => piece === key || piece.length >= LEAST_PIECE)
  return pieces.reduce((shown, piece) => shown.replaceAll(piece, '***'), text)
}
