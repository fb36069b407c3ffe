/**
 * A figure of `sweep.json` as the page shows it.
 */
import type { PageFigure } from '../page-data.ts'
import { figureText } from './figure-text.ts'
import type { SweptFigure } from './sweep-page-data.ts'

/** Label, form, definition. */
export type Said = readonly [label: string, form: SweptFigure['form'], definition: string]

/**
 * @param path  name in `sweep.json`
 * @returns     empty for an unknown value
 */
export function saidFigure(
  path: string,
  [label, form, definition]: Said,
  value: number | null | undefined,
): readonly PageFigure[] {
  if (value === null || value === undefined) return []
  return [{ path, label, text: figureText({ form }, value), exact: String(value), tone: 'plain', definition }]
}
