/**
 * What a client knows of a book that travels, against the book of the market as it was then.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BookStage, BTC, levelsText } from './rig/book-stage.ts'

type Step = (stage: BookStage, time: number) => void

const [LOW, MIDDLE, HIGH] = [994, 1_000, 1_006]
const lots = fc.integer({ min: 0, max: 9 })
const some = fc.integer({ min: 1, max: 9 })
const price = fc.integer({ min: LOW, max: HIGH })

const levels = (from: number, to: number): fc.Arbitrary<readonly (readonly [number, number])[]> =>
  fc.uniqueArray(fc.tuple(fc.integer({ min: from, max: to }), lots), {
    selector: ([each]) => each,
    minLength: 1,
    maxLength: 4,
  })

const sides = fc
  .integer({ min: LOW + 2, max: HIGH - 2 })
  .chain((middle) => fc.tuple(levels(LOW, middle), levels(middle + 1, HIGH)))
  .map(([bids, asks]) => {
    const text = (all: readonly (readonly [number, number])[]): string => all.map((each) => each.join('x')).join(' ')
    return `${text([...bids].sort(([a], [b]) => b - a))} | ${text([...asks].sort(([a], [b]) => a - b))}`
  })

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: sides.map(
      (text): Step =>
        (stage, time) =>
          stage.frame(time, text),
    ),
  },
  {
    weight: 1,
    arbitrary: sides.map(
      (text): Step =>
        (stage, time) =>
          stage.snapshot(time, text),
    ),
  },
  {
    weight: 1,
    arbitrary: sides.map(
      (text): Step =>
        (stage, time) =>
          stage.frame(time, text, { hasGap: true }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: LOW, max: MIDDLE }), some, fc.integer({ min: MIDDLE + 1, max: HIGH }), some)
      .map(
        (quote): Step =>
          (stage, time) =>
            stage.quote(time, ...quote),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(price, some, fc.constantFrom('buy', 'sell')).map(
      ([at, qty, side]): Step =>
        (stage, time) =>
          stage.trade(time, at, qty, side),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('BUY', 'SELL'), some, fc.option(price, { nil: undefined }))
      .map(([side, qty, at]): Step => (stage, time) => {
        stage.end(time)
        stage.order(side, qty, at)
      }),
  },
)

const script = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), steps), { minLength: 1, maxLength: 40 })

describe('a book that travels', () => {
  it('is what the book of the market was a latency ago, at any moment', () => {
    const reached = { known: 0, fills: 0, taken: 0 }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), script, (feedMs, moves) => {
        const stage = new BookStage({ feedMs })
        const known = stage.books.book(BTC)
        stage.simulated.listen(BTC, {
          onTrade: ({ isBuyerMaker, buyerId, sellerId }) => {
            if ((isBuyerMaker ? sellerId : buyerId) === 'me') reached.taken += 1
            else if (buyerId === 'me' || sellerId === 'me') reached.fills += 1
          },
        })
        const states = [{ time: Number.NEGATIVE_INFINITY, text: shown(stage) }]
        const look = (at: number): void => {
          stage.end(at)
          expect(seen(known)).toBe(states.findLast((each) => each.time <= at - feedMs)?.text)
        }
        let time = 0
        for (const [wait, step] of moves) {
          for (let at = stage.queue.now(); at < time + wait; at += 1) look(at)
          time += wait
          step(stage, time)
          states.push({ time, text: shown(stage) })
          if (known.isKnown) reached.known += 1
        }
        for (let at = time; at <= time + feedMs; at += 1) look(at)
      }),
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
  })
})

/** What a client can read of it. */
const seen = (book: ReturnType<BookStage['books']['book']>): string => {
  const { bids, asks } = book.levels(99)
  return `${String(book.isKnown)} ${String(book.time)} ${levelsText(bids)} | ${levelsText(asks)}`
}

/** The same of the market's own. */
function shown(stage: BookStage): string {
  const { book, reportedAt: reportedAt } = stage.depth
  const text = (side: readonly { readonly price: number; readonly qty: number }[]): string =>
    side.map((each) => `${each.price / 10}x${each.qty / 100}`).join(' ')
  const { bids, asks } = book.levels(99)
  const time = reportedAt === Number.NEGATIVE_INFINITY ? undefined : reportedAt
  return `${String(book.isDeep)} ${String(time)} ${text(bids)} | ${text(asks)}`
}
