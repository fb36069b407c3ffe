/**
 * The model `book` under random recorded books and random orders, beside a plain market written from its rules.
 *
 * `PROPERTY_SEED=random PROPERTY_TIMES=30` looks elsewhere and longer; `PROPERTY_CORNERS=1` prints how often each corner was reached.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { needed, runs } from '../../property/property.ts'
import { bookPlay } from './rig/book-play.ts'
import { naiveBookPlay } from './rig/naive-book-market.ts'
import { randomDepthSession } from './rig/random-depth-session.ts'
import { ORDER_CORNERS, Reached } from './rig/reached.ts'

const RUNS = runs(1_500)
/** No claim about speed. */
const SLOW = 600_000

it(
  'does in every step what the naive book market says: fills, who made and took, what rests, what is ahead of it',
  { timeout: SLOW },
  () =>
    fc.assert(
      fc.asyncProperty(randomDepthSession, async (session) => {
        expect(await bookPlay(session)).toEqual(await naiveBookPlay(session))
      }),
      { numRuns: RUNS },
    ),
)

it('is looked at in every corner of the rules', { timeout: SLOW }, async () => {
  const reached = new Reached()
  await fc.assert(
    fc.asyncProperty(randomDepthSession, async (session) => {
      await naiveBookPlay(session, reached)
    }),
    { numRuns: RUNS },
  )
  if (process.env.PROPERTY_CORNERS !== undefined) console.log(reached.report())
  // Those of recordings that report orders are reached in sessions of their own.
  const missed = reached.missed(needed(20)).filter((corner) => !ORDER_CORNERS.some((name) => corner.startsWith(name)))
  expect(missed, 'corners that were reached too seldom').toEqual([])
})
