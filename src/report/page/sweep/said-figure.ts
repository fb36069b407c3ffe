/**
 * A figure of `sweep.json` as the page shows it.
 */
import type { PageFigure } from '../page-data.ts'
import { figureText } from './figure-text.ts'
import type { SweptFigure } from './sweep-page-data.ts'

/** Label, form, definition. */
export type Said = readonly [label: string, form: SweptFigure['form'], definition: string]

/**
 * @param path  its name in `sweep.json`
 * @returns     none for what is not known
 */
export function saidFigure(
  path: string,
  [label, form, definition]: Said,
  value: number | null | undefined,
): readonly PageFigure[] {
  if (value === null || value === undefined) return []
  return [{ path, label, text: figureText({ form }, value), exact: String(value), tone: 'plain', definition }]
}
