import { describe, expect, it } from 'vitest'
import { NEVER } from 'rxjs'
import { z } from 'zod'
import { InputError } from '../../../src/domain/errors.ts'
import { paramInfos, readParams, reportedParams } from '../../../src/runtime/strategies/params.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'

const strategy = defineStrategy({
  name: 'mine',
  params: z
    .object({
      symbol: z.string().describe('market'),
      fast: z.int().min(1).default(10).describe('candles'),
      slow: z.int().default(30),
      share: z.number().gt(0).max(1).default(0.95),
      isLong: z.boolean().default(true),
      mode: z.enum(['a', 'b']).default('a'),
      levels: z.array(z.number()).default([1, 2]),
      note: z.string().nullable().optional(),
      stop: z.number().nullable().default(null),
    })
    .refine(({ fast, slow }) => fast < slow, { path: ['fast'], message: 'expected fast below slow' }),
  run: () => NEVER,
})

const DEFAULTS = {
  symbol: 'BTC_USD',
  fast: 10,
  slow: 30,
  share: 0.95,
  isLong: true,
  mode: 'a',
  levels: [1, 2],
  stop: null,
}

const read = (texts: Readonly<Record<string, string>> = {}, values: Readonly<Record<string, unknown>> = {}): unknown =>
  readParams(strategy, { texts, values, symbol: 'BTC_USD' })

/** `where: message` of the refusal. */
function refusal(texts: Readonly<Record<string, string>>, values: Readonly<Record<string, unknown>> = {}): string {
  try {
    read(texts, values)
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return (error as InputError).message
  }
  throw new Error('it was not refused')
}

describe('a parameter', () => {
  it('has its default, and the symbol that of the tape', () => {
    expect(read()).toEqual(DEFAULTS)
  })

  it.each`
    name        | text         | value        | why
    ${'symbol'} | ${'ETH_USD'} | ${'ETH_USD'} | ${'the symbol that is given wins'}
    ${'fast'}   | ${'12'}      | ${12}        | ${'an integer'}
    ${'slow'}   | ${'1e3'}     | ${1_000}     | ${'an exponent that is a whole number'}
    ${'share'}  | ${'0.5'}     | ${0.5}       | ${'a number'}
    ${'isLong'} | ${'false'}   | ${false}     | ${'a boolean'}
    ${'mode'}   | ${'b'}       | ${'b'}       | ${'one of a list'}
    ${'levels'} | ${'[3,4]'}   | ${[3, 4]}    | ${'an array as JSON'}
    ${'note'}   | ${'12'}      | ${'12'}      | ${'text stays text, digits or not'}
    ${'note'}   | ${''}        | ${''}        | ${'also empty'}
    ${'stop'}   | ${'0.1'}     | ${0.1}       | ${'a number or null'}
    ${'stop'}   | ${'null'}    | ${null}      | ${'a number or null'}
  `('$name=$text is $value: $why', ({ name, text, value }) => {
    expect(read({ [String(name)]: String(text) })).toEqual({ ...DEFAULTS, [String(name)]: value })
  })

  it('as text wins over the same as a value', () => {
    expect(read({ fast: '12' }, { fast: 20, slow: 40 })).toMatchObject({ fast: 12, slow: 40 })
  })

  it('as a value is not coerced', () => {
    expect(read({}, { levels: [5], share: 1 })).toMatchObject({ levels: [5], share: 1 })
    expect(refusal({}, { fast: '12' })).toMatch(/^params.fast: /)
  })
})

it('that its schema makes something else than JSON of is reported as it was given', () => {
  const params = z.object({ size: z.string().default('5').transform(BigInt) })
  const lots = defineStrategy({ name: 'lots', params, run: () => NEVER })
  const given = { texts: { size: '7' }, values: {}, symbol: 'BTC_USD' }
  expect(readParams(lots, given)).toEqual({ size: 7n })
  expect(reportedParams(lots, given, readParams(lots, given))).toEqual({ size: '7' })
})

describe('is refused', () => {
  it.each`
    texts                           | message                                                                       | why
    ${{ fats: '12' }}               | ${"params.fats: strategy 'mine' has no such parameter; did you mean 'fast'?"} | ${'a name that is mistyped'}
    ${{ zzzzzz: '1' }}              | ${/has no such parameter; it has symbol, fast, slow, share/}                  | ${'a name that is like none'}
    ${{ constructor: '1' }}         | ${/has no such parameter/}                                                    | ${'a name that every object has'}
    ${{ fast: 'twelve' }}           | ${"params.fast: expected a number, got 'twelve'"}                             | ${'text for a number'}
    ${{ fast: '' }}                 | ${"params.fast: expected a number, got ''"}                                   | ${'nothing for a number'}
    ${{ fast: ' 1' }}               | ${/expected a number/}                                                        | ${'a space'}
    ${{ fast: '0x10' }}             | ${/expected a number/}                                                        | ${'a number of another base'}
    ${{ share: 'NaN' }}             | ${/expected a number/}                                                        | ${'NaN'}
    ${{ share: 'Infinity' }}        | ${/expected a number/}                                                        | ${'Infinity'}
    ${{ share: '1e400' }}           | ${/^params.share: /}                                                          | ${'more than a number can be'}
    ${{ fast: '1.5' }}              | ${/^params.fast: /}                                                           | ${'no integer'}
    ${{ fast: '9007199254740993' }} | ${/^params.fast: /}                                                           | ${'an integer that a number cannot tell from the next'}
    ${{ fast: '0' }}                | ${/^params.fast: /}                                                           | ${'out of range'}
    ${{ isLong: '1' }}              | ${"params.isLong: expected true or false, got '1'"}                           | ${'no boolean'}
    ${{ mode: 'c' }}                | ${/^params.mode: /}                                                           | ${'none of the list'}
    ${{ levels: '3,4' }}            | ${/^params.levels: /}                                                         | ${'no JSON'}
    ${{ fast: '40' }}               | ${'params.fast: expected fast below slow'}                                    | ${'against a rule of the strategy'}
  `('$texts: $why', ({ texts, message }) => {
    expect(refusal(texts)).toMatch(message)
  })

  it('a value of a name that it does not have', () => {
    expect(refusal({}, { fats: 12 })).toMatch(/did you mean 'fast'/)
  })

  it('a value that no JSON holds', () => {
    expect(refusal({}, { levels: [1, 5n] })).toBe('params.levels: expected JSON, got a bigint at 1')
  })

  it('a symbol of a strategy that has none', () => {
    const without = defineStrategy({ name: 'mine', params: z.object({}), run: () => NEVER })
    expect(readParams(without, { texts: {}, values: {}, symbol: 'BTC_USD' })).toEqual({})
    expect(() => readParams(without, { texts: { symbol: 'A_B' }, values: {}, symbol: 'BTC_USD' })).toThrow(
      /it has none/,
    )
  })
})

it('are listed for a help text', () => {
  const infos = paramInfos(strategy).map(({ name, type, defaultValue, isRequired, description }) =>
    [name, type, defaultValue ?? '-', isRequired ? 'required' : 'optional', description].join(' '),
  )
  expect(infos.map((info) => info.trim())).toEqual([
    'symbol string - required market',
    'fast integer 10 optional candles',
    'slow integer 30 optional',
    'share number 0.95 optional',
    'isLong boolean true optional',
    'mode a | b "a" optional',
    'levels array [1,2] optional',
    'note string | null - optional',
    'stop number | null null optional',
  ])
})
