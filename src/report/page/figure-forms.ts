/**
 * Figures of a run as a page shows them: each with its label, its text for people and its exact value.
 *
 * Invariant: `exact` is the JSON value of `run.json` at that path; `text` is the same value with fewer digits.
 */
import { isoTime } from '../../domain/time.ts'
import { readableAmount, readableChange, readableDuration, readablePercent, readableSigned } from '../readable.ts'
import type { PageFigure, Tone } from './page-data.ts'

/** Format of a value that is not null. */
export type FigureForm =
  'change' | 'percent' | 'ratio' | 'ratios' | 'changes' | 'duration' | 'time' | 'count' | 'amount' | 'money'

/** Placeholder for a missing value. */
export const NONE = '–'

/** Ratios above this are shown in scientific notation. */
const LARGE = 1e6

/** Definitions by name of the statistic. */
export type Definitions = Readonly<Record<string, string>>

/** Label, path in `run.json`, and format. */
export type FigureSpec = readonly [label: string, path: string, form: FigureForm]

export interface FigureTerms {
  /** Asset of every amount of money. */
  readonly unit: string
  /** Decimals of these amounts; undefined for all that are readable. */
  readonly decimals: number | undefined
  readonly definitions: Definitions
}

export function figureOf(
  [label, path, form]: FigureSpec,
  value: unknown,
  { unit, decimals, definitions }: FigureTerms,
): PageFigure {
  const definition = definitionOf(path, definitions)
  const exact = value === undefined ? 'null' : typeof value === 'string' ? value : JSON.stringify(value)
  if (value === null || value === undefined) return { path, label, text: NONE, exact, tone: 'plain', definition }
  const shown = textOf(form, value, decimals)
  const isMoney = form === 'amount' || form === 'money'
  return { path, label, text: isMoney ? `${shown} ${unit}` : shown, exact, tone: toneOf(form, value), definition }
}

/** Definitions of figures that are not statistics. */
const COUNTED: Definitions = {
  initialEquity: 'Starting balances at their first recorded prices.',
  finalEquity: 'Final balances at their last recorded prices.',
  orders: 'Orders accepted by the exchange.',
  fills: 'Fills of these orders; a trade between two of your own orders counts twice.',
}

/** @param path  in `run.json`; a part of a statistic, such as `profit.fees`, has the definition of the whole */
function definitionOf(path: string, definitions: Definitions): string {
  const names = path.split('.')
  const found = names.map((name) => definitions[name] ?? COUNTED[name]).find((text) => text !== undefined)
  return found ?? ''
}

function textOf(form: FigureForm, value: unknown, decimals: number | undefined): string {
  if (Array.isArray(value))
    return value.map((each) => textOf(form === 'changes' ? 'change' : 'ratio', each, decimals)).join(' to ')
  const text = String(value)
  switch (form) {
    case 'change':
    case 'changes':
      return readableChange(Number(value))
    case 'percent':
      return readablePercent(Number(value))
    case 'ratio':
    case 'ratios':
      return ratioText(Number(value))
    case 'duration':
      return readableDuration(Math.round(Number(value)))
    case 'time':
      return isoTime(Number(value))
    case 'count':
      return readableAmount(text)
    case 'amount':
      return readableAmount(text, decimals)
    case 'money':
      return readableSigned(typeof value === 'number' ? value.toFixed(2) : text, decimals)
  }
}

export function ratioText(value: number): string {
  if (Math.abs(value) >= LARGE) return value.toExponential(1)
  const text = value.toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

/** Only gains and losses have a tone other than plain. */
function toneOf(form: FigureForm, value: unknown): Tone {
  if (form !== 'change' && form !== 'money') return 'plain'
  const number = Number(value)
  if (number === 0 || Number.isNaN(number)) return 'plain'
  return number > 0 ? 'good' : 'bad'
}
