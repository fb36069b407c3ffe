import { describe, expect, it } from 'vitest'
import { jsonKind, memberOf, textOf } from '../../../src/import/json/json-value.ts'
import { elementsOf } from '../rig/json-text.ts'

describe('a value of JSON', () => {
  it.each`
    json                      | kind               | text                      | why
    ${'0.10'}                 | ${'a number'}      | ${'0.10'}                 | ${'as it is written'}
    ${'12345678901234567890'} | ${'a number'}      | ${'12345678901234567890'} | ${'more than a double holds'}
    ${'"0.10"'}               | ${'a string'}      | ${'0.10'}                 | ${'without its quotes'}
    ${'true'}                 | ${'true or false'} | ${undefined}              | ${'no text'}
    ${'null'}                 | ${'null'}          | ${undefined}              | ${'no text'}
    ${'[1]'}                  | ${'an array'}      | ${undefined}              | ${'no text'}
    ${'{"a":1}'}              | ${'an object'}     | ${undefined}              | ${'no text'}
  `('$json is $kind: $why', async ({ json, kind, text }) => {
    const { elements } = await elementsOf(`[${json}]`)
    const value = elements[0]?.value
    expect([jsonKind(value), textOf(value)]).toEqual([kind, text])
  })

  it('has a member only when it is an object that has it', async () => {
    const { elements } = await elementsOf('[{"p":"1.5"},["p"],"p"]')
    const [object, array, text] = elements.map(({ value }) => value)
    expect(memberOf(object, 'p')).toBe('1.5')
    expect([memberOf(object, 'q'), memberOf(array, 'p'), memberOf(text, 'length'), memberOf(undefined, 'p')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(jsonKind(memberOf(object, 'q'))).toBe('nothing')
  })
})
