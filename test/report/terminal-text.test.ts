import { describe, expect, it } from 'vitest'
import { cutToWidth, printable, textWidth, wrapPieces } from '../../src/report/terminal-text.ts'

describe('text for a terminal', () => {
  it.each`
    text         | width | why
    ${''}        | ${0}  | ${'nothing'}
    ${'abc'}     | ${3}  | ${'ASCII'}
    ${'▁█…→'}    | ${4}  | ${'our own signs'}
    ${'比特'}    | ${4}  | ${'Chinese takes two columns'}
    ${'e\u0301'} | ${1}  | ${'a combining accent takes none'}
    ${'🚀'}      | ${2}  | ${'an emoji takes two'}
  `('$text is $width wide: $why', ({ text, width }: { text: string; width: number }) => {
    expect(textWidth(text)).toBe(width)
  })

  it.each`
    text        | width | expected | why
    ${'abc'}    | ${3}  | ${'abc'} | ${'it fits'}
    ${'abcd'}   | ${3}  | ${'ab…'} | ${'the ellipsis has room'}
    ${'比特币'} | ${4}  | ${'比…'} | ${'half a character is none'}
    ${'🚀🚀'}   | ${3}  | ${'🚀…'} | ${'no half surrogate'}
    ${'abcd'}   | ${1}  | ${'…'}   | ${'nothing but the ellipsis'}
  `('$text cut to $width: $why', ({ text, width, expected }: { text: string; width: number; expected: string }) => {
    expect(cutToWidth(text, width)).toBe(expected)
  })

  it('lets no control character through: they would move the cursor or change colours', () => {
    expect(printable('a\r\nb\tc')).toBe('a  b c')
    expect(printable('\u001b[31mred\u202e\u0000')).toBe('\ufffd[31mred\ufffd\ufffd')
  })

  it('wraps pieces, and cuts one that is longer than a line', () => {
    expect(wrapPieces(['ab', 'cd', 'e', 'a-long-one', 'f'], 5)).toEqual(['ab cd', 'e', 'a-lo…', 'f'])
  })
})
