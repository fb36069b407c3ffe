import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noteLines, warningLines } from '../../../src/report/summary/summary.ts'
import { textWidth } from '../../../src/report/terminal-text.ts'

describe('notes', () => {
  it('are wrapped whole while there is room', () => {
    expect(noteLines(['first of all', 'b'], 14, 3)).toEqual(['note: first of', 'all', 'note: b'])
  })

  it('are counted when there is none', () => {
    expect(noteLines(['a', 'b', 'c', 'd'], 30, 3)).toEqual([
      'note: a',
      'note: b',
      'and 2 more notes: see notices in run.json (--out)',
    ])
    expect(noteLines(['a', 'b b b b b b b b b b b b b b'], 30, 2)).toEqual([
      'note: a',
      'and 1 more note: see notices in run.json (--out)',
    ])
    expect(noteLines(['a', 'b'], 30, 1)).toEqual(['2 notes: see notices in run.json (--out)'])
    expect(noteLines(['a b c d e f g h i j k l m n o p'], 30, 1)).toEqual(['1 note: see notices in run.json (--out)'])
  })

  it('never take more lines than they are given', () => {
    let cut = 0
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 120 })),
        fc.integer({ min: 1, max: 6 }),
        (notices, room) => {
          const lines = noteLines(notices, 50, room)
          expect(lines.length).toBeLessThanOrEqual(room)
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(50)
          if (lines.at(-1)?.endsWith('run.json (--out)') === true) cut += 1
        },
      ),
    )
    expect(cut).toBeGreaterThan(0)
  })
})

it('a warning is shown whole, however long it is', () => {
  expect(warningLines('one two three four', 12)).toEqual(['warning: one', 'two three', 'four'])
})
