/**
 * One row of CSV by RFC 4180, except that it ends in a line feed alone.
 */

/** What cannot stand bare: a separator, a quote, a line end. */
const NEEDS_QUOTES = /[",\r\n]/

const csvField = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The fields as one line, line end included; an empty field is one that does not exist. */
export const csvRow = (fields: readonly string[]): string => `${fields.map(csvField).join(',')}\n`
