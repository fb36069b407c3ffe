/**
 * Makes operators on papertape's decimals throw: JavaScript would compare two of them as texts, so that 9 is above 10.
 *
 * Known limit: `===`, and `==` between two decimals, compare object identity; no object can prevent that.
 */

const MESSAGE =
  'a Decimal has no + - * / < > or ==: use plus, minus, times, div, lessThan, greaterThan, equals; ' +
  'toNumber() for a double, a template for a text'

/** Methods in which decimal.js itself converts a decimal to a double for a first guess, or to a text for an error. */
const COERCING = [
  ...(['squareRoot', 'sqrt', 'cubeRoot', 'cbrt', 'toPower', 'pow'] as const),
  ...(['clampedTo', 'clamp', 'toFraction'] as const),
]

type Method = (this: unknown, ...args: unknown[]) => unknown

/** A decimal, as far as it matters here. */
type Coercible = Readonly<Record<(typeof COERCING)[number], unknown>> & { valueOf(): string; toString(): string }

/**
 * A prototype that has everything of `base`, and whose objects throw a TypeError when an operator is used on them.
 *
 * Templates, `String(x)` and JSON are as before. A new prototype, because that of decimal.js is one for all its
 * constructors.
 */
export function withoutOperators<Base extends Coercible>(base: Base): Base {
  let depth = 0
  const allowing = (method: Method): Method =>
    function (...args) {
      depth += 1
      try {
        return method.apply(this, args)
      } finally {
        depth -= 1
      }
    }
  const own = {
    ...Object.fromEntries(COERCING.map((name) => [name, allowing(base[name] as Method)])),
    toNumber(this: Base): number {
      return Number(this.valueOf())
    },
    [Symbol.toPrimitive](this: Base, hint: string): string {
      if (hint === 'string') return this.toString()
      if (depth > 0) return this.valueOf()
      throw new TypeError(MESSAGE)
    },
  }
  return Object.create(base, Object.getOwnPropertyDescriptors(own)) as Base
}
