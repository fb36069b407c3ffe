import fc from 'fast-check'
import { from, of, throwError, toArray, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { sma } from '../../../src/strategy/indicators/sma.ts'

function valuesOf<T>(source: Observable<T>): readonly T[] {
  const all: T[] = []
  source.subscribe((value) => all.push(value))
  return all
}

describe('sma', () => {
  it.each`
    period | values          | means        | why
    ${1}   | ${[3, 1, 2]}    | ${[3, 1, 2]} | ${'of one value is the value'}
    ${2}   | ${[3, 1, 2]}    | ${[2, 1.5]}  | ${'begins with the second'}
    ${3}   | ${[3, 1, 2, 9]} | ${[2, 4]}    | ${'lets go of the oldest'}
    ${4}   | ${[3, 1, 2]}    | ${[]}        | ${'has nothing to say before the window is full'}
  `('of $period over $values is $means: $why', ({ period, values, means }) => {
    expect(valuesOf(from(values as number[]).pipe(sma(Number(period))))).toEqual(means)
  })

  it('is the mean of the last values, bit for bit, however long it runs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 })),
        fc.integer({ min: 1, max: 9 }),
        (values, period) => {
          const windows = values.map((_, index) => values.slice(Math.max(0, index + 1 - period), index + 1))
          const means = windows
            .filter((window) => window.length === period)
            .map((window) => window.reduce((sum, value) => sum + value, 0) / period)
          expect(valuesOf(from(values).pipe(sma(period)))).toEqual(means)
        },
      ),
    )
  })

  it('carries no rounding error on: a huge value leaves no trace when it has left the window', () => {
    expect(valuesOf(from([1e16, 0.1, 0.1, 0.1]).pipe(sma(2))).slice(1)).toEqual([0.1, 0.1])
  })

  it('has a window of its own for each subscriber', () => {
    const source = new HotStream<number>()
    const means = source.pipe(sma(2))
    const first: number[] = []
    const second: number[] = []
    means.subscribe((value) => first.push(value))
    source.push(1)
    means.subscribe((value) => second.push(value))
    source.push(3)
    source.push(5)
    expect([first, second]).toEqual([[2, 4], [4]])
  })

  it('passes on an end and an error, and leaves its source when it is left', () => {
    const ends: string[] = []
    of(1)
      .pipe(sma(1), toArray())
      .subscribe({ next: (values) => ends.push(`end after ${String(values)}`) })
    throwError(() => new Error('broken'))
      .pipe(sma(1))
      .subscribe({ error: (error: unknown) => ends.push(String(error)) })
    expect(ends).toEqual(['end after 1', 'Error: broken'])
    const source = new HotStream<number>()
    source.pipe(sma(1)).subscribe().unsubscribe()
    expect(source.isWatched).toBe(false)
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses a period of %s', (period) => {
    expect(() => sma(period)).toThrow(InputError)
  })
})
