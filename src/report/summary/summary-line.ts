/**
 * One line of the summary: a label in its column and a text, or a text over the whole width.
 */
import pc from 'picocolors'
import { cutToWidth, printable } from '../terminal-text.ts'

export const SUMMARY_WIDTH = 80

/** Labels have a column of their own; the text beside it has the rest. */
const LABEL_WIDTH = 13
export const LABELLED_WIDTH = SUMMARY_WIDTH - LABEL_WIDTH

/** Tone of a line, which says something to the reader before it is read. */
export type Tone = 'plain' | 'good' | 'bad' | 'warning'

export interface SummaryLine {
  readonly label?: string
  readonly text: string
  readonly tone: Tone
}

export const EMPTY_LINE: SummaryLine = { text: '', tone: 'plain' }

export const labelled = (label: string, text: string, tone: Tone = 'plain'): SummaryLine => ({ label, text, tone })

export const unlabelled = (text: string, tone: Tone = 'plain'): SummaryLine => ({ text, tone })

/** Lines under one label, which stands beside the first. */
export const labelledLines = (label: string, texts: readonly string[]): SummaryLine[] =>
  texts.map((text, index) => labelled(index === 0 ? label : '', text))

/** The line as it is printed: never wider than 80 columns, its colours aside. */
export function printedLine({ label, text, tone }: SummaryLine, colour: boolean): string {
  const colours = pc.createColors(colour)
  const painted = { plain: String, good: colours.green, bad: colours.red, warning: colours.yellow }[tone]
  const fitting = cutToWidth(printable(text), label === undefined ? SUMMARY_WIDTH : LABELLED_WIDTH)
  return label === undefined ? painted(fitting) : colours.dim(label.padEnd(LABEL_WIDTH)) + painted(fitting)
}
