import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader } from '../../../src/store/runs/line-reader.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { write, folder } = temporaryFiles()

function linesOf(text: string): string[] {
  const reader = new LineReader(write(text, 'lines.txt'))
  const lines: string[] = []
  for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line)
  expect(reader.next()).toBeUndefined()
  reader.close()
  return lines
}

describe('a file is read line by line', () => {
  it.each`
    text            | lines                         | why
    ${''}           | ${[]}                         | ${'an empty file has none'}
    ${'a\nb\n'}     | ${['a\n', 'b\n']}             | ${'with their line ends'}
    ${'a\nb'}       | ${['a\n', 'b']}               | ${'only the last may lack it'}
    ${'a\n\n\nb\n'} | ${['a\n', '\n', '\n', 'b\n']} | ${'empty ones too'}
    ${'a\r\nb\n'}   | ${['a\r\n', 'b\n']}           | ${'a carriage return is part of a line'}
  `('$why', ({ text, lines }) => expect(linesOf(text)).toEqual(lines))

  it('and no byte is lost where a piece of the file ends, inside of a character too', () => {
    let cuts = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 65_530, max: 65_540 }),
        fc.constantFrom('x', 'ü', '→', '😀', '\n'),
        (before, at) => {
          const text = `${'a'.repeat(before)}${at.repeat(4)}\nend`
          if (Buffer.from(text).toString('utf8', 0, 65_536).endsWith('\ufffd')) cuts += 1
          expect(linesOf(text).join('')).toBe(text)
        },
      ),
    )
    expect(cuts).toBeGreaterThan(0)
  })

  it('a file that is not there is named', () => {
    const path = join(folder, 'none.txt')
    expect(() => new LineReader(path)).toThrow(`${path}: cannot be read`)
  })
})
