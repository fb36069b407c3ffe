/**
 * Short texts as JSON strings.
 */

const LONGEST_PLAIN = 64

/** As JSON.stringify writes it, in less time where the text is a name or a number. */
export function quoted(text: string): string {
  const { length } = text
  if (length > LONGEST_PLAIN) return JSON.stringify(text)
  for (let at = 0; at < length; at += 1) if (!isPlain(text.charCodeAt(at))) return JSON.stringify(text)
  return `"${text}"`
}

/** Printable ASCII, but for the quote and the backslash. */
const isPlain = (code: number): boolean => code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c
