import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { conditionOf } from '../../src/sweep/condition.ts'

const PARAMS = { fast: '5', slow: '20', side: 'buy', on: 'true', share: '0.1' }
const asked = (text: string): boolean => conditionOf('--where', text, Object.keys(PARAMS))(PARAMS)

describe('a condition', () => {
  it.each`
    text                                   | expected | why
    ${'fast < slow'}                       | ${true}  | ${'numbers, not texts'}
    ${'fast>slow'}                         | ${false} | ${'blanks are not needed'}
    ${'fast <= 5 and slow >= 20'}          | ${true}  | ${'both'}
    ${'fast < 5 or slow > 19'}             | ${true}  | ${'one of both'}
    ${'fast < 5 || slow > 19 && fast > 9'} | ${false} | ${'and binds tighter than or'}
    ${'(fast == 5 || fast == 6) && on'}    | ${true}  | ${'brackets, and a parameter that is true'}
    ${'not fast == 5'}                     | ${false} | ${'not is of the comparison'}
    ${'!(fast = 6)'}                       | ${true}  | ${'= is =='}
    ${'fast * 4 == slow'}                  | ${true}  | ${'a product'}
    ${'slow - fast - 5 == 10'}             | ${true}  | ${'from the left'}
    ${'2 + 3 * 4 == 14'}                   | ${true}  | ${'times binds tighter than plus'}
    ${'slow / fast == 4'}                  | ${true}  | ${'a quotient'}
    ${'slow % fast == 0'}                  | ${true}  | ${'a rest'}
    ${'share + 0.2 == 0.3'}                | ${true}  | ${'exact decimals'}
    ${'-fast < 0'}                         | ${true}  | ${'a sign'}
    ${'fast - -5 == 10'}                   | ${true}  | ${'a sign behind a sign'}
    ${"side == 'buy'"}                     | ${true}  | ${'a text'}
    ${'side != "sell"'}                    | ${true}  | ${'a text in other quotes'}
    ${'fast == 5.0'}                       | ${true}  | ${'numbers are equal as numbers'}
    ${'fast < 1e3'}                        | ${true}  | ${'an exponent'}
    ${'fast / 0 > 1'}                      | ${true}  | ${'a number by 0 is infinite'}
    ${'0 / 0 == 0 / 0'}                    | ${false} | ${'what has no value equals nothing'}
    ${'\tfast\n<\nslow '}                  | ${true}  | ${'any blank'}
  `('$text is $expected: $why', ({ text, expected }) => expect(asked(text)).toBe(expected))

  it.each`
    text                  | error
    ${''}                 | ${'column 1: expected a parameter, a number or a text, got its end'}
    ${'fast <'}           | ${'column 7: expected a parameter, a number or a text, got its end'}
    ${'fast < slow slow'} | ${"column 13: expected and, or, or its end, got 'slow'"}
    ${'fast < slow)'}     | ${"column 12: expected and, or, or its end, got ')'"}
    ${'(fast < slow'}     | ${"column 13: expected ')', got its end"}
    ${'5 < fast < slow'}  | ${"column 10: expected one comparison at a time, such as a < b and b < c, got '<'"}
    ${'fasst < slow'}     | ${"column 1: the sweep has no parameter 'fasst'; did you mean 'fast'?"}
    ${'zzz < slow'}       | ${"column 1: the sweep has no parameter 'zzz'; it has fast, slow, side, on, share"}
    ${'fast & slow'}      | ${"column 6: '&' is not allowed here"}
    ${'fast; slow'}       | ${"column 5: ';' is not allowed here"}
    ${"side == 'buy"}     | ${"column 9: ''' is not allowed here"}
    ${'constructor < 1'}  | ${"the sweep has no parameter 'constructor'"}
    ${'__proto__ == 1'}   | ${"the sweep has no parameter '__proto__'"}
    ${'fast'}             | ${"expected a condition such as fast < slow, got 'fast'"}
    ${'fast + 1'}         | ${'expected a condition such as fast < slow'}
    ${'fast and slow'}    | ${'expected a comparison, got 5'}
    ${'side + 1 > 2'}     | ${"expected a number to calculate with, got 'buy'"}
    ${'side < 5'}         | ${"expected two numbers to compare by <, got 'buy' and 5"}
    ${'('.repeat(200)}    | ${'at most 100 brackets'}
    ${'!'.repeat(200)}    | ${'at most 100 brackets'}
    ${'-'.repeat(200)}    | ${'at most 100 brackets'}
    ${'1'.repeat(3000)}   | ${'at most 2000 characters'}
  `('refuses $text: $error', ({ text, error }) => {
    expect(() => asked(text)).toThrow(InputError)
    expect(() => asked(text)).toThrow(error)
  })

  it('gives true or false, or is refused by name, whatever is written', () => {
    const words = ['fast', 'slow', 'side', 'on', '5', '0.1', "'buy'", '(', ')', '<', '<=', '==', '!=', '!', 'and', 'or']
    const written = fc.oneof(
      fc
        .array(fc.constantFrom(...words, '+', '-', '*', '/', '%', 'not', ' '), { maxLength: 12 })
        .map((all) => all.join(' ')),
      fc.string(),
    )
    let answered = 0
    fc.assert(
      fc.property(written, (text) => {
        try {
          expect(typeof asked(text)).toBe('boolean')
          answered += 1
        } catch (error) {
          expect(error).toBeInstanceOf(InputError)
        }
      }),
      { numRuns: 3000 },
    )
    expect(answered).toBeGreaterThan(0)
  })

  it('reckons as JavaScript does where that is exact', () => {
    const number = fc.integer({ min: 0, max: 20 }).map(String)
    const term: fc.Arbitrary<string> = fc.letrec<{ term: string }>((tie) => ({
      term: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.tuple(tie('term'), fc.constantFrom('+', '-', '*'), tie('term')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      ),
    })).term
    const comparison = fc
      .tuple(term, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), term)
      .map((all) => all.join(' '))
    fc.assert(
      fc.property(comparison, comparison, fc.constantFrom('&&', '||'), (a, b, sign) => {
        const text = `${a} ${sign} ${b}`
        // eslint-disable-next-line @typescript-eslint/no-implied-eval -- what is held against
        const expected: unknown = new Function(`return ${text}`)()
        expect(asked(text)).toBe(expected)
      }),
    )
  })
})
