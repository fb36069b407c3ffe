/**
 * `plot` and `note` of a strategy's context: rows that the run records beside its orders, for charts.
 *
 * Invariant: invalid rows are refused with or without a listener, and a row has the same text on every machine.
 */
import { toDecimal, type DecimalInput } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { escapeControls } from '../../domain/escape-controls.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { Turn } from './turn.ts'

/** A plotted value. */
export interface PlotRow {
  /** Unix milliseconds; virtual in a backtest. */
  readonly time: number
  /** Name of the line. */
  readonly name: string
  /** Exact decimal string; with an exponent beyond 64 digits. */
  readonly value: string
}

/** A plotted value: the number that the strategy passed, or its exact text. Not every listener needs a text. */
export interface PlotPoint extends Omit<PlotRow, 'value'> {
  readonly value: number | string
}

export const plotRowOf = ({ time, name, value }: PlotPoint): PlotRow => ({
  time,
  name,
  value: typeof value === 'string' ? value : numberText(value),
})

/** A note of the strategy. */
export interface NoteRow {
  /** Unix milliseconds; virtual in a backtest. */
  readonly time: number
  /** Text of the note, of any number of lines. */
  readonly text: string
}

/** Receives the rows as they are recorded. */
export interface PlotSink {
  onPlot?: ((plot: PlotPoint) => void) | undefined
  onNote?: ((note: NoteRow) => void) | undefined
}

/** Calls the sink outside the strategy's turn. A sink without plots stays without, so that no text is made for them. */
export const drawnOutside = (turn: Pick<Turn, 'outside'>, sink: PlotSink): PlotSink => ({
  onPlot:
    sink.onPlot &&
    ((plot) => {
      turn.outside(() => {
        sink.onPlot?.(plot)
      })
    }),
  onNote: (note) => {
    turn.outside(() => {
      sink.onNote?.(note)
    })
  },
})

export interface PlotCommandsOptions {
  readonly sink: PlotSink
  readonly now: () => number
  /** Whether a row is recorded now. @throws if the strategy may not draw now */
  readonly isRecorded: () => boolean
  /** Ends the session after a row could not be saved. */
  readonly fail: (error: unknown) => void
}

export function plotCommands({
  sink,
  now,
  isRecorded,
  fail,
}: PlotCommandsOptions): Pick<StrategyContext<unknown>, 'plot' | 'note'> {
  const record = (take: (time: number) => void): void => {
    if (!isRecorded()) return
    try {
      take(now())
    } catch (error) {
      // Even if the strategy catches it, because later rows would be incomplete.
      fail(error)
      throw error
    }
  }
  const checked = new Set<unknown>()
  return {
    plot: (name, value) => {
      if (!checked.has(name)) {
        checkName(name)
        if (checked.size < MAX_CHECKED) checked.add(name)
      }
      if (sink.onPlot === undefined && Number.isFinite(value)) return void isRecorded()
      const plotted = typeof value === 'number' && Number.isFinite(value) ? value : valueText(name, value)
      record((time) => sink.onPlot?.({ time, name, value: plotted }))
    },
    note: (text) => {
      checkText('note', 'a text', text)
      record((time) => sink.onNote?.({ time, text }))
    },
  }
}

/** The name occurs in every row, and in messages. */
const MAX_NAME_CHARACTERS = 200
/** Maximum number of names that are not checked again. */
const MAX_CHECKED = 1_000

function checkName(name: unknown): void {
  checkText('plot', 'a name', name)
  if (String(name).length <= MAX_NAME_CHARACTERS) return
  throw new InputError('plot', `expected a name of at most ${MAX_NAME_CHARACTERS} characters, found ${shown(name)}`)
}

/** Strategies in JavaScript may pass anything. */
function checkText(where: string, what: string, text: unknown): void {
  if (typeof text !== 'string' || text === '') throw new InputError(where, `expected ${what}, found ${shown(text)}`)
  // No file could store it unchanged.
  if (HALF_CHARACTER.test(text)) throw new InputError(where, `${shown(text)} contains half of a surrogate pair`)
}

const HALF_CHARACTER = /\p{Surrogate}/u

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** @throws {InputError} if it is not a finite number */
function valueText(name: string, value: unknown): string {
  const decimal = decimalIn(value)
  if (decimal === undefined || !Number.isFinite(decimal.toNumber()))
    throw new InputError(
      `plot('${escapeControls(name)}')`,
      `expected a finite number, found ${shown(value)}${isNothingYet(value) ? NOT_YET : ''}`,
    )
  return decimal.isZero() ? '0' : decimal.toString()
}

/** @param value  finite */
export function numberText(value: number): string {
  // JavaScript prints such a number without an exponent: its text is exact.
  const isPlain = value === 0 || (Math.abs(value) >= 1e-6 && Math.abs(value) < 1e21)
  return isPlain ? String(value) : toDecimal(value).toString()
}

const NOT_YET = ': do not plot until it has a value; an indicator needs its warm-up first'

const isNothingYet = (value: unknown): boolean => value === undefined || value === null || Number.isNaN(value)

function decimalIn(value: unknown): ReturnType<typeof toDecimal> | undefined {
  const isNumber = typeof value === 'string' ? NUMBER.test(value) : typeof value === 'number' || isObject(value)
  if (!isNumber) return undefined
  try {
    return toDecimal(value as DecimalInput)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const MAX_SHOWN = 60

function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  return isObject(value) && !('toFixed' in value) ? 'an object' : String(value)
}
