import { describe, expect, it } from 'vitest'
import { ConditionColumn, IN_TWO_WAYS, NO_CONDITIONS } from '../../../src/import/csv/condition-column.ts'
import { DOUBTFUL, PLAIN } from '../../../src/import/csv/trade-conditions.ts'

const outcome = (...cells: readonly string[]): number | undefined => {
  const column = new ConditionColumn()
  return cells.map((cell) => column.take(cell)).at(-1)
}

/** What is not here is no letter of the SIP. */
const PLAIN_LETTERS = '@ADEFKOXY156'
const DOUBTFUL_LETTERS = 'BCGHILMNPQRSTUVWZ23479'

/** By the name that LEAN has for the bit. */
const BITS: readonly (readonly [bits: string, outcome: number, name: string])[] = [
  ['00000000', PLAIN, 'None'],
  ['00000001', PLAIN, 'Regular'],
  ['00000002', DOUBTFUL, 'Cash'],
  ['00000004', DOUBTFUL, 'NextDay'],
  ['00000008', DOUBTFUL, 'Seller'],
  ['00000010', PLAIN, 'YellowFlag'],
  ['00000020', PLAIN, 'IntermarketSweep'],
  ['00000040', PLAIN, 'OpeningPrints'],
  ['00000080', PLAIN, 'ClosingPrints'],
  ['00000100', PLAIN, 'ReOpeningPrints'],
  ['00000200', DOUBTFUL, 'DerivativelyPriced'],
  ['00000400', DOUBTFUL, 'FormT'],
  ['00000800', DOUBTFUL, 'Sold'],
  ['00001000', PLAIN, 'Stopped'],
  ['00002000', DOUBTFUL, 'ExtendedHours'],
  ['00004000', DOUBTFUL, 'OutOfSequence'],
  ['00008000', DOUBTFUL, 'Split'],
  ['00010000', PLAIN, 'Acquisition'],
  ['00020000', DOUBTFUL, 'Bunched'],
  ['00040000', DOUBTFUL, 'StockOption'],
  ['00080000', PLAIN, 'Distribution'],
  ['00100000', DOUBTFUL, 'AveragePrice'],
  ['00200000', PLAIN, 'Cross'],
  ['00400000', DOUBTFUL, 'PriceVariation'],
  ['00800000', PLAIN, 'Rule155'],
  ['01000000', DOUBTFUL, 'OfficialClose'],
  ['02000000', DOUBTFUL, 'PriorReferencePrice'],
  ['04000000', DOUBTFUL, 'OfficialOpen'],
  ['08000000', PLAIN, 'CapElection'],
  ['10000000', PLAIN, 'AutoExecution'],
  ['20000000', PLAIN, 'TradeThroughExempt'],
  ['40000000', PLAIN, 'UndocumentedFlag'],
  ['80000000', DOUBTFUL, 'OddLot'],
]

describe('conditions', () => {
  it.each(Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).filter((letter) => letter !== ' '))(
    'knows the letter %j, or knows that it is none',
    (letter) => {
      const isDoubtful = DOUBTFUL_LETTERS.includes(letter)
      const expected = isDoubtful ? DOUBTFUL : PLAIN_LETTERS.includes(letter) ? PLAIN : NO_CONDITIONS
      // Behind an @ the file is one of letters; @ itself stands there alone.
      expect(outcome('@', letter)).toBe(expected)
    },
  )

  it.each(BITS)('knows the bit %s: %s, %s', (bits, expected) => {
    expect(outcome(bits)).toBe(expected)
    expect(outcome('0', bits.replace(/^0+(?=.)/, '').toLowerCase())).toBe(expected)
  })

  it.each`
    cells                       | expected         | why
    ${['@FTI']}                 | ${DOUBTFUL}      | ${'four letters, two of them doubtful'}
    ${['@F X']}                 | ${PLAIN}         | ${'a blank between'}
    ${[' F  ']}                 | ${PLAIN}         | ${'blanks around'}
    ${['@ F T I']}              | ${DOUBTFUL}      | ${'blanks everywhere'}
    ${['@FTIX']}                | ${NO_CONDITIONS} | ${'five letters'}
    ${['@@']}                   | ${NO_CONDITIONS} | ${'a letter twice'}
    ${['@', '41']}              | ${NO_CONDITIONS} | ${'no print has two digits'}
    ${['@t']}                   | ${NO_CONDITIONS} | ${'a letter in lower case'}
    ${['@J']}                   | ${NO_CONDITIONS} | ${'a letter that is none'}
    ${['@;T']}                  | ${NO_CONDITIONS} | ${'another separator'}
    ${['@', '']}                | ${PLAIN}         | ${'nothing'}
    ${['@', '    ']}            | ${PLAIN}         | ${'only blanks'}
    ${['80000401']}             | ${DOUBTFUL}      | ${'several bits'}
    ${['a0000020']}             | ${DOUBTFUL}      | ${'lower case'}
    ${['A0000020', '20000021']} | ${PLAIN}         | ${'several that say nothing'}
    ${['41']}                   | ${PLAIN}         | ${'two digits are bits'}
    ${['100000000']}            | ${NO_CONDITIONS} | ${'nine digits'}
    ${['0x41']}                 | ${NO_CONDITIONS} | ${'a prefix'}
    ${['37']}                   | ${NO_CONDITIONS} | ${"settled in three ways: a vendor's number for odd lots, not bits"}
    ${['40', ' ']}              | ${PLAIN}         | ${'nothing, among bits'}
    ${['40', '']}               | ${PLAIN}         | ${'nothing at all, among bits'}
    ${['@', '80000001']}        | ${NO_CONDITIONS} | ${'bits among letters'}
    ${['40', '@']}              | ${NO_CONDITIONS} | ${'a letter among bits'}
    ${['40', '4']}              | ${DOUBTFUL}      | ${'the same in both forms'}
    ${['B1']}                   | ${IN_TWO_WAYS}   | ${'bunched as letters, regular as bits'}
    ${['2', 'B1']}              | ${IN_TWO_WAYS}   | ${'a cell that fits both forms shows neither'}
    ${['', ' ', 'B1']}          | ${IN_TWO_WAYS}   | ${'nor does a blank one'}
    ${['@', 'B1']}              | ${DOUBTFUL}      | ${'by now they are letters'}
    ${['F', 'B1']}              | ${DOUBTFUL}      | ${'F settles in four ways, so it is a letter'}
    ${['0', 'B1']}              | ${PLAIN}         | ${'by now they are bits'}
    ${['000000B1']}             | ${PLAIN}         | ${'eight digits are bits from the first'}
    ${['A1']}                   | ${PLAIN}         | ${'the same in both forms, from the first'}
    ${['2']}                    | ${DOUBTFUL}      | ${'the same in both forms, from the first'}
  `('$cells -> $expected: $why', ({ cells, expected }: { cells: string[]; expected: number }) => {
    expect(outcome(...cells)).toBe(expected)
  })

  it('are reported once a cell was not blank', () => {
    const column = new ConditionColumn()
    column.take(' ')
    expect(column.areReported).toBe(false)
    column.take('2')
    expect([column.areReported, column.form]).toEqual([true, undefined])
  })

  it('never say of two cells, each in a file of its own, what depends on which form was meant', () => {
    const hex = '0123456789ABCDEF'
    const cells = Array.from(hex, (high) => Array.from(hex, (low) => high + low)).flat()
    for (const cell of cells) {
      const meant = [outcome('@', cell) ?? NO_CONDITIONS, outcome('0', cell) ?? NO_CONDITIONS].filter(
        (each) => each >= 0,
      )
      const alone = outcome(cell) ?? NO_CONDITIONS
      if (alone >= 0) expect([cell, new Set(meant)]).toEqual([cell, new Set([alone])])
      else expect([cell, alone]).toEqual([cell, meant.length === 2 ? IN_TWO_WAYS : NO_CONDITIONS])
    }
  })
})
