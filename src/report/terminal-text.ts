/**
 * Text that is cut and wrapped to columns of a terminal.
 *
 * Known limit: widths are per code point; terminals differ on emoji made of several.
 */

const COMBINING = /\p{M}/u
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/**
 * The same text, as wide, that moves no cursor: each white space becomes a blank, any other control or format
 * character `\ufffd`.
 */
export const printable = (text: string): string => text.replace(/\s/gu, ' ').replace(/\p{C}/gu, '\ufffd')

function columnsOf(character: string): number {
  if (COMBINING.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Columns that the text takes when it is printed. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** The text itself, or as much of its start as fits before an ellipsis. `width` >= 1. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let start = ''
  let columns = 0
  for (const character of text) {
    columns += columnsOf(character)
    if (columns > width - 1) break
    start += character
  }
  return `${start}…`
}

/**
 * Wraps text with a hanging indent. A word longer than `width`, such as a path, gets a line of its own.
 *
 * @param lead  text at the start of the first line; the default of `indent` is its width
 */
export function hangingLines(lead: string, text: string, width: number, indent = textWidth(lead)): string[] {
  const lines: string[] = []
  let line = lead
  let isEmpty = true
  for (const word of text.split(' ')) {
    const longer = isEmpty ? `${line}${word}` : `${line} ${word}`
    if (isEmpty || textWidth(longer) <= width) {
      line = longer
      isEmpty = false
      continue
    }
    lines.push(line)
    line = ' '.repeat(indent) + word
  }
  return [...lines, line]
}

/** Lines that are wider than the terminal, wrapped between words and indented; `columns` undefined wraps none. */
export const wrappedText = (text: string, columns: number | undefined): string =>
  columns === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => {
          const lead = /^ */.exec(line)?.[0] ?? ''
          return hangingLines(lead, line.slice(lead.length), columns, lead.length + 2)
        })
        .join('\n')

/** A piece of a line, and how important it is: the higher, the longer it stays. */
export type RankedPiece = readonly [text: string, importance: number]

/** Pieces two blanks apart in at most `width` columns; of those that do not fit, the least important are left out. */
export function fittingLine(pieces: readonly RankedPiece[], width: number): string {
  const shown = pieces.filter(([text]) => text !== '')
  const line = shown.map(([text]) => text).join('  ')
  if (textWidth(line) <= width) return line
  if (shown.length < 2) return cutToWidth(line, width)
  const least = Math.min(...shown.map(([, importance]) => importance))
  return fittingLine(
    shown.filter(([, importance]) => importance !== least),
    width,
  )
}

/** Pieces with blanks between them, as many as fit in each line of at most `width` columns; a longer piece is cut. */
export function wrapPieces(pieces: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    const longer = `${last ?? ''} ${piece}`
    if (last !== undefined && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(cutToWidth(piece, width))
  }
  return lines
}
