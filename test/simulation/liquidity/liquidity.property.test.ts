/**
 * The laws of the models `tape`, `through` and `touch` under random tapes and random orders.
 *
 * Each is asked of the naive crowd as well, so that a law that the model itself does not keep is found there.
 * `PROPERTY_SEED=random PROPERTY_TIMES=30` looks elsewhere and longer; `PROPERTY_CORNERS=1` prints how often each corner was reached.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { opposite, type Side } from '../../../src/domain/order.ts'
import { runs } from '../../property/property.ts'
import { Corners } from './rig/corners.ts'
import { naivePlay } from './rig/naive-play.ts'
import { longTape, randomParts, randomSession } from './rig/random-session.ts'
import {
  CROWD_NAME,
  isTrade,
  totalOf,
  type Match,
  type PlaceStep,
  type Play,
  type Session,
  type Step,
} from './rig/session.ts'
import { simulatedPlay } from './rig/simulated-play.ts'
import { turnsOf, type Books, type Turn } from './rig/turn.ts'

const RUNS = runs(300)

const always = (law: (session: Session) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(randomSession, law), { numRuns: RUNS })

describe('random sessions', () => {
  it('reach every corner of the model', async () => {
    const corners = new Corners()
    await always((session) => corners.count(session))
    if (process.env.PROPERTY_CORNERS !== undefined) console.log(corners.report())
    expect(corners.missed(), 'corners that no session reached').toEqual([])
  })
})

describe('the simulated market', () => {
  it('does in every step what the naive crowd says: fills, prints, queues, quote', async () => {
    await always(async (session) => {
      expect(await turnsOf(session, simulatedPlay)).toEqual(await turnsOf(session, naivePlay))
    })
  })

  it('has the same quote, clip size and step after hundreds of trades, when the oldest fade', async () => {
    const law = fc.asyncProperty(longTape, async (session) => {
      const quotes = (turns: readonly Turn[]) => turns.map(({ after }) => after.quote)
      expect(quotes(await turnsOf(session, simulatedPlay))).toEqual(quotes(await turnsOf(session, naivePlay)))
    })
    await fc.assert(law, { numRuns: Math.ceil(RUNS / 20) })
  })
})

const PLAYS: readonly { readonly name: string; readonly play: Play }[] = [
  { name: 'the naive crowd', play: naivePlay },
  { name: 'the simulated market', play: simulatedPlay },
]

for (const { name, play } of PLAYS) {
  describe(name, () => {
    /** Asks a law of every step of every session. */
    const inEveryTurn = (law: (turn: Turn, session: Session) => void): Promise<void> =>
      always(async (session) => {
        for (const turn of await turnsOf(session, play)) law(turn, session)
      })

    it('fills or prints every recorded lot once, so that none fills two of our orders', async () => {
      await inEveryTurn(({ step, outcome: { matches, prints } }) => {
        if (step.do !== 'trade') expect(prints).toEqual([])
        else expect(totalOf(matches) + totalOf(prints)).toBe(step.qty)
        for (const { price } of prints) expect(price).toBe(step.do === 'trade' ? step.price : undefined)
      })
    })

    it('fills a maker at its own price, by a recorded trade at or beyond it or by another order of ours', async () => {
      await inEveryTurn(({ step, outcome }, session) => {
        for (const match of outcome.matches.filter(({ maker }) => maker !== CROWD_NAME)) {
          const maker = placing(session, match.maker)
          expect(match.price).toBe(maker.price)
          if (step.do === 'trade') {
            expect(match.taker).toBe(CROWD_NAME)
            expect(isAtOrBeyond(maker.side, step.price, match.price)).toBe(true)
            if (session.settings.model === 'through') expect(step.price).not.toBe(match.price)
          } else expect(step.order).toBe(match.taker)
        }
      })
    })

    it('fills no order beyond its quantity, or at a price worse than its limit', async () => {
      await always(async (session) => {
        const filled = new Map<string, number>()
        const fill = (order: string, { price, qty }: Match): void => {
          if (order === CROWD_NAME) return
          const limit = placing(session, order)
          filled.set(order, (filled.get(order) ?? 0) + qty)
          expect(filled.get(order)).toBeLessThanOrEqual(limit.qty)
          if (limit.price !== undefined) expect(isAtOrBeyond(limit.side, price, limit.price)).toBe(true)
        }
        for (const { outcome } of await turnsOf(session, play)) {
          for (const match of outcome.matches) for (const order of [match.maker, match.taker]) fill(order, match)
        }
      })
    })

    it('sells to a taker never below the ask of the crowd, and buys never above its bid, but for the queue it rests', async () => {
      await inEveryTurn(({ step, outcome, before }, { steps }) => {
        if (step.do !== 'place' || hasTaken(steps, step)) return
        for (const { maker, price } of outcome.matches) {
          if (maker === CROWD_NAME) expect(isOffered(before, step.side, price)).toBe(true)
        }
      })
    })

    it('asks of n market orders at one instant what it asks of one of their sum', async () => {
      const law = fc.asyncProperty(randomSession, randomParts, async (session, { side, parts, back }) => {
        const time = session.steps.at(-1)?.time ?? 0
        const order = (name: string, of: Side, qty: number): Step => {
          return { do: 'place', time, order: name, side: of, price: undefined, qty }
        }
        /** By the orders, and by one of the other side that comes after them. */
        const paid = async (sizes: readonly number[]): Promise<readonly unknown[]> => {
          const orders = [
            ...sizes.map((qty, index) => order(`C${index}`, side, qty)),
            order('C99', opposite(side), back),
          ]
          const turns = await turnsOf({ ...session, steps: [...session.steps, ...orders] }, play)
          const matches = turns.slice(session.steps.length).map(({ outcome }) => outcome.matches)
          return [lotsByPrice(matches.slice(0, -1).flat()), lotsByPrice(matches.at(-1) ?? [])]
        }
        expect(await paid(parts)).toEqual(await paid([parts.reduce((sum, part) => sum + part, 0)]))
      })
      await fc.assert(law, { numRuns: RUNS })
    })

    it('knows nothing of the future: a tape that is cut off anywhere plays the same as far as it goes', async () => {
      const law = fc.asyncProperty(randomSession, fc.nat(40), async (session, length) => {
        const cut = { ...session, steps: session.steps.slice(0, length) }
        expect(await turnsOf(cut, play)).toEqual((await turnsOf(session, play)).slice(0, length))
      })
      await fc.assert(law, { numRuns: RUNS })
    })

    it('prints the tape as it is where we have no orders', async () => {
      await always(async (session) => {
        const trades = session.steps.filter(isTrade)
        const turns = await turnsOf({ ...session, steps: trades }, play)
        expect(turns.map(({ step }) => step)).toEqual(trades)
        for (const { step, outcome, after } of turns) {
          expect(outcome).toEqual({ matches: [], prints: [lotsOf(step)], fate: '' })
          expect([after.bids, after.asks]).toEqual([[], []])
        }
      })
    })

    it('learns from recorded trades alone: its quote is the same with our orders and without', async () => {
      await always(async (session) => {
        const quotes = (turns: readonly Turn[]) =>
          turns.filter(({ step }) => step.do === 'trade').map(({ after }) => after.quote)
        const alone = await turnsOf({ ...session, steps: session.steps.filter(isTrade) }, play)
        expect(quotes(await turnsOf(session, play))).toEqual(quotes(alone))
      })
    })

    it('rests between commands only ahead of orders of ours, in a book that is not crossed', async () => {
      await inEveryTurn(({ after: { bids, asks } }) => {
        for (const { orders } of [...bids, ...asks]) expect(orders.at(-1)?.order).not.toBe(CROWD_NAME)
        if (bids[0] !== undefined && asks[0] !== undefined) expect(bids[0].price).toBeLessThan(asks[0].price)
      })
    })
  })
}

/** True when an order of the other side was sent before, which the crowd may have followed. */
const hasTaken = (steps: readonly Step[], { side, order }: PlaceStep): boolean =>
  steps
    .slice(
      0,
      steps.findIndex((step) => step.do === 'place' && step.order === order),
    )
    .some((step) => step.do === 'place' && step.side !== side)

/** True when `price` is at least as low as `limit` for a buy order, as high for a sell order. */
const isAtOrBeyond = (side: Side, price: number, limit: number): boolean =>
  side === 'BUY' ? price <= limit : price >= limit

/** The step that placed an order. */
function placing({ steps }: Session, order: string): Extract<Step, { do: 'place' }> {
  const step = steps.find((each) => each.do === 'place' && each.order === order)
  if (step?.do !== 'place') throw new Error(`${order} was filled and never placed`)
  return step
}

/**
 * True when the crowd shows something to an order of `side` at `price`: its ladder from its best price on, or its
 * queue.
 */
function isOffered({ quote, bids, asks }: Books, side: Side, price: number): boolean {
  const [front, queues] = side === 'BUY' ? [quote?.takerAsk, asks] : [quote?.takerBid, bids]
  if (front !== undefined && isAtOrBeyond(side, front, price)) return true
  return queues.some((queue) => queue.price === price && queue.orders.some(({ order }) => order === CROWD_NAME))
}

function lotsByPrice(matches: readonly Match[]): readonly (readonly [number, number])[] {
  const lots = new Map<number, number>()
  for (const { price, qty } of matches) lots.set(price, (lots.get(price) ?? 0) + qty)
  return [...lots].sort(([a], [b]) => a - b)
}

const lotsOf = (step: Step): { price: number; qty: number } | undefined =>
  step.do === 'trade' ? { price: step.price, qty: step.qty } : undefined
