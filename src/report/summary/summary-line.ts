/** One line of the summary: a label in its column and a text, or a text over the whole width. */
import pc from 'picocolors'
import { cutToWidth, hangingLines, printable, textWidth, wrapPieces } from '../terminal-text.ts'

/** Columns reserved for `, and 999999 more` after a single item. */
const MORE_WIDTH = 17

/**
 * Items separated by commas; those that find no room are counted at the end as `and n more`.
 *
 * @param items  one that is longer than about a line is cut
 * @param width  columns of a line, at least 20
 * @returns      at most `maxLines` lines, maxLines >= 1
 */
export function itemLines(items: readonly string[], width: number, maxLines: number): string[] {
  const short = items.map((item) => cutToWidth(item, items.length > 1 ? width - MORE_WIDTH : width))
  for (let shown = items.length; shown > 0; shown -= 1) {
    const lines = commaLines(short.slice(0, shown), items.length - shown, width)
    if (lines.length <= maxLines) return lines
  }
  return []
}

function commaLines(items: readonly string[], missing: number, width: number): string[] {
  const all = missing === 0 ? items : [...items, `and ${missing} more`]
  return wrapPieces(
    all.map((item, index) => (index < all.length - 1 ? `${item},` : item)),
    width,
  )
}

export const SUMMARY_WIDTH = 80

/** Width of the column of labels; the text has the rest. */
export const LABEL_WIDTH = 13
export const LABELLED_WIDTH = SUMMARY_WIDTH - LABEL_WIDTH

/** Tone of a line, shown as its colour. */
export type Tone = 'plain' | 'good' | 'bad' | 'warning'

export interface SummaryLine {
  readonly label?: string
  readonly text: string
  readonly tone: Tone
  /** A path, for example, which is of no use without its end. */
  readonly isWhole?: boolean
}

export const EMPTY_LINE: SummaryLine = { text: '', tone: 'plain' }

export const labelled = (label: string, text: string, tone: Tone = 'plain'): SummaryLine => ({ label, text, tone })

export const unlabelled = (text: string, tone: Tone = 'plain'): SummaryLine => ({ text, tone })

/** Lines under one label, which is printed with the first. */
export const labelledLines = (label: string, texts: readonly string[]): SummaryLine[] =>
  texts.map((text, index) => labelled(index === 0 ? label : '', text))

/**
 * The line in lines of `width` columns, wrapped between words so that no number is cut. A word that is wider is cut,
 * unless the whole line is needed.
 */
export function wrappedLine(line: SummaryLine, width: number): readonly SummaryLine[] {
  const { label, isWhole = false } = line
  const text = printable(line.text)
  const room = Math.max(MIN_ROOM, width - (label === undefined ? 0 : LABEL_WIDTH))
  if (isWhole || textWidth(text) <= room) return [{ ...line, text }]
  return hangingLines('', text, room, label === undefined ? 2 : 0).map((part, index) => ({
    ...line,
    ...(label !== undefined && { label: index === 0 ? label : '' }),
    text: /^[-+.,\d…]+$/.test(part) ? part : cutToWidth(part, room),
  }))
}

/** Columns of text beside a label, however narrow the terminal is. */
const MIN_ROOM = 20

/** The line as it is printed. */
export function printedLine({ label, text, tone }: SummaryLine, colour: boolean): string {
  const colours = pc.createColors(colour)
  const painted = { plain: String, good: colours.green, bad: colours.red, warning: colours.yellow }[tone]
  return label === undefined ? painted(text) : colours.dim(label.padEnd(LABEL_WIDTH)) + painted(text)
}

/** Green for a gain, red for a loss. */
export function toneOf(change: number): Tone {
  if (change === 0) return 'plain'
  return change > 0 ? 'good' : 'bad'
}
