/**
 * JSON as it was written (decision 28).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStrictJson } from '../../../src/server/envelope/strict-json.ts'

const name = fc.constantFrom('a', 'b', '__proto__', 'ä', '\u{1f4a9}', '"', '\\')
const value = fc.oneof(
  { weight: 3, arbitrary: name },
  { weight: 1, arbitrary: fc.constantFrom(1, null, true, ['a'], { a: 'b' }) },
)
const fields = fc.array(fc.tuple(name, value), { maxLength: 5 })

describe('readStrictJson', () => {
  it('takes an object with every field once, and names the first field that is there twice', () => {
    fc.assert(
      fc.property(fields, (written) => {
        const text = `{${written.map(([key, each]) => `${JSON.stringify(key)}: ${JSON.stringify(each)}`).join(', ')}}`
        const keys = written.map(([key]) => key)
        const twice = keys.find((key, index) => keys.indexOf(key) < index)
        expect(readStrictJson(Buffer.from(text))).toEqual({ isJson: true, value: JSON.parse(text) as unknown, twice })
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['{"a":1,"a":"x"}', 'a'],
    ['{"a":"x","a":1}', 'a'],
    ['{"a":"x","\\u0061":"y"}', 'a'],
    ['{"a":{"b":"x","b":"y"}}', 'b'],
    ['{"a":"x","b":":"}', undefined],
  ])('%s: %s is there twice', (text, twice) => {
    expect(readStrictJson(Buffer.from(text))).toMatchObject({ isJson: true, twice })
  })

  it.each([
    [Buffer.from('{"a":"\u00e4"}', 'latin1'), 'bytes that are not UTF-8'],
    [Buffer.from('\ufeff{}'), 'a mark of byte order'],
    [Buffer.from(''), 'nothing'],
    [Buffer.from('{"a":"x"} x'), 'something behind it'],
  ])('%s is no JSON: %s', (bytes) => {
    expect(readStrictJson(bytes)).toEqual({ isJson: false })
  })
})
