/** One row of CSV by RFC 4180, except that it ends in a line feed alone. */

const [LINE_FEED, RETURN, QUOTE, SEPARATOR] = [0x0a, 0x0d, 0x22, 0x2c]

/** Whether it has a separator, a quote or a line end. */
function needsQuotes(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === SEPARATOR || code === QUOTE || code === LINE_FEED || code === RETURN) return true
  }
  return false
}

/** The text of a field, in quotes if it needs them. */
export const csvField = (text: string): string => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line including the line feed; an empty field means no value. */
export function csvRow(fields: readonly string[]): string {
  let row = ''
  for (const field of fields) row += `${csvField(field)},`
  return `${row.slice(0, -1)}\n`
}
