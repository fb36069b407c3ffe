import { from, of, range, take, throwError, toArray, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import * as papertape from '../../../src/index.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { indicator } from '../../../src/strategy/indicators/indicator.ts'
import type { CandleNumbers } from '../../../src/strategy/indicators/input.ts'
import { sma } from '../../../src/strategy/indicators/moving-averages.ts'
import { casesOf } from './rig/cases.ts'
import { generatedCandles } from './rig/generated-candles.ts'

function valuesOf<T>(source: Observable<T>): readonly T[] {
  const all: T[] = []
  source.subscribe((value) => all.push(value))
  return all
}

const candles = generatedCandles('walk', 60)

describe('an indicator as an operator', () => {
  it('gives what it gives when it is fed by hand, but for the warm-up', () => {
    for (const { indicator: each } of casesOf(4)) {
      const run = each.start()
      const byHand = candles.map((candle) => run.next(candle)).filter((value) => value !== undefined)
      expect(valuesOf(from(candles).pipe(each))).toEqual(byHand)
    }
  })

  it('has a run of its own for each subscriber', () => {
    const source = new HotStream<number>()
    const means = source.pipe(sma(2))
    const [first, second]: [number[], number[]] = [[], []]
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

  it('leaves a source that gives everything at once', () => {
    expect(valuesOf(range(1, Infinity).pipe(sma(2), take(2)))).toEqual([1.5, 2.5])
  })

  it.each([Number.NaN, Infinity, -Infinity, 1e101])(
    'ends with an error at %s, and what came before is reported',
    (bad) => {
      const reported: unknown[] = []
      const source = new HotStream<number>()
      source
        .pipe(sma(1))
        .subscribe({ next: (value) => reported.push(value), error: (error: unknown) => reported.push(error) })
      source.push(1)
      source.push(bad)
      source.push(2)
      expect(reported).toEqual([1, expect.any(InputError)])
      expect(String(reported[1])).toBe(`InputError: sma: expected finite numbers of at most 1e100 as input, got ${bad}`)
      expect(source.isWatched).toBe(false)
    },
  )
})

describe('inputs that are not finite', () => {
  const fields = ['highNumber', 'lowNumber', 'closeNumber', 'volumeNumber'] as const
  const READ: Readonly<Record<string, readonly (typeof fields)[number][]>> = {
    ...Object.fromEntries(['donchian', 'aroon', 'parabolicSar'].map((name) => [name, ['highNumber', 'lowNumber']])),
    ...Object.fromEntries(
      ['trueRange', 'atr', 'keltner', 'superTrend', 'stochastic', 'williamsR', 'cci', 'adx'].map((name) => [
        name,
        ['highNumber', 'lowNumber', 'closeNumber'],
      ]),
    ),
    obv: ['closeNumber', 'volumeNumber'],
    correlation: ['closeNumber', 'volumeNumber'],
    mfi: fields,
    vwap: fields,
  }

  it.each(casesOf(3))(
    '$name refuses them in every field that it reads, also while it warms up',
    ({ name, indicator: each }) => {
      for (const field of READ[name] ?? ['closeNumber']) {
        for (const bad of [Number.NaN, Infinity, 1e200, undefined, '5']) {
          const broken = { ...candles[0], [field]: bad } as unknown as CandleNumbers
          expect(() => each.start().next(broken), `${field} ${String(bad)}`).toThrow(InputError)
        }
      }
    },
  )

  it('values reads the field that it is given', () => {
    const [candle] = candles
    if (candle === undefined) throw new Error('no candle')
    const read = (of: papertape.CandleField): unknown => sma(1, { of }).start().next(candle)
    expect([read('open'), read('high'), read('low'), read('close'), read('volume')]).toEqual([
      ...[candle.openNumber, candle.highNumber, candle.lowNumber, candle.closeNumber, candle.volumeNumber],
    ])
    expect(() => sma(1, { of: 'bid' as 'open' })).toThrow(
      'sma: expected of to be one of open, high, low, close, volume, got bid',
    )
  })
})

describe('parameters', () => {
  const lengths = [
    'sma',
    'wma',
    'ema',
    'dema',
    'tema',
    'hma',
    'kama',
    'rsi',
    'roc',
    'momentum',
    'trix',
    'deviation',
  ] as const
  const more = [
    'bollinger',
    'zScore',
    'highest',
    'lowest',
    'donchian',
    'linearRegression',
    'correlation',
    'atr',
  ] as const
  const rest = ['williamsR', 'cci', 'adx', 'aroon', 'mfi'] as const
  const bad = [0, -1, 1.5, Number.NaN, Infinity, 1e9, '3', undefined] as number[]

  it.each([...lengths, ...more, ...rest])('%s refuses an n that is no length', (name) => {
    for (const n of bad) {
      expect(() => papertape[name](n)).toThrow(
        new RegExp(`^${name}: expected n to be an integer of [12] to 10000000, got`),
      )
    }
  })

  it.each`
    make                                              | message
    ${() => papertape.hma(1)}                         | ${'hma: expected n to be an integer of 2 to 10000000, got 1'}
    ${() => papertape.adx(1)}                         | ${'adx: expected n to be an integer of 2 to 10000000, got 1'}
    ${() => papertape.macd({ fast: 26 })}             | ${'macd: expected fast to be smaller than slow, got fast 26 and slow 26'}
    ${() => papertape.macd({ signal: 0 })}            | ${'macd: expected signal to be an integer of 1 to 10000000, got 0'}
    ${() => papertape.kama(10, { fast: 30 })}         | ${'kama: expected fast to be smaller than slow, got fast 30 and slow 30'}
    ${() => papertape.kama(10, { slow: 2.5 })}        | ${'kama: expected slow to be an integer of 1 to 10000000, got 2.5'}
    ${() => papertape.bollinger(20, 0)}               | ${'bollinger: expected k to be a number above 0 and at most 1000000, got 0'}
    ${() => papertape.superTrend(10, Number.NaN)}     | ${'superTrend: expected k to be a number above 0 and at most 1000000, got NaN'}
    ${() => papertape.superTrend(0, 3)}               | ${'superTrend: expected n to be an integer of 1 to 10000000, got 0'}
    ${() => papertape.keltner(20, { atr: 0, k: 2 })}  | ${'keltner: expected atr to be an integer of 1 to 10000000, got 0'}
    ${() => papertape.keltner(20, { atr: 9, k: -1 })} | ${'keltner: expected k to be a number above 0 and at most 1000000, got -1'}
    ${() => papertape.stochastic({ k: 0 })}           | ${'stochastic: expected k to be an integer of 1 to 10000000, got 0'}
    ${() => papertape.stochastic({ smooth: 1.5 })}    | ${'stochastic: expected smooth to be an integer of 1 to 10000000, got 1.5'}
    ${() => papertape.stochastic({ d: Infinity })}    | ${'stochastic: expected d to be an integer of 1 to 10000000, got Infinity'}
    ${() => papertape.parabolicSar({ step: 0.3 })}    | ${'parabolicSar: expected step to be a number above 0 and at most 0.2, got 0.3'}
    ${() => papertape.parabolicSar({ max: 2 })}       | ${'parabolicSar: expected max to be a number above 0 and at most 1, got 2'}
    ${() => papertape.vwap({ anchor: '2d' as '1d' })} | ${'vwap: expected anchor to be one of none, 1s, 5s, 15s, 30s, 1m, 5m, 15m, 30m, 1h, 4h, 1d, got 2d'}
    ${() => papertape.cooldown(-1)}                   | ${'cooldown: expected ms to be a number of at least 0, got -1'}
  `('$message', ({ make, message }) => {
    expect(make as () => unknown).toThrow(new InputError(...(String(message).split(/: (.*)/) as [string, string])))
  })
})

describe('one’s own', () => {
  const turnover = indicator({
    warmup: 1,
    start: () => ({ last: 0 }),
    step: (state, input: number) => {
      const change = input - state.last
      state.last = input
      return change
    },
  })

  it('is a state and a step, whose values count from the end of the warm-up on', () => {
    expect(valuesOf(of(5, 7, 4).pipe(turnover))).toEqual([2, -3])
    expect(valuesOf(of(9, 10).pipe(turnover))).toEqual([1])
    expect(turnover.warmup).toBe(1)
  })

  it.each([-1, 0.5, Number.NaN])('refuses a warm-up of %s', (warmup) => {
    expect(() => indicator({ warmup, start: () => ({ next: (input: number) => input }) })).toThrow(InputError)
  })
})

describe('sums over a window', () => {
  const WINDOWED = [
    'sma',
    'wma',
    'hma',
    'deviation',
    'bollinger',
    'zScore',
    'linearRegression',
    'correlation',
    'cci',
    'mfi',
  ]

  it.each(casesOf(5).filter(({ name }) => WINDOWED.includes(name)))(
    '$name keeps no trace of a huge value that has left the window',
    ({ run, first }) => {
      for (let row = 0; row < 12; row += 1) {
        const huge = { openNumber: 1e15, highNumber: 1e15, lowNumber: 1e15, closeNumber: 1e15, volumeNumber: 1e9 }
        const all = candles.map((candle, index) => (index === row ? { ...candle, ...huge } : candle))
        const after = row + first + 1
        const fresh = run(all.slice(after - first)).slice(first)
        run(all)
          .slice(after)
          .forEach((value, index) => {
            value?.forEach((number, field) => expect(number).toBeCloseTo(Number(fresh[index]?.[field]), 8))
          })
      }
    },
  )

  it.each(casesOf(7).filter(({ name }) => ['sma', 'wma', 'hma', 'highest', 'lowest'].includes(name)))(
    '$name of one price is that price to the last bit, after whatever came before',
    ({ run }) => {
      const flat = { openNumber: 0.1, highNumber: 0.1, lowNumber: 0.1, closeNumber: 0.1 }
      const all = candles.map((candle, index) => (index >= 20 ? { ...candle, ...flat } : candle))
      expect(new Set(run(all).slice(40).flat())).toEqual(new Set([0.1]))
    },
  )
})
