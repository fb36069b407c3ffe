import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/domain/decimal.ts'
import { paramValues } from '../../src/sweep/param-values.ts'

const values = (text: string): readonly string[] => paramValues('--param fast', text)

describe('values of a parameter', () => {
  it.each`
    text                | expected                           | why
    ${'5'}              | ${['5']}                           | ${'one value'}
    ${'20,50,100'}      | ${['20', '50', '100']}             | ${'a list, in its order'}
    ${'100,20'}         | ${['100', '20']}                   | ${'a list need not go upwards'}
    ${'5..20/5'}        | ${['5', '10', '15', '20']}         | ${'a range with both ends'}
    ${'5..19/5'}        | ${['5', '10', '15']}               | ${'a range that does not meet its end'}
    ${'1..3'}           | ${['1', '2', '3']}                 | ${'whole numbers go by 1'}
    ${'0.1..0.3/0.1'}   | ${['0.1', '0.2', '0.3']}           | ${'decimals are exact'}
    ${'0.10..0.30/0.1'} | ${['0.1', '0.2', '0.3']}           | ${'zeros at the end say nothing'}
    ${'1..2/0.5'}       | ${['1', '1.5', '2']}               | ${'the step may have more decimals'}
    ${'-1..1/0.5'}      | ${['-1', '-0.5', '0', '0.5', '1']} | ${'negative numbers'}
    ${'5..5/5'}         | ${['5']}                           | ${'a range of one'}
    ${'5..15/5,50'}     | ${['5', '10', '15', '50']}         | ${'both in one list'}
    ${'buy,sell'}       | ${['buy', 'sell']}                 | ${'texts'}
    ${'./a..b/c'}       | ${['./a..b/c']}                    | ${'a path is no range'}
    ${''}               | ${['']}                            | ${'an empty text is a value'}
  `('of $text are $expected: $why', ({ text, expected }) => expect(values(text)).toEqual(expected))

  it.each`
    text                    | error
    ${'1,,2'}               | ${'a value between commas'}
    ${'1,'}                 | ${'a value between commas'}
    ${'1,2,1'}              | ${"'1' is given twice"}
    ${'1..3,2'}             | ${"'2' is given twice"}
    ${'1..3/0'}             | ${'a step above 0'}
    ${'3..1/1'}             | ${'expected an ascending range'}
    ${'1..3/-1'}            | ${'a step above 0'}
    ${'1..3/x'}             | ${'FROM..TO/STEP'}
    ${'1..2..3'}            | ${'FROM..TO/STEP'}
    ${'0.1..0.5'}           | ${'needs a step'}
    ${'0..1000000000000/1'} | ${'1000000000001 values, more than 100000'}
  `('refuses $text: $error', ({ text, error }) => expect(() => values(text)).toThrow(error))

  it('hits every step of a range exactly, and goes no further than its end', () => {
    const decimal = fc.tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 0, max: 4 }))
    const write = ([units, scale]: readonly [number, number]): string => new Decimal(units).div(10 ** scale).toFixed()
    fc.assert(
      fc.property(decimal, fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 200 }), (from, step, count) => {
        const by = new Decimal(step).div(100)
        const to = new Decimal(write(from)).plus(by.times(count)).plus(by.div(2))
        const found = values(`${write(from)}..${to.toFixed()}/${by.toFixed()}`)
        const expected = Array.from({ length: count + 1 }, (_, index) => new Decimal(write(from)).plus(by.times(index)))
        expect(found).toEqual(expected.map((value) => value.toFixed()))
      }),
    )
  })
})
