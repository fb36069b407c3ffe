import { describe, expect, it } from 'vitest'
import { alignedNumbers } from '../../src/report/aligned-numbers.ts'

describe('a column of numbers', () => {
  it.each`
    cells                       | aligned                           | why
    ${['1', '12.5', '-0.25']}   | ${[' 1   ', '12.5 ', '-0.25']}    | ${'points stand below each other'}
    ${['sharpe', '-1.5', '20']} | ${['sharpe', '  -1.5', '  20  ']} | ${'a title stands at the right'}
    ${['1,234.5 USD', '9 USD']} | ${['1,234.5 USD', '    9   USD']} | ${'units stand below each other'}
    ${['999 B', '1.2 kB']}      | ${['999   B ', '  1.2 kB']}       | ${'units of other lengths'}
    ${['-', '3.5']}             | ${['  -', '3.5']}                 | ${'a dash is no number'}
    ${['a', 'abc']}             | ${['  a', 'abc']}                 | ${'no number at all'}
    ${['0.12345678…', '1']}     | ${['0.12345678…', '1          ']} | ${'digits that were left out'}
    ${[]}                       | ${[]}                             | ${'nothing'}
  `('$why: $cells', ({ cells, aligned }) => {
    expect(alignedNumbers(cells as string[])).toEqual(aligned)
  })
})
