import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invariant } from '../../../src/domain/errors.ts'
import { elementsOf, plain, written } from '../rig/json-text.ts'
import { runs } from '../../property/property.ts'

/** A number as it may be written. */
const numbers = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,2})?$/)
const blanks = fc.stringMatching(/^[ \t\r]{0,2}$/)
const keys = fc.oneof(
  fc.constantFrom('a', 'e', 'p', '__proto__', '\u20ac', 'a"b'),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const strings = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('61837.63000000', '\ud800'),
)

/** Text of a value on one line, with blanks where they may be. */
const { value: values } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numbers,
    strings.map((text) => JSON.stringify(text)),
    strings.map(escaped),
    fc.constantFrom('true', 'false', 'null', '""', '[]', '{}'),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(fc.array(tie('value'), { maxLength: 4 }), blanks)
    .map(([all, blank]) => `[${all.join(`${blank},${blank}`)}]`),
  object: fc
    .tuple(fc.uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key }), blanks)
    .map(
      ([all, blank]) =>
        `{${all.map(([key, value]) => `${JSON.stringify(key)}${blank}:${blank}${value}`).join(`,${blank}`)}}`,
    ),
}))

/** JSON in ASCII alone. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`
}

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })
const isSearched = (text: string): boolean => text.startsWith('[') || text.startsWith('{')

async function all(text: string, cuts: readonly number[]): Promise<readonly string[]> {
  const { elements, error } = await elementsOf(text, cuts)
  expect(error).toBeUndefined()
  const lines = text.split('\n')
  return elements.map(({ value, line, column }) => {
    // The place that is reported is where the value begins.
    const rest = Buffer.from(lines.slice(line - 1).join('\n'))
      .subarray(column - 1)
      .toString()
    const again = plain(value)
    invariant(JSON.stringify(again) === JSON.stringify(JSON.parse(written(value))), 'a value as it is written')
    expect(rest.startsWith(rest.slice(0, 1)) && !/^\s/.test(rest)).toBe(true)
    return written(value)
  })
}

/** The same JSON without blanks, numbers as they are written. */
async function packed(text: string): Promise<string> {
  const { elements } = await elementsOf(`[${text}]`)
  expect(elements).toHaveLength(1)
  const [element] = elements
  invariant(element, 'one value in brackets')
  expect(plain(element.value)).toEqual(JSON.parse(text))
  return written(element.value)
}

describe('a recording in JSON, however it is cut into chunks', () => {
  it('gives the lines that JSON.parse gives', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(values, { minLength: 2, maxLength: 6 }),
        sizes,
        fc.constantFrom('\n', '\r\n', ' \n'),
        async (lines, cuts, end) => {
          const expected = await Promise.all(lines.map(packed))
          expect(await all(`${lines.join(end)}${end}`, cuts)).toEqual(expected)
        },
      ),
      { numRuns: runs(1000) },
    ))

  it('gives the elements of an array that JSON.parse gives', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(values, { maxLength: 6 }),
        sizes,
        fc.constantFrom(',', ' ,\n', ', '),
        async (elements, cuts, comma) => {
          const expected = await Promise.all(elements.map(packed))
          expect(await all(`[${elements.join(comma)}]`, cuts)).toEqual(expected)
          expect(await all(`[\n${elements.join(comma)}\n]\n`, cuts)).toEqual(expected)
        },
      ),
      { numRuns: runs(1000) },
    ))

  it('gives the elements of a list that JSON.parse gives', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(values.filter(isSearched), { minLength: 1, maxLength: 6 }),
        fc.array(
          values.filter((text) => !isSearched(text)),
          { maxLength: 3 },
        ),
        fc.constantFrom('data', 'result.list', 'a.b.c'),
        sizes,
        async (elements, others, path, cuts) => {
          const members = others.map((other, index) => `"o${index}": ${other},\n`).join('')
          const opened = path.split('.').reduce((text, key) => `${text}{${members} "${key}" :`, '')
          const closed = path
            .split('.')
            .map(() => `, "end":["x"]}`)
            .join('')
          const text = `${opened}[${elements.join(', ')}]${closed}`
          expect(await all(text, cuts)).toEqual(await Promise.all(elements.map(packed)))
          const { elements: reported } = await elementsOf(text, cuts)
          expect(new Set(reported.map((element) => element.path.join('.')))).toEqual(new Set([path]))
        },
      ),
      { numRuns: runs(1000) },
    ))
})

const SAMPLES = [
  '{"e":"trade","p":"61837.63","q":0.00100,"m":true}\r\n17 {"e":"tr\u20acde","x":[null,-1.5e-7]}\r\n\r\n',
  '\ufeff[[1723161256000,"3.1","5.2\\u20ac\\n"],\n [2,"3","\u{1f600}"] , [false,{}]]\n',
  '{"error":[],"result":{"XXBTZUSD":[["3.1",5.2],["3.2",1]],"last":"17"}}',
  '{\n  "code": "0",\n  "data": [\n    { "a": 1 },\n    { "b": [] }\n  ]\n}\n',
]

/** The texts of JSON that a text holds by JSON.parse: the whole, or each line; undefined when it is neither. */
function parsedBy(text: string): readonly unknown[] | undefined {
  const bare = text.replace(/^\ufeff/, '')
  const wholes = [
    [bare],
    bare
      .replace(/\s+$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*[0-9]+[ \t]+(?=\S)/, '')),
  ]
  for (const texts of wholes) {
    try {
      return texts.map((part) => JSON.parse(part) as unknown)
    } catch {
      // Another form, or none.
    }
  }
  return undefined
}

/** Whether what was read is what JSON.parse reads; a text that it refuses is to be refused. */
async function agrees(bytes: Buffer, cuts: readonly number[]): Promise<boolean> {
  const { elements, error } = await elementsOf(bytes, cuts)
  const whole = await elementsOf(bytes)
  expect({ elements, error }).toEqual({ elements: whole.elements, error: whole.error })
  if (error !== undefined) return false
  const parsed = parsedBy(bytes.toString())
  invariant(parsed, `read, and JSON.parse refuses ${JSON.stringify(bytes.toString())}`)
  // Each element is somewhere in what was parsed, under its path.
  const lists = parsed.map((value) => JSON.stringify(value))
  for (const { value } of elements) expect(lists.some((list) => list.includes(JSON.stringify(plain(value))))).toBe(true)
  return true
}

describe('a recording in JSON that is damaged', () => {
  it.each(SAMPLES)('is read or refused wherever it is cut off: %j', async (sample) => {
    const bytes = Buffer.from(sample)
    for (let length = 0; length <= bytes.length; length += 1) {
      for (const cuts of [[1], [7], [length, 1]])
        await agrees(
          bytes.subarray(0, length),
          cuts.map((size) => Math.max(1, size)),
        )
    }
    expect(await agrees(bytes, [3])).toBe(true)
  })

  it.each(SAMPLES)('is read or refused whichever byte is another: %j', async (sample) => {
    const bytes = Buffer.from(sample)
    let refused = 0
    for (let at = 0; at < bytes.length; at += 1) {
      for (const other of Buffer.from('\u0000\n ",:[]{}\\0-.eEtu\u007f\u00e9\u20ac')) {
        const damaged = Buffer.from(bytes)
        damaged[at] = other
        if (!(await agrees(damaged, [11]))) refused += 1
      }
    }
    expect(refused).toBeGreaterThan(bytes.length)
  })

  it('is read or refused where bytes were put in, taken out or doubled', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SAMPLES),
        fc.nat(),
        fc.nat({ max: 9 }),
        fc.uint8Array({ maxLength: 4 }),
        sizes,
        async (sample, place, taken, put, cuts) => {
          const bytes = Buffer.from(sample)
          const at = place % bytes.length
          await agrees(Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + taken)]), cuts)
        },
      ),
      { numRuns: runs(3000) },
    ))
})
