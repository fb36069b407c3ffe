/**
 * The laws of the model `book` under random recorded books and random orders.
 *
 * Known limit: what our orders would have done to those who were there is no law, and no test.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAuditLineRight } from '../../../src/domain/audit.ts'
import { opposite, type Side } from '../../../src/domain/order.ts'
import { TapeLiquidity } from '../../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../../src/simulation/liquidity/trade-estimates.ts'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { BID, ASK } from '../../../src/tape/depth-block.ts'
import { depthBlockOf, quoteBlockOf } from '../../tape/rig/depth-of.ts'
import { runs, needed } from '../../property/property.ts'
import { bookPlay, PlayedBook } from './rig/book-play.ts'
import {
  CROWD_NAME,
  isTrade,
  mergedMatches,
  type Match,
  type PlaceStep,
  type Session,
  type Step,
  type Turn,
} from './rig/depth-session.ts'
import { naiveBookPlay } from './rig/naive-book-market.ts'
import { randomOrderSession } from './rig/random-order-market.ts'
import { randomDepthSession } from './rig/random-depth-session.ts'

const RUNS = runs(300)

const always = (law: (session: Session) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(randomDepthSession, law), { numRuns: RUNS })

const lotsOf = (matches: readonly Match[]): number => matches.reduce((sum, { qty }) => sum + qty, 0)

/** The step that placed the maker of a match. */
function makerOf({ steps }: Session, { maker }: Pick<Match, 'maker'>): PlaceStep {
  const step = steps.find((each) => each.do === 'place' && each.order === maker)
  if (step?.do !== 'place') throw new Error(`${maker} was filled and never placed`)
  return step
}

it('fills of a recorded trade no more than its lots, each maker at its own price, at or beyond which it was', async () => {
  await always(async (session) => {
    for (const { step, matches } of await bookPlay(session)) {
      if (!isTrade(step)) continue
      expect(lotsOf(matches)).toBeLessThanOrEqual(step.qty)
      for (const match of matches) {
        const { side, price } = makerOf(session, match)
        expect(match.price).toBe(price)
        expect(side === 'BUY' ? step.price <= match.price : step.price >= match.price).toBe(true)
      }
    }
  })
})

/** Lots of one side that a recording has reported so far, each once: what was there first, and what grew. */
class ReportedLots {
  readonly #book = new RecordedBook()
  #before = new Map<string, number>()
  /** By side and price. */
  readonly fresh = new Map<string, number>()

  see(step: Step): void {
    if (step.do === 'frame') this.#book.apply(depthBlockOf([step]))
    else if (step.do === 'quote') this.#book.applyQuotes(quoteBlockOf([step]))
    else if (isTrade(step)) {
      this.#book.traded(step.price, step.side === 'sell')
      this.#book.lower(step.side === 'sell' ? BID : ASK, step.price, step.qty)
    }
    const now = new Map<string, number>()
    const { bids, asks } = this.#book.levels(100)
    for (const [side, levels] of [['BUY', bids] as const, ['SELL', asks] as const]) {
      for (const { price, qty } of levels) {
        const key = `${side} ${price}`
        now.set(key, qty)
        const grown = Math.max(0, qty - (this.#before.get(key) ?? 0))
        this.fresh.set(key, (this.fresh.get(key) ?? 0) + grown)
      }
    }
    this.#before = now
  }

  /** Reported of a side, at a price or better for those who take it. */
  upTo(side: Side, price: number): number {
    let lots = 0
    for (const [key, fresh] of this.fresh) {
      const [of, at] = key.split(' ')
      if (of === side && (side === 'SELL' ? Number(at) <= price : Number(at) >= price)) lots += fresh
    }
    return lots
  }
}

it('fills resting orders by the book with no lot of it twice, though it is reported again or grows', async () => {
  let crossed = 0
  await always(async (session) => {
    const reported = new ReportedLots()
    const filled: { side: Side; price: number; qty: number }[] = []
    for (const { step, matches } of await bookPlay(session)) {
      reported.see(step)
      if (step.do !== 'frame' && step.do !== 'quote') continue
      for (const match of matches) {
        const { side, price } = makerOf(session, match)
        expect(match.price).toBe(price)
        filled.push({ side, price: match.price, qty: match.qty })
        crossed += 1
      }
      for (const { side, price } of filled) {
        // All that was filled at this price or a worse one came of lots that reached it.
        const worse = filled.filter(
          (each) => each.side === side && (side === 'BUY' ? each.price <= price : each.price >= price),
        )
        expect(worse.reduce((sum, each) => sum + each.qty, 0)).toBeLessThanOrEqual(reported.upTo(opposite(side), price))
      }
    }
  })
  expect(crossed).toBeGreaterThan(needed(100))
})

it('never has a resting order pay more than its limit, nor a taker', async () => {
  await always(async (session) => {
    const filled = new Map<string, number>()
    for (const { matches } of await bookPlay(session)) {
      for (const match of matches) {
        for (const order of [match.maker, match.taker]) {
          if (order === CROWD_NAME) continue
          const placed = makerOf(session, { maker: order })
          filled.set(order, (filled.get(order) ?? 0) + match.qty)
          expect(filled.get(order)).toBeLessThanOrEqual(placed.qty)
          const { price = match.price } = placed
          expect(placed.side === 'BUY' ? match.price <= price : match.price >= price).toBe(true)
        }
      }
    }
  })
})

it('leaves every account of the exchange right, with nothing locked that no order needs', async () => {
  await always(async (session) => {
    const { stage } = await new PlayedBook(session).play(true)
    for (const line of stage.exchange.audit()) expect(isAuditLineRight(line), line.asset).toBe(true)
  })
})

for (const { name, play } of [
  { name: 'the market', play: bookPlay },
  { name: 'its plain twin', play: naiveBookPlay },
]) {
  it(`knows nothing of the future: ${name} plays a recording that is cut off anywhere the same as far as it goes`, async () => {
    const law = fc.asyncProperty(randomDepthSession, fc.nat(45), async (session, length) => {
      const cut = { ...session, steps: session.steps.slice(0, length) }
      expect(await play(cut)).toEqual((await play(session)).slice(0, length))
    })
    await fc.assert(law, { numRuns: RUNS })
  })
}

/** All that can be seen of a market in the end. */
const seen = ({ stage, depth, matches, resting }: PlayedBook, earlier: readonly Turn[] = []) => ({
  matches: mergedMatches([...earlier.flatMap((turn) => turn.matches), ...matches]),
  resting,
  book: depth.book.state(),
  reportedAt: depth.reportedAt,
  trades: stage.trades,
  audit: stage.exchange.audit(),
})

it('takes in many frames at once where no one listens, and does with them what it does one by one', async () => {
  const law = fc.asyncProperty(randomDepthSession, fc.integer({ min: 1, max: 20 }), async (session, blockLength) => {
    const watched = await new PlayedBook(session).play(true)
    expect(seen(await new PlayedBook(session).play(false))).toEqual(seen(watched, watched.turns))
    expect(seen(await new PlayedBook(session).play(false, blockLength))).toEqual(seen(watched, watched.turns))
  })
  await fc.assert(law, { numRuns: RUNS })
})

it('plays out of the event queue what it plays in one loop, whenever it was recorded', async () => {
  const sessions = fc.oneof(randomDepthSession, randomOrderSession({ isFifo: true, isQuiet: false }))
  const recordedBy = fc.constantFrom(0, 7, 1_000)
  const law = fc.asyncProperty(
    sessions,
    fc.integer({ min: 1, max: 20 }),
    recordedBy,
    async (session, blockLength, by) => {
      const [paced, looped] = [new PlayedBook(session), new PlayedBook(session)]
      expect(seen(await paced.playPaced(blockLength, by))).toEqual(seen(await looped.play(false)))
      expect(paced.stage.events).toEqual(looped.stage.events)
    },
  )
  await fc.assert(law, { numRuns: RUNS })
})

it('plays under `tape` a market with a recorded book as it plays one without', async () => {
  await always(async (session) => {
    const { staleAfterMs } = session.settings
    const model = () => new TapeLiquidity(new TradeEstimates(undefined), { queueSize: 1, levelSize: 1, staleAfterMs })
    const [withBook, without] = [new PlayedBook(session, model), new PlayedBook(session, model)]
    await withBook.play(false)
    await without.play(false, Infinity, false)
    expect(withBook.stage.events).toEqual(without.stage.events)
    expect(withBook.stage.trades).toEqual(without.stage.trades)
    expect(withBook.resting).toEqual(without.resting)
  })
})
