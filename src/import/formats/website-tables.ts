/**
 * Habits of web sites whose tables of candles are written for people: a price with a currency, a volume in thousands,
 * the newest first.
 */
import type { Field } from '../csv/field.ts'
import type { Columns, Source } from './columns.ts'

interface Habit {
  readonly dialect: string
  /** Bare names that are all there. */
  readonly names: readonly string[]
  /** Bare names that stand for others here. */
  readonly renamed: Readonly<Record<string, string>>
}

const HABITS: readonly Habit[] = [
  { dialect: 'Investing.com candles', names: ['price', 'open', 'vol.', 'change_%'], renamed: { price: 'close' } },
  { dialect: 'Nasdaq candles', names: ['close/last', 'open'], renamed: {} },
]

export const habitOf = (bare: readonly string[]): Habit | undefined =>
  HABITS.find(({ names }) => names.every((name) => bare.includes(name)))

/** The columns as they are read where a site has the habit. */
export const withHabit = (columns: Columns, habit: Habit | undefined): Columns =>
  habit === undefined
    ? columns
    : { ...columns, dialect: habit.dialect, isAnyOrder: true, sources: columns.sources.map(withPlainCells) }

const PRICES: readonly Field[] = ['open', 'high', 'low', 'close']

function withPlainCells(source: Source): Source {
  if (PRICES.includes(source.field)) return { ...source, edit: plainPrice }
  return source.field === 'volume' ? { ...source, edit: plainVolume } : source
}

const EXPONENTS: Readonly<Record<string, string>> = { K: 'e3', M: 'e6', B: 'e9' }

/** `$1,234.50` is 1234.50. */
const plainPrice = (text: string): string =>
  /^\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(/[$,]/g, '') : text.replace(/^\$/, '')

/** `5.1K` is 5.1e3, which is read to the last digit, and a dash nothing. */
function plainVolume(text: string): string {
  if (text === '-' || text === 'N/A') return ''
  const [, digits, unit = ''] = /^([\d.]+)([KMB])$/.exec(text) ?? []
  return digits === undefined ? plainPrice(text) : `${digits}${EXPONENTS[unit] ?? ''}`
}
