/**
 * Rows of a label and a value of each run, in columns under a title.
 */
import { textWidth } from '../terminal-text.ts'
import type { Sides } from './compared-run.ts'

export interface LabelledRow extends Sides<string> {
  readonly label: string
}

export function labelledRows(title: string, rows: readonly LabelledRow[]): readonly string[] {
  const headed = [{ label: title, a: 'a', b: 'b' }, ...rows.map((row) => ({ ...row, label: `  ${row.label}` }))]
  const narrow = headed.filter((row) => !isWide(row))
  const widest = (of: (row: LabelledRow) => string): number => Math.max(...narrow.map((row) => textWidth(of(row))))
  const [labelWidth, aWidth] = [widest(({ label }) => label), widest(({ a }) => a)]
  const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))
  return headed.flatMap((row) => {
    const { label, a, b } = row
    if (isWide(row)) return [label, `    a  ${a}`, `    b  ${b}`]
    return [`${padded(label, labelWidth)}  ${padded(a, aWidth)}  ${b}`]
  })
}

/** Of a label and two values that leave no room for each other in 80 columns: a hash, say. */
const MOST = { label: 24, value: 26 }

const isWide = ({ label, a, b }: LabelledRow): boolean =>
  textWidth(label) > MOST.label || Math.max(textWidth(a), textWidth(b)) > MOST.value
