import { Decimal as PlainDecimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf, toDecimal, type Decimal } from '../../src/domain/decimal.ts'

const MESSAGE =
  'a Decimal has no + - * / < > or ==: use plus, minus, times, div, lessThan, greaterThan, equals; ' +
  'toNumber() for a double, a template for a text'

/** 9 and 10, whose texts compare the other way round; `any` here, because most of this does not compile otherwise. */
const [nine, ten] = [decimalOf(9, 0), toDecimal('10')] as const
const run = (code: string): unknown =>
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- an operator between two types that the compiler would refuse
  (new Function('nine', 'ten', `return ${code}`) as (a: Decimal, b: Decimal) => unknown)(nine, ten)

describe('an operator on a decimal', () => {
  it.each([
    ...['nine > ten', 'nine < ten', 'nine >= ten', 'nine <= ten', 'nine > 5', '5 < nine', "nine < '10'"],
    ...['nine + ten', 'nine + 1', '1 + nine', "nine + ' USD'", "'at ' + nine"],
    ...['nine - ten', 'nine * ten', 'nine / ten', 'nine % ten', 'nine ** 2', '-nine', '+nine', '~nine', 'nine | 0'],
    ...['nine == 9', 'nine != 9', "'9' == nine", 'nine == 9n'],
    ...['Number(nine)', 'BigInt(nine)', 'isNaN(nine)', 'isFinite(nine)', 'new Date(nine)'],
    ...['Math.max(nine, ten)', 'Math.abs(nine)', 'Math.round(nine)', '[ten, nine].sort((a, b) => a - b)'],
  ])('is refused with the name of what to use instead: %s', (code) => {
    expect(() => run(code)).toThrow(new TypeError(MESSAGE))
  })

  it.each`
    code                         | expected          | why
    ${'`${nine} USD`'}           | ${'9 USD'}        | ${'a template'}
    ${'String(ten)'}             | ${'10'}           | ${'a text asked for by name'}
    ${'[nine, ten].join()'}      | ${'9,10'}         | ${'a text of several'}
    ${'({ 9: "found" })[nine]'}  | ${'found'}        | ${'a key'}
    ${'JSON.stringify({ ten })'} | ${'{"ten":"10"}'} | ${'JSON'}
    ${'nine.toNumber() + 1'}     | ${10}             | ${'a double asked for by name'}
    ${'nine === nine'}           | ${true}           | ${'one object'}
    ${'nine === ten'}            | ${false}          | ${'two objects'}
    ${'Boolean(nine) && !!ten'}  | ${true}           | ${'an object is there'}
    ${'nine == null'}            | ${false}          | ${'no coercion'}
    ${'typeof nine'}             | ${'object'}       | ${'no coercion either'}
  `('is not what $code is: $why', ({ code, expected }) => expect(run(code as string)).toBe(expected))

  it('is refused on what came out of a calculation, too', () => {
    for (const made of [nine.plus(1), nine.div(7).sqrt(), toDecimal(new PlainDecimal(9)), toDecimal(9).abs()]) {
      expect(() => made > ten).toThrow(MESSAGE)
    }
  })

  it('is refused again after a method of decimal.js that uses some inside', () => {
    expect(() => nine.clamp(5, 1)).toThrow('[DecimalError] Invalid argument: 1')
    expect(nine.sqrt().toFixed()).toBe('3')
    expect(() => nine > ten).toThrow(MESSAGE)
  })

  it('is no matter of ours on the decimals of another library', () => {
    expect(new PlainDecimal(9) < new PlainDecimal(10)).toBe(false)
    expect(Number(new PlainDecimal(9))).toBe(9)
  })
})

/** Digits and rounding of ours, operators and all: what every method must give. */
const Plain = PlainDecimal.clone({ precision: 64, toExpNeg: -64, toExpPos: 64, defaults: true })

const METHODS = Object.entries(PlainDecimal.prototype as unknown as Record<string, unknown>)
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => name)

/**
 * Those that take a number of digits and a rounding mode: a decimal in their place is refused like any other misuse.
 */
const COUNTED =
  /^(sd|precision|to(Binary|DecimalPlaces|DP|Exponential|Fixed|Hex.*|Octal|Precision|SD|SignificantDigits))$/

/** What a method gives or throws, as a text; a minus before zero counts. */
function outcome(value: Decimal, name: string, args: readonly unknown[]): string {
  try {
    const given = (value as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(...args)
    return JSON.stringify(given)
  } catch (error) {
    return String(error)
  }
}

describe('the methods of decimal.js', () => {
  // Small ones, because a hyperbolic cosine of a large one takes minutes.
  const number = fc.oneof(
    fc.constantFrom('0', '-0', '1', '-1', '0.5', '2', '8', '-27', 'NaN', 'Infinity', '-Infinity', '1e-7', '19.99'),
    fc.integer({ min: -900, max: 900 }).map((units) => String(units / 100)),
  )

  it('are all looked at', () => expect(METHODS.length).toBeGreaterThan(100))

  it.each(METHODS)('give on ours what they give on others: %s', (name) => {
    const takesCounts = COUNTED.test(name)
    fc.assert(
      fc.property(number, number, fc.nat(8), (text, other, count) => {
        const of = (make: (value: string) => Decimal): readonly string[] => {
          const args = takesCounts ? [count, 3] : [make(other), name === 'toNearest' ? 3 : make(text)]
          return [0, 1, 2].map((length) => outcome(make(text), name, args.slice(0, length)))
        }
        expect(of(toDecimal)).toEqual(of((value) => new Plain(value)))
      }),
      { numRuns: 10 },
    )
  })
})
