/**
 * The data of a page in little room.
 */
import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, unfolded } from '../../src/report/folded-data.ts'

describe('folded data', () => {
  it('is unfolded to what it was, and is no markup', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = folded(value)
        expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/)
        expect(unfolded(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('holds more than one call has arguments for, and signs of every plane', () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => ({
      id: `order-${index * 7919}`,
      note: `é€😀${index % 9}`,
    }))
    expect(unfolded(folded(rows))).toEqual(rows)
  })

  it('is a stream that others read, and the same on every machine', () => {
    const text = folded({ a: Array.from({ length: 500 }, (_, index) => (index * index) % 97) })
    expect(inflateRawSync(Buffer.from(text, 'base64')).toString()).toMatch(/^\{"a":/)
    expect(createHash('sha256').update(text).digest('hex')).toMatchInlineSnapshot(
      `"da141a8320f7c6909ba7dbd5f31e4166b469356d0f1dd8a4329cdb079f9b3b99"`,
    )
  })

  it.each([
    ['nothing', ''],
    ['no base64', '<'],
    ['half of it', folded({ a: 'b'.repeat(99) }).slice(0, 8)],
  ])('is not unfolded of %s', (_, text) => {
    expect(() => unfolded(text)).toThrow()
  })
})
