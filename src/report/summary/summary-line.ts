/**
 * One line of the summary: a label in its column and a text, or a text over the whole width.
 */
import pc from 'picocolors'
import { cutToWidth, printable } from '../terminal-text.ts'

export const SUMMARY_WIDTH = 80

/** Width of the column of labels; the text has the rest. */
const LABEL_WIDTH = 13
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

/** The line as it is printed: at most 80 columns without its colours, unless it has to be whole. */
export function printedLine({ label, text, tone, isWhole = false }: SummaryLine, colour: boolean): string {
  const colours = pc.createColors(colour)
  const painted = { plain: String, good: colours.green, bad: colours.red, warning: colours.yellow }[tone]
  const width = label === undefined ? SUMMARY_WIDTH : LABELLED_WIDTH
  const fitting = isWhole ? printable(text) : cutToWidth(printable(text), width)
  return label === undefined ? painted(fitting) : colours.dim(label.padEnd(LABEL_WIDTH)) + painted(fitting)
}
