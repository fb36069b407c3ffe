/**
 * Several indicators in one row, and the moments that are read from them.
 */
import { from, of } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import * as papertape from '../../../src/index.ts'
import { changeOf, cooldown, crossing, crossOver, crossUnder, ema, indicators, macd, sma } from '../../../src/index.ts'
import { generatedCandles } from './rig/generated-candles.ts'

const candles = generatedCandles('walk', 40)

function listOf<T>(source: { subscribe: (next: (value: T) => void) => unknown }): T[] {
  const all: T[] = []
  source.subscribe((value) => all.push(value))
  return all
}

describe('indicators', () => {
  const set = indicators({ fast: sma(3), slow: ema(10), both: macd({ fast: 2, slow: 4, signal: 3 }) })

  it('emit for every candle once all are warm, each value of the candle beside it', () => {
    const rows = listOf(from(candles).pipe(set))
    expect(rows.map(({ candle }) => candle)).toEqual(candles.slice(9))
    const [fast, slow] = [sma(3).start(), ema(10).start()]
    const values = candles.map((candle) => [fast.next(candle), slow.next(candle)])
    expect(rows.map((row) => [row.fast, row.slow])).toEqual(values.slice(9))
    expect(rows[0]?.both.histogram).toBeTypeOf('number')
    expect(set.warmup).toBe(9)
  })

  it('plot each of their numbers at every row, and none before', () => {
    const plotted: (readonly [string, number])[] = []
    const plot = (name: string, value: number): void => void plotted.push([name, value])
    const named = { fast: sma(3), both: macd({ fast: 2, slow: 4, signal: 3 }) }
    const rows = listOf(from(candles).pipe(indicators(named, { plot })))
    expect(plotted).toEqual(
      rows.flatMap(({ fast, both }) => [
        ['fast', fast],
        ...Object.entries(both).map(([name, value]) => [`both ${name}`, value]),
      ]),
    )
    expect(new Set(plotted.map(([name]) => name)).size).toBe(4)
  })

  it('refuse to be none, and a name that the candle has', () => {
    expect(() => indicators({})).toThrow('indicators: expected at least one indicator')
    // @ts-expect-error -- the compiler says so as well
    expect(() => indicators({ candle: sma(2) })).toThrow(papertape.InputError)
  })

  it('say in their types what they take and give', () => {
    const numbers = of(1, 2, 3)
    const check = (): void => {
      // @ts-expect-error -- a range needs candles
      numbers.pipe(papertape.atr(2))
      // @ts-expect-error -- a correlation takes pairs
      indicators({ pairs: papertape.correlation(3) })
      const rows = from(candles).pipe(set)
      // @ts-expect-error -- there is no such name
      rows.subscribe((row) => row.middle)
    }
    expect(check).toBeTypeOf('function')
  })
})

const crossed = (values: readonly number[]): readonly string[] =>
  listOf(from(values.map((x, at) => ({ x, at }))).pipe(crossing(({ x }) => x))).map(
    ({ at, direction }) => `${at} ${direction}`,
  )

describe('a crossing', () => {
  it.each`
    values              | expected              | why
    ${[1, 2, 3]}        | ${[]}                 | ${'the first side is none'}
    ${[-1, 1]}          | ${['1 up']}           | ${'from below to above'}
    ${[1, -1, -2, 3]}   | ${['1 down', '3 up']} | ${'each once'}
    ${[1, 0, 1]}        | ${[]}                 | ${'touching is not crossing'}
    ${[1, 0, 0, -1]}    | ${['3 down']}         | ${'it crosses when it is on the other side'}
    ${[0, 0, 1]}        | ${[]}                 | ${'0 is no side to come from'}
    ${[0, 1, 0, -1, 0]} | ${['3 down']}         | ${'of touches before and after nothing is reported'}
  `('$values: $why', ({ values, expected }) => {
    expect(crossed(values as number[])).toEqual(expected)
  })

  it('is not made by rounding: averages of one price do not cross', () => {
    const flat = candles.map((candle, index) => (index < 12 ? candle : { ...candle, closeNumber: 0.1 }))
    const rows = from(flat).pipe(indicators({ fast: sma(3), slow: sma(7) }))
    const crossings = listOf(rows.pipe(crossing(({ fast, slow }) => fast - slow)))
    expect(crossings.filter(({ candle }) => flat.indexOf(candle) >= 20)).toEqual([])
  })

  it('is refused where there is no number', () => {
    expect(() => crossing(() => Number.NaN)).not.toThrow()
    let reported: unknown
    of({})
      .pipe(crossing(() => Number.NaN))
      .subscribe({ error: (error: unknown) => (reported = error) })
    expect(reported).toBeInstanceOf(papertape.InputError)
  })

  it('over and under pass the value itself, of two numbers or of one and a constant', () => {
    const values = [20, 40, 30, 25, 35, 20]
    expect(listOf(from(values).pipe(crossOver((x) => x, 30)))).toEqual([40, 35])
    expect(
      listOf(
        from(values).pipe(
          crossUnder(
            (x) => x,
            () => 30,
          ),
        ),
      ),
    ).toEqual([25, 20])
  })
})

it('a change needs something before it', () => {
  expect(listOf(from([1, 1, 2, 2, 1, Number.NaN, Number.NaN]).pipe(changeOf((x) => x)))).toEqual([2, 1, Number.NaN])
})

it('a cooldown lets the first of a time pass, and the first from its end on, by the time of the run', () => {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run(({ hot, expectObservable }) => {
    expectObservable(hot('ab--cd----e').pipe(cooldown(4))).toBe('a---c-----e')
  })
})
