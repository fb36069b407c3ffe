import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noticeLines } from '../../../src/report/summary/notice-lines.ts'
import { textWidth } from '../../../src/report/terminal-text.ts'

describe('notices', () => {
  it('are wrapped whole while there is room', () => {
    expect(noticeLines(['first of all', 'b'], 14, 3)).toEqual(['note: first of', 'all', 'note: b'])
  })

  it('are counted when there is none', () => {
    expect(noticeLines(['a', 'b', 'c', 'd'], 20, 3)).toEqual(['note: a', 'note: b', 'and 2 more notices'])
    expect(noticeLines(['a', 'b b b b b b b b b b'], 20, 2)).toEqual(['note: a', 'and 1 more notice'])
  })

  it('show the first one at least in part', () => {
    expect(noticeLines(['one two three four five six'], 10, 2)).toEqual(['note: one', 'two three…'])
    expect(noticeLines(['one two three', 'b'], 10, 2)).toEqual(['note: one…', 'and 1 more notice'])
  })

  it('never take more lines than they are given', () => {
    let cut = 0
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 120 })),
        fc.integer({ min: 2, max: 6 }),
        (notices, room) => {
          const lines = noticeLines(notices, 30, room)
          expect(lines.length).toBeLessThanOrEqual(room)
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(30)
          if (lines.at(-1)?.startsWith('and ') === true) cut += 1
        },
      ),
    )
    expect(cut).toBeGreaterThan(0)
  })
})
