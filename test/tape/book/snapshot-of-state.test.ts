import { expect, it } from 'vitest'
import type { SideState } from '../../../src/tape/book/book-state.ts'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { snapshotOfState } from '../../../src/tape/book/snapshot-of-state.ts'

const side = (levels: readonly (readonly [number, number])[], shownTo: number): SideState => ({
  price: Float64Array.from(levels, ([price]) => price),
  qty: Float64Array.from(levels, ([, qty]) => qty),
  shownTo,
})

it.each`
  bids                                | asks                       | rows | why
  ${side([[90, 1], [80, 2]], 80)}     | ${side([[100, 1]], 100)}   | ${3} | ${'reported to its last level'}
  ${side([[90, 1], [80, 2]], 70)}     | ${side([[100, 1]], 120)}   | ${5} | ${'reported farther than to its last level'}
  ${side([[90, 1], [80, 2]], 85)}     | ${side([[100, 1]], 100)}   | ${4} | ${'with a level behind what was reported'}
  ${side([[90, 1]], 0)}               | ${side([[100, 1]], 0)}     | ${3} | ${'of which nothing was reported at once'}
  ${side([], 80)}                     | ${side([], 120)}           | ${4} | ${'emptied as far as it was reported'}
  ${side([[70, 1]], 80)}              | ${side([], 120)}           | ${5} | ${'emptied but for what is behind'}
  ${side([], 0)}                      | ${side([], 0)}             | ${1} | ${'empty'}
`('a book $why is the same behind its frames', ({ bids, asks, rows }: { bids: SideState; asks: SideState; rows: number }) => {
  const state = { isKnown: true, bids, asks }
  const block = snapshotOfState(state, 7)
  const book = new RecordedBook()
  book.apply(block)
  expect(book.state()).toEqual(state)
  expect([block.length, ...new Set(block.time)]).toEqual([rows, 7])
}) // prettier-ignore
