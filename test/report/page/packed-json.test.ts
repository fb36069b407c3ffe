import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packed, unpacked } from '../../../src/report/page/packed-json.ts'

const decimal = fc.oneof(
  fc.integer({ min: -9_999, max: 99_999 }).map((ticks) => (ticks / 100).toFixed(2)),
  fc.integer({ min: -9_999, max: 99_999 }).map((ticks) => String(ticks / 1_000)),
  fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }).map(String),
  fc.constantFrom(
    '-0',
    '0',
    '–',
    '+1.5',
    '+1,234.5',
    '-0.00',
    '1e-7',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '0x10',
    '00',
    '1.',
    '9007199254740993',
    '0.1000000000000000055',
  ),
)
const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('~', '~u', '~d', '~=', '~~s', 'BUY', ''))
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
  fc.integer({ min: 0, max: 100_000 }).map((ticks) => ticks / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 2 ** 60),
)
const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text)
const sometimes = fc.option(number, { nil: null, freq: 3 })
const listOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(value, { maxLength: 24 })
const record = fc.record({ time: number, side: text, note: scalar }, { requiredKeys: ['time'] })
const row = fc.tuple(number, text, scalar)
const anything = fc.oneof(
  ...[
    scalar,
    listOf(number),
    listOf(text),
    listOf(decimal),
    listOf(sometimes),
    fc.record({ one: fc.constant([1, 2, 3, 4, 5, 6, 7, 8]), other: listOf(fc.integer({ min: 1, max: 2 })) }),
    listOf(scalar),
    listOf(record),
    listOf(row),
    listOf(listOf(number)),
  ],
  fc.dictionary(text, fc.oneof(scalar, listOf(record), listOf(row))),
)

const through = (value: unknown): unknown => unpacked(JSON.parse(JSON.stringify(packed(value))))

/** JSON knows no minus nothing. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('packed JSON', () => {
  it('is unpacked to what it was', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(through(value)).toEqual(plain(value))
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves out what is not there', () => {
    const records = Array.from({ length: 9 }, (_, index) => ({
      a: index,
      b: index === 3 ? undefined : `~${index % 2}`,
    }))
    expect(through(records)).toEqual(plain(records))
    expect(Object.keys((through(records) as object[])[3] ?? {})).toEqual(['a'])
  })

  it.each([
    { form: 'with two decimals', of: (value: number) => (value / 100).toFixed(2) },
    { form: 'with as few as each takes', of: (value: number) => String(value / 1_000) },
    { form: 'of whole numbers', of: (value: number) => String(1_700_000_000_000 + value) },
  ])('takes little room for texts of numbers $form', ({ of }) => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 99_999 }), { minLength: 12, maxLength: 24 }), (values) => {
        const texts = values.map(of)
        expect(through(texts)).toEqual(texts)
      }),
    )
    const texts = Array.from({ length: 500 }, (_, index) => of(50_000 + index))
    expect(JSON.stringify(packed(texts)).length).toBeLessThan(JSON.stringify(texts).length / 3)
  })

  it('has a list of numbers once, however many use it, also as texts and with cells left empty', () => {
    const counts = Array.from({ length: 500 }, (_, index) => 40_000 + ((index * 7_919) % 500))
    const [times, texts] = [counts.map((count) => count / 100), counts.map((count) => (count / 100).toFixed(2))]
    const twice = { times, again: { texts, times }, signed: times.map((time) => `+${time}`) }
    expect(through(twice)).toEqual(twice)
    expect(JSON.stringify(packed(twice)).length).toBeLessThan(JSON.stringify(packed(times)).length + 200)
    for (const hole of ['', '–', null]) {
      const cells = texts.map((text, index) => (index % 3 === 0 ? hole : text))
      expect(through(cells)).toEqual(cells)
      expect(JSON.stringify(packed(cells)).length).toBeLessThan(JSON.stringify(cells).length * 0.8)
    }
  })

  it('takes a third of the room of a list of fills', () => {
    const fills = Array.from({ length: 500 }, (_, index) => ({
      time: 1_700_000_000_000 + index * 1_234,
      side: index % 3 === 0 ? 'BUY' : 'SELL',
      price: (4_200_000 + ((index * 7_919) % 500)) / 100,
    }))
    expect(JSON.stringify(packed(fills)).length).toBeLessThan(JSON.stringify(fills).length / 3)
  })
})
