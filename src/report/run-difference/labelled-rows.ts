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
  const widest = (of: (row: LabelledRow) => string): number => Math.max(...headed.map((row) => textWidth(of(row))))
  const [labelWidth, aWidth] = [widest(({ label }) => label), widest(({ a }) => a)]
  const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))
  return headed.map(({ label, a, b }) => `${padded(label, labelWidth)}  ${padded(a, aWidth)}  ${b}`)
}
