import { describe, expect, it } from 'vitest'
import { escapeControls, escapedExcerpt } from '../../src/domain/escape-controls.ts'

describe('control characters of a text', () => {
  it.each`
    text                | expected              | why
    ${'12.5 BTC, 10 €'} | ${'12.5 BTC, 10 €'}   | ${'there are none'}
    ${'a\nb\tc\r'}      | ${'a\\nb\\tc\\r'}     | ${'those with a name of their own'}
    ${'\u0000\u001b[m'} | ${'\\u0000\\u001b[m'} | ${'those without'}
    ${'"\\"'}           | ${'"\\"'}             | ${'what JSON escapes besides stays'}
  `('$why: $expected', ({ text, expected }: { text: string; expected: string }) => {
    expect(escapeControls(text)).toBe(expected)
  })

  it('are escaped in an excerpt, which has 80 characters of the text at most', () => {
    expect(escapedExcerpt('x'.repeat(80))).toBe('x'.repeat(80))
    expect(escapedExcerpt(`${'\n'.repeat(79)}abc`)).toBe(`${'\\n'.repeat(79)}a...`)
  })
})
