import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { itemLines } from '../../../src/report/summary/summary-line.ts'
import { textWidth } from '../../../src/report/terminal-text.ts'

describe('a list', () => {
  it('goes over several lines, and counts what finds no room', () => {
    const items = ['alpha=1', 'beta=22', 'gamma=333', 'delta=4', 'epsilon=5']
    expect(itemLines(items, 40, 2)).toEqual(['alpha=1, beta=22, gamma=333, delta=4,', 'epsilon=5'])
    expect(itemLines(items, 40, 1)).toEqual(['alpha=1, beta=22, gamma=333, and 2 more'])
    expect(itemLines(items.slice(0, 2), 40, 1)).toEqual(['alpha=1, beta=22'])
    expect(itemLines([], 40, 1)).toEqual([])
  })

  it('cuts an item that would take the line alone', () => {
    expect(itemLines(['a'.repeat(50)], 40, 1)).toEqual([`${'a'.repeat(39)}…`])
    expect(itemLines(['a'.repeat(50), 'b', 'c'], 40, 1)).toEqual([`${'a'.repeat(22)}…, b, c`])
  })

  it('always fits, reports something, and misses or shows every item', () => {
    let missed = 0
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 20, max: 70 }),
        fc.integer({ min: 1, max: 3 }),
        (lengths, width, maxLines) => {
          const lines = itemLines(
            lengths.map((length) => 'x'.repeat(length)),
            width,
            maxLines,
          )
          expect(lines.length).toBeGreaterThan(0)
          expect(lines.length).toBeLessThanOrEqual(maxLines)
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
          const text = lines.join(' ')
          const more = Number(/and (\d+) more$/.exec(text)?.[1] ?? 0)
          expect(text.split(', ').filter((item) => item.startsWith('x')).length + more).toBe(lengths.length)
          if (more > 0) missed += 1
        },
      ),
    )
    expect(missed).toBeGreaterThan(0)
  })
})
