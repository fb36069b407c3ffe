/**
 * Recorded books that report each order: orders of ours among random ones of a market, beside the truth and beside the
 * naive book market.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs, needed } from '../../property/property.ts'
import { bookPlay } from './rig/book-play.ts'
import { isRecorded, type PlaceStep, type Turn } from './rig/depth-session.ts'
import { naiveBookPlay } from './rig/naive-book-market.ts'
import { randomOrderSession, type OrderSession } from './rig/random-order-market.ts'
import { ORDER_CORNERS, Reached } from './rig/reached.ts'

const RUNS = runs(1_000)
/** No claim about speed. */
const SLOW = 600_000

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Of an order of ours in a market that reports each order: what is ahead of it, and what it got so far. */
interface Place {
  readonly order: string
  readonly ahead: number
  readonly got: number
}

/**
 * Nothing is guessed: ahead is who came no later and is there yet; what was traded of those who came later, or beyond
 * our price, is ours.
 */
function truthAt(session: OrderSession, ours: readonly PlaceStep[], time: number): readonly Place[] {
  const resting = session.restingAfter.get(time) ?? []
  return ours.flatMap(({ order, time: since, side, price, qty }): readonly Place[] => {
    const reported = session.steps.flatMap((step) =>
      step.do === 'frame' && step.time <= time ? (step.falls ?? []) : [],
    )
    const ofLater = reported.filter((fall) => fall.isTraded && fall.price === price && fall.since > since)
    const trades = session.steps.flatMap((step) => (step.do === 'trade' && step.time <= time ? [step] : []))
    const beyond = trades.filter(
      (trade) =>
        trade.time > since && price !== undefined && (side === 'BUY' ? trade.price < price : trade.price > price),
    )
    const isOfSide = (lots: number): boolean => (side === 'BUY' ? lots < 100 : lots > 100)
    const met = [
      ...ofLater.map(({ lots }) => lots),
      ...beyond.filter((trade) => isOfSide(trade.price)).map((trade) => trade.qty),
    ]
    const got = Math.min(qty, sum(met))
    const ahead = resting.filter((each) => each.side === side && each.price === price && each.since <= since)
    return [{ order, ahead: got === qty ? 0 : sum(ahead.map(({ lots }) => lots)), got }]
  })
}

function placesAt(turns: readonly Turn[], ours: readonly PlaceStep[], time: number): readonly Place[] {
  const until = turns.filter(({ step }) => step.time <= time)
  const resting = until.at(-1)?.resting ?? []
  return ours.map(({ order }): Place => {
    const got = until.flatMap(({ matches }) => matches).filter(({ maker }) => maker === order)
    const ahead = resting.find((each) => each.order === order)?.ahead ?? 0
    return { order, ahead, got: sum(got.map(({ qty }) => qty)) }
  })
}

it(
  'gives an order of ours at each moment the place and the fills of one that came to that market when it did',
  { timeout: SLOW },
  async () => {
    let [fills, moments] = [0, 0]
    await fc.assert(
      fc.asyncProperty(randomOrderSession({ isFifo: true, isQuiet: true }), async (session) => {
        const turns = await bookPlay(session)
        for (const time of session.restingAfter.keys()) {
          const ours = session.steps.filter((step): step is PlaceStep => step.do === 'place' && step.time <= time)
          const truth = truthAt(session, ours, time)
          expect(placesAt(turns, ours, time)).toEqual(truth)
          moments += truth.filter(({ ahead }) => ahead > 0).length
          fills += truth.filter(({ got }) => got > 0).length
        }
      }),
      { numRuns: RUNS },
    )
    expect(fills).toBeGreaterThan(RUNS)
    expect(moments).toBeGreaterThan(RUNS)
  },
)

it('does in every step what the naive book market says, whoever is traded first', { timeout: SLOW }, async () => {
  const reached = new Reached()
  await fc.assert(
    fc.asyncProperty(
      fc.boolean().chain((isFifo) => randomOrderSession({ isFifo, isQuiet: false })),
      async (session) => {
        expect(await bookPlay(session)).toEqual(await naiveBookPlay(session, reached))
      },
    ),
    { numRuns: RUNS },
  )
  if (process.env.PROPERTY_CORNERS !== undefined) console.log(reached.report())
  expect(reached.missed(needed(20)).filter((corner) => ORDER_CORNERS.some((name) => corner.startsWith(name)))).toEqual(
    [],
  )
})

it('gives to ours no lot of a trade twice, whoever is traded first', { timeout: SLOW }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.boolean().chain((isFifo) => randomOrderSession({ isFifo, isQuiet: false })),
      async (session) => {
        const turns = await bookPlay(session)
        const recorded = turns.flatMap(({ step, matches }) => (isRecorded(step) ? matches : []))
        const traded = session.steps.flatMap((step) => (step.do === 'trade' ? [step] : []))
        for (const price of new Set(recorded.map((match) => match.price))) {
          const got = sum(recorded.filter((match) => match.price === price).map(({ qty }) => qty))
          // The sides never meet: what fills ours at a price are trades there, or beyond it.
          const there = traded.filter((trade) => (price < 100 ? trade.price <= price : trade.price >= price))
          expect(got).toBeLessThanOrEqual(sum(there.map(({ qty }) => qty)))
        }
      },
    ),
    { numRuns: RUNS },
  ),
)
