/**
 * Which rule decides for a print, and how they are counted.
 */
import { describe, expect, it } from 'vitest'
import { PRINT_STATUS } from '../../src/tape/outlier-filter.ts'
import { PrintFilter } from '../../src/tape/print-filter.ts'
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from '../../src/tape/tape.ts'

const FAR = 200

/** After one believed print at 100, 5 ticks are as far as a print may lie from it. */
function judgeAt100(believe: 'auto' | 'all' = 'auto'): PrintFilter {
  const judge = new PrintFilter(believe, 1)
  expect(judge.check(0, 100, 1, SIDE_UNKNOWN, undefined)).toBe(PRINT_STATUS.accepted)
  return judge
}

describe('a print far away', () => {
  it.each`
    believe   | side            | isDoubtful   | isBelieved | why
    ${'auto'} | ${SIDE_UNKNOWN} | ${undefined} | ${false}   | ${'the filter holds it'}
    ${'auto'} | ${SIDE_BUY}     | ${undefined} | ${true}    | ${"a tape that names the aggressor is a venue's own"}
    ${'auto'} | ${SIDE_SELL}    | ${undefined} | ${true}    | ${'of either side'}
    ${'auto'} | ${SIDE_UNKNOWN} | ${false}     | ${true}    | ${'conditions that allow it decide alone'}
    ${'auto'} | ${SIDE_UNKNOWN} | ${true}      | ${false}   | ${'conditions forbid it'}
    ${'all'}  | ${SIDE_UNKNOWN} | ${undefined} | ${true}    | ${'all are believed'}
    ${'all'}  | ${SIDE_UNKNOWN} | ${true}      | ${true}    | ${'whatever their conditions'}
  `('$believe, side $side, doubtful $isDoubtful: $why', ({ believe, side, isDoubtful, isBelieved }) => {
    const verdict = judgeAt100(believe).check(1, FAR, 1, side, isDoubtful)
    expect(verdict).toBe(isBelieved === true ? PRINT_STATUS.accepted : PRINT_STATUS.quarantined)
  })
})

describe('a print that its conditions forbid', () => {
  it('beside a file that reports none is not believed at the last price either, and neither votes nor drops', () => {
    const judge = judgeAt100()
    expect(judge.check(1, 100, 1, SIDE_UNKNOWN, true)).toBe(PRINT_STATUS.quarantined)
    expect(judge.worstFor('BUY')).toBeUndefined()
    expect(judge.check(2, FAR, 1, SIDE_UNKNOWN, undefined)).toBe(PRINT_STATUS.quarantined)
    // A vote, were it one: it is later than a second after the first.
    expect(judge.check(5_000, FAR, 1, SIDE_UNKNOWN, true)).toBe(PRINT_STATUS.quarantined)
    expect(judge.worstFor('BUY')).toBe(FAR)
    expect(judge.check(5_001, FAR, 1, SIDE_UNKNOWN, undefined)).toBe(PRINT_STATUS.confirmed)
    expect(judge.takeConfirmed().map(({ time }) => time)).toEqual([2])
  })
})

it('prints are counted: all, those doubted, those of them that came late, and those that were to be judged and were not', () => {
  const judge = judgeAt100()
  judge.check(1, FAR, 1, SIDE_UNKNOWN, undefined)
  judge.check(1_001, FAR, 1, SIDE_UNKNOWN, undefined)
  judge.takeConfirmed()
  judge.check(1_002, 100, 1, SIDE_UNKNOWN, undefined)
  judge.check(1_003, FAR, 1, SIDE_BUY, undefined)
  const { prints, doubted, late, unjudged } = judge
  expect({ prints, doubted, late, unjudged }).toEqual({ prints: 5, doubted: 2, late: 1, unjudged: 0 })

  const all = judgeAt100('all')
  all.check(1, FAR, 1, SIDE_UNKNOWN, undefined)
  all.check(2, FAR, 1, SIDE_BUY, undefined)
  all.check(3, FAR, 1, SIDE_BUY, true)
  expect([all.prints, all.doubted, all.late, all.unjudged]).toEqual([4, 0, 0, 3])
})

it('what is held is never believed after a gap', () => {
  const judge = judgeAt100()
  judge.check(1, FAR, 1, SIDE_UNKNOWN, undefined)
  expect(judge.worstFor('SELL')).toBe(FAR)
  judge.gap()
  expect(judge.worstFor('SELL')).toBeUndefined()
  expect(judge.check(1_001, FAR, 1, SIDE_UNKNOWN, undefined)).toBe(PRINT_STATUS.quarantined)
})
