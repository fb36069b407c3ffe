/**
 * `plot` and `note` alone: what is kept, to the last digit, and what is refused and how.
 */
import { Decimal as OtherDecimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, toDecimal } from '../../../src/domain/decimal.ts'
import { InputError } from '../../../src/domain/errors.ts'
import {
  plotCommands,
  plotRowOf,
  type NoteRow,
  type PlotRow,
  type PlotSink,
} from '../../../src/runtime/session/plot-commands.ts'

function words(sink: PlotSink = {}, isKept = (): boolean => true) {
  const [plots, notes, failures] = [[] as PlotRow[], [] as NoteRow[], [] as unknown[]]
  const reported: PlotSink = {
    onPlot: (plot) => void plots.push(plotRowOf(plot)),
    onNote: (note) => void notes.push(note),
    ...sink,
  }
  const drawing = plotCommands({
    sink: reported,
    now: () => 42,
    isRecorded: isKept,
    fail: (error) => void failures.push(error),
  })
  return { ...drawing, plots, notes, failures }
}

function valueOf(value: unknown): string | undefined {
  const { plot, plots } = words()
  plot('line', value as number)
  return plots[0]?.value
}

describe('a value', () => {
  it.each<readonly [unknown, string]>([
    [1, '1'],
    [0.1, '0.1'],
    [-0, '0'],
    [-1.5, '-1.5'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [Number.MIN_VALUE, '5e-324'],
    ['61000.10', '61000.1'],
    ['1e3', '1000'],
    ['.5', '0.5'],
    ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
    [`0.${'12'.repeat(60)}`, `0.${'12'.repeat(60)}`],
    [new Decimal('0.10000000000000000000000000001'), '0.10000000000000000000000000001'],
    [toDecimal('-0'), '0'],
    [new OtherDecimal('0.1234567890123456789012345'), '0.1234567890123456789012345'],
  ])('%s is kept as %s', (value, text) => {
    expect(valueOf(value)).toBe(text)
  })

  it('of any double is that double again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(valueOf(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it.each<readonly [unknown, string]>([
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('that is %s is none yet, and the message says what to do', (value, found) => {
    const todo = 'do not plot until it has a value; an indicator needs its warm-up first'
    expect(() => valueOf(value)).toThrow(
      new InputError("plot('line')", `expected a finite number, found ${found}: ${todo}`),
    )
  })

  it.each<readonly [unknown, string]>([
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Decimal(Number.NaN), 'NaN'],
    [new Decimal('-Infinity'), '-Infinity'],
    ['NaN', '"NaN"'],
    ['Infinity', '"Infinity"'],
    ['1e999', '"1e999"'],
    ['0x1f', '"0x1f"'],
    ['1_000', '"1_000"'],
    ['1,5', '"1,5"'],
    [' 1', '" 1"'],
    ['', '""'],
    [true, 'true'],
    [5n, '5n'],
    [Symbol('x'), 'Symbol(x)'],
    [{}, 'an object'],
    [[1], 'an object'],
    [() => 1, 'a function'],
    ['9'.repeat(1_000) + 'x', `"${'9'.repeat(60)}..."`],
  ])('%s is refused with the name of its line', (value, found) => {
    expect(() => valueOf(value)).toThrow(new InputError("plot('line')", `expected a finite number, found ${found}`))
  })
})

describe('a text', () => {
  it.each(['', undefined, 5, null])('%s is no name and no note', (text) => {
    const { plot, note } = words()
    expect(() => plot(text as string, 1)).toThrow(/^plot: expected a name, found /)
    expect(() => note(text as string)).toThrow(/^note: expected a text, found /)
  })

  it('of more than 200 characters is no name, and a note all the same', () => {
    const { plot, note, plots, notes } = words()
    plot('x'.repeat(200), 1)
    const found = `"${'x'.repeat(60)}..."`
    expect(() => plot('x'.repeat(201), 1)).toThrow(
      new InputError('plot', `expected a name of at most 200 characters, found ${found}`),
    )
    note('x'.repeat(201))
    expect([plots.length, notes.length]).toEqual([1, 1])
  })

  it('of several lines is a name, and reported on one line', () => {
    const { plot, plots } = words()
    plot('one\ntwo', 1)
    expect(plots[0]?.name).toBe('one\ntwo')
    expect(() => plot('one\ntwo', Number.POSITIVE_INFINITY)).toThrow(
      new InputError("plot('one\\ntwo')", 'expected a finite number, found Infinity'),
    )
  })

  it('with half of a character could not be kept as it is', () => {
    const { note, notes } = words()
    expect(() => note('cut \ud83d')).toThrow(/^note: .* contains half of a surrogate pair$/)
    note('whole 😀')
    expect(notes).toEqual([{ time: 42, text: 'whole 😀' }])
  })
})

describe('a row', () => {
  it('is not kept where none is, and what is wrong is refused all the same', () => {
    const { plot, note, plots, notes } = words({}, () => false)
    plot('line', 1)
    note('text')
    expect([plots, notes]).toEqual([[], []])
    expect(() => plot('line', Number.NaN)).toThrow(InputError)
  })

  it('that cannot be taken ends the session, whoever catches it', () => {
    const error = new InputError('plots.csv', 'cannot be written')
    const { plot, failures } = words({
      onPlot: () => {
        throw error
      },
    })
    expect(() => plot('line', 1)).toThrow(error)
    expect(failures).toEqual([error])
  })

  it('is refused to no one where no one takes it', () => {
    const { plot, note } = plotCommands({ sink: {}, now: () => 1, isRecorded: () => true, fail: () => undefined })
    expect(() => {
      plot('line', 1)
      note('text')
    }).not.toThrow()
    expect(() => {
      plot('line', Number.NaN)
    }).toThrow(InputError)
  })
})
