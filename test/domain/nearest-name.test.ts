import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/domain/nearest-name.ts'

const NAMES = ['price', 'qty', 'side', 'is_buyer_maker']

describe('nearestName', () => {
  it.each`
    name              | expected            | why
    ${'prize'}        | ${'price'}          | ${'a letter changed'}
    ${'prce'}         | ${'price'}          | ${'a letter left out'}
    ${'pricee'}       | ${'price'}          | ${'a letter added'}
    ${'sied'}         | ${'side'}           | ${'letters swapped'}
    ${'QTY'}          | ${'qty'}            | ${'case does not count'}
    ${'isBuyerMaker'} | ${'is_buyer_maker'} | ${'another way of writing it'}
    ${'volume'}       | ${undefined}        | ${'nothing is near'}
    ${''}             | ${undefined}        | ${'nothing was written'}
  `('$name -> $expected: $why', ({ name, expected }: { name: string; expected: string | undefined }) => {
    expect(nearestName(name, NAMES)).toBe(expected)
  })

  it('knows no name among none', () => {
    expect(nearestName('price', [])).toBeUndefined()
  })
})
