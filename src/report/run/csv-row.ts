/** One row of CSV by RFC 4180, except that it ends in a line feed alone. */

/** Characters that require quotes: separator, quote, line end. */
const NEEDS_QUOTES = /[",\r\n]/

const csvField = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One line including the line feed; an empty field means no value. */
export const csvRow = (fields: readonly string[]): string => `${fields.map(csvField).join(',')}\n`
