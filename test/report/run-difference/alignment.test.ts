import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aligned } from '../../../src/report/run-difference/alignment.ts'

/** The same as `1-3=1-3`, what is in both, or `3-4/3-5`. */
const told = (a: string, b: string): string =>
  aligned([...a], [...b])
    .map(({ isSame, a: ofA, b: ofB }) => `${ofA.from}-${ofA.to}${isSame ? '=' : '/'}${ofB.from}-${ofB.to}`)
    .join(' ')

it.each`
  a           | b           | stretches                    | why
  ${''}       | ${''}       | ${''}                        | ${'nothing'}
  ${'abc'}    | ${'abc'}    | ${'0-3=0-3'}                 | ${'the same'}
  ${'abc'}    | ${'ab'}     | ${'0-2=0-2 2-3/2-2'}         | ${'one goes on'}
  ${'abxcd'}  | ${'abcd'}   | ${'0-2=0-2 2-3/2-2 3-5=2-4'} | ${'one more'}
  ${'abxcd'}  | ${'abycd'}  | ${'0-2=0-2 2-3/2-3 3-5=3-5'} | ${'another one'}
  ${'abxc'}   | ${'abyc'}   | ${'0-2=0-2 2-3/2-3 3-4=3-4'} | ${'one that is alike, and both end'}
  ${'abxcxd'} | ${'abycyd'} | ${'0-2=0-2 2-5/2-5 5-6=5-6'} | ${'one that is alike may be so by chance'}
`('$why: $a and $b', ({ a, b, stretches }) => {
  expect(told(a, b)).toBe(stretches)
})

it('finds back after a long stretch of others, and goes through one in which single requests are alike', () => {
  const common = 'pq'.repeat(20)
  expect(told(`${'x'.repeat(200)}${common}`, common)).toBe('0-200/0-0 200-240=0-40')
  expect(told('xy'.repeat(50_000), 'xz'.repeat(50_000))).toBe('0-1=0-1 1-100000/1-100000')
})

it('each request is in exactly one stretch, those that are the same are, and swapped sequences give them swapped', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
  fc.assert(
    fc.property(words, words, (a, b) => {
      const stretches = aligned(a, b)
      let [i, j] = [0, 0]
      for (const { isSame, a: ofA, b: ofB } of stretches) {
        expect([ofA.from, ofB.from]).toEqual([i, j])
        if (isSame) expect(a.slice(ofA.from, ofA.to)).toEqual(b.slice(ofB.from, ofB.to))
        ;[i, j] = [ofA.to, ofB.to]
      }
      expect([i, j]).toEqual([a.length, b.length])
      expect(aligned(b, a)).toEqual(stretches.map(({ isSame, a: ofA, b: ofB }) => ({ isSame, a: ofB, b: ofA })))
    }),
  )
})
