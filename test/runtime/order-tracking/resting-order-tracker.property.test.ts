/**
 * What the journal says of resting orders: by hand on small tapes, and held against a count over the tape on random
 * ones.
 */
import { runs } from '../../property/property.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { buyLimit, buyMarket, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import type { JournalLine, TestRun } from '../rig/run-strategy.ts'
import { playScript, scripts, type Acts } from '../rig/scripted-orders.ts'

const BTC = 'BTC_USD'

async function lifeLines(
  rows: readonly RecordedRow[],
  acts: Acts,
  settings: Partial<BacktestSettings> = {},
): Promise<readonly JournalLine[]> {
  const { result, journal } = await playScript({ rows, acts, settings })
  expect(result.failure).toBeUndefined()
  return journal.filter(({ type }) => LIFE_TYPES.has(type))
}

const LIFE_TYPES = new Set(['rested', 'met', 'met-own', 'left'])

/** Bid 100, ask 101, a clip of 4. */
const OPENING: RecordedRow = [0, 100, 4, 'sell']

describe('the lines of a resting order', () => {
  it('what is ahead when it comes to rest, each trade that fills it, what was traded when it leaves', async () => {
    const rows: RecordedRow[] = [
      OPENING,
      [2_000, 100, 3, 'sell'],
      [3_000, 100, 2, 'buy'],
      [4_000, 99, 9, 'sell'],
      [5_000, 105, 1],
    ]
    expect(await lifeLines(rows, [[1_000, buyLimit(BTC, 100, 2)]])).toEqual([
      { t: 1_050, type: 'rested', orderId: '4', crowdAhead: '4', oursAhead: '0' },
      { t: 3_000, type: 'met', orderId: '4', tradeId: expect.any(String), price: '100', qty: '2' },
      { t: 4_000, type: 'met', orderId: '4', tradeId: expect.any(String), price: '99', qty: '9' },
      {
        t: 4_000,
        type: 'left',
        orderId: '4',
        status: 'FILLED',
        ...{ tradesAt: 2, qtyAt: '5', tradesThrough: 1, qtyThrough: '9', qtyToOurs: '0', gaps: 0 },
      },
    ])
  })

  it('a second one is behind the crowd, the first, and the top-up; the first takes before it', async () => {
    const rows: RecordedRow[] = [OPENING, [2_000, 100, 5, 'sell'], [5_000, 105, 1]]
    const acts: Acts = [
      [1_000, buyLimit(BTC, 100, 2)],
      [1_500, buyLimit(BTC, 100, 1)],
    ]
    expect(await lifeLines(rows, acts)).toEqual([
      { t: 1_050, type: 'rested', orderId: '4', crowdAhead: '4', oursAhead: '0' },
      { t: 1_550, type: 'rested', orderId: '5', crowdAhead: '4', oursAhead: '2' },
      { t: 2_000, type: 'met', orderId: '4', tradeId: expect.any(String), price: '100', qty: '5' },
      {
        ...{ t: 5_000, type: 'left', orderId: '4', status: 'PARTIALLY_FILLED', crowdAhead: '0', oursAhead: '0' },
        ...{ tradesAt: 1, qtyAt: '5', tradesThrough: 0, qtyThrough: '0', qtyToOurs: '0', gaps: 0 },
      },
      {
        t: 5_000,
        type: 'left',
        orderId: '5',
        status: 'OPEN',
        crowdAhead: '0',
        oursAhead: '1',
        tradesAt: 1,
        qtyAt: '5',
        tradesThrough: 0,
        qtyThrough: '0',
        qtyToOurs: '1',
        gaps: 0,
      },
    ])
  })

  it('cancelled, with what was still ahead of it, though nothing of that rests any more', async () => {
    const rows: RecordedRow[] = [OPENING, [2_000, 100, 3, 'sell'], [5_000, 105, 1]]
    const lines = await lifeLines(rows, [
      [1_000, buyLimit(BTC, 100, 2)],
      [3_000, cancelAll()],
    ])
    expect(lines.at(-1)).toEqual({
      t: 3_050,
      type: 'left',
      orderId: '4',
      status: 'CANCELLED',
      crowdAhead: '1',
      oursAhead: '0',
      tradesAt: 1,
      qtyAt: '3',
      tradesThrough: 0,
      qtyThrough: '0',
      qtyToOurs: '0',
      gaps: 0,
    })
  })

  it('moves up when an own order ahead of it is cancelled', async () => {
    const rows: RecordedRow[] = [OPENING, [5_000, 105, 1]]
    const acts: Acts = [
      [1_000, buyLimit(BTC, 100, 2)],
      [1_500, buyLimit(BTC, 100, 1)],
      [2_000, { type: 'cancel', orderId: '4' }],
    ]
    const lines = await lifeLines(rows, acts)
    expect(lines.find(({ orderId, type }) => orderId === '5' && type === 'left')).toMatchObject({
      status: 'OPEN',
      crowdAhead: '4',
      oursAhead: '0',
    })
  })

  it('filled by an own order, which used up what was ahead', async () => {
    const lines = await lifeLines(
      [OPENING, [5_000, 100, 1]],
      [
        [1_000, sellLimit(BTC, 101, 2)],
        [2_000, buyMarket(BTC, 5)],
      ],
    )
    expect(lines).toEqual([
      { t: 1_050, type: 'rested', orderId: '4', crowdAhead: '4', oursAhead: '0' },
      { t: 2_050, type: 'met-own', orderId: '4', tradeId: expect.any(String), takerId: expect.any(String) },
      {
        t: 5_000,
        type: 'left',
        orderId: '4',
        status: 'PARTIALLY_FILLED',
        crowdAhead: '0',
        oursAhead: '0',
        tradesAt: 0,
        qtyAt: '0',
        tradesThrough: 0,
        qtyThrough: '0',
        qtyToOurs: '0',
        nearest: '100',
        gaps: 0,
      },
    ])
  })

  it('a gap is counted for those that rest across it', async () => {
    const rows: RecordedRow[] = [OPENING, [1_500, 105, 1], [1_000_000, 105, 1], [2_000_000, 105, 1]]
    const acts: Acts = [
      [1_000, buyLimit(BTC, 90, 2)],
      [1_000_500, buyLimit(BTC, 80, 2)],
    ]
    const lefts = (await lifeLines(rows, acts)).filter(({ type }) => type === 'left')
    expect(lefts.map(({ gaps, nearest }) => [gaps, nearest])).toEqual([
      [2, '105'],
      [1, '105'],
    ])
  })

  it('there are none for what never rests', async () => {
    const acts: Acts = [
      [1_000, buyMarket(BTC, 2)],
      [1_100, buyLimit(BTC, 110, 3)],
      [1_200, sellMarket(BTC, 1)],
      [1_300, buyLimit(BTC, 90, 5_000)],
    ]
    expect(await lifeLines([OPENING, [5_000, 100, 1]], acts)).toEqual([])
  })
})

interface Life {
  readonly id: number
  readonly sign: 1 | -1
  readonly price: number
  readonly rested: JournalLine
  readonly left: JournalLine
}

const lines = (run: TestRun, type: string): readonly JournalLine[] => run.journal.filter((line) => line.type === type)

function trackedOf(run: TestRun): readonly Life[] {
  const placed = new Map(lines(run, 'order').map(({ order }) => [(order as { id: string }).id, order as OrderFields]))
  return lines(run, 'rested').map((rested) => {
    const id = String(rested.orderId)
    const lefts = lines(run, 'left').filter(({ orderId }) => orderId === id)
    expect(lefts).toHaveLength(1)
    const [left] = lefts
    const order = placed.get(id)
    if (left === undefined || order === undefined) throw new Error(`order ${id} has no line`)
    return { id: Number(id), sign: order.side === 'BUY' ? 1 : -1, price: Number(order.price), rested, left }
  })
}

interface OrderFields {
  readonly id: string
  readonly side: string
  readonly price: string
}

/** Recorded while it rested. A command arrives after the trades of its millisecond. */
const during = ({ rested, left }: Life, rows: readonly RecordedRow[]): readonly RecordedRow[] =>
  rows.filter(([time]) => time > rested.t && time <= left.t)

/** The figures of a `left` line, counted over the whole tape. */
function counted(life: Life, rows: readonly RecordedRow[]): Readonly<Record<string, unknown>> {
  const seen = during(life, rows)
  const beyond = ([, price]: RecordedRow): number => (life.price - price) * life.sign
  const [ats, throughs] = [seen.filter((row) => beyond(row) === 0), seen.filter((row) => beyond(row) > 0)]
  const sum = (of: readonly RecordedRow[]): string => String(of.reduce((lots, [, , qty]) => lots + qty, 0))
  const nearest = seen.map(([, price]) => price).toSorted((a, b) => (a - b) * life.sign)[0]
  return {
    tradesAt: ats.length,
    qtyAt: sum(ats),
    tradesThrough: throughs.length,
    qtyThrough: sum(throughs),
    nearest: ats.length + throughs.length > 0 || nearest === undefined ? undefined : String(nearest),
  }
}

/** Lots of the trades at and beyond its price that went to orders of ours before it in the book. */
function toOurs(life: Life, rows: readonly RecordedRow[], run: TestRun, tracker: readonly Life[]): number {
  const reached = new Set(
    during(life, rows)
      .filter(([, price]) => (life.price - price) * life.sign >= 0)
      .map(([time]) => time),
  )
  const isBefore = ({ id, sign, price }: Life): boolean =>
    sign === life.sign && ((price - life.price) * sign > 0 || (price === life.price && id < life.id))
  const before = new Set(tracker.filter(isBefore).map(({ id }) => String(id)))
  const met = new Set(lines(run, 'met').flatMap(({ t, tradeId }) => (reached.has(t) ? [tradeId] : [])))
  return run.fills
    .filter(({ orderId, tradeId, isMaker }) => isMaker && before.has(orderId) && met.has(tradeId))
    .reduce((lots, { qty }) => lots + qty.toNumber(), 0)
}

describe('on random tapes, under every model and latency', () => {
  it('every resting order rests once and leaves once, with the figures that a count over the tape gives', async () => {
    const corners = { filled: 0, cancelled: 0, open: 0, 'to ours': 0, through: 0, 'met own': 0, 'behind the crowd': 0 }
    await fc.assert(
      fc.asyncProperty(scripts(), async ({ rows, acts, settings }) => {
        const run = await playScript({ rows, acts, settings })
        const tracker = trackedOf(run)
        expect(lines(run, 'left')).toHaveLength(tracker.length)
        for (const life of tracker) {
          const { left, rested } = life
          const { tradesAt, qtyAt, tradesThrough, qtyThrough, nearest } = left
          expect({ tradesAt, qtyAt, tradesThrough, qtyThrough, nearest }).toEqual(counted(life, rows))
          expect(Number(left.qtyToOurs)).toBe(toOurs(life, rows, run, tracker))
          corners.filled += left.status === 'FILLED' ? 1 : 0
          corners.cancelled += left.status === 'CANCELLED' ? 1 : 0
          corners.open += left.status === 'OPEN' || left.status === 'PARTIALLY_FILLED' ? 1 : 0
          corners['to ours'] += left.qtyToOurs === '0' ? 0 : 1
          corners.through += left.tradesThrough === 0 ? 0 : 1
          corners['behind the crowd'] += rested.crowdAhead === '0' ? 0 : 1
        }
        corners['met own'] += lines(run, 'met-own').length
      }),
      { numRuns: runs(300) },
    )
    for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
  })

  it('every maker fill was met once: by a recorded trade at its price or beyond, or by an own order', async () => {
    const corners = { queue: 0, through: 0, own: 0 }
    await fc.assert(
      fc.asyncProperty(scripts(), async ({ rows, acts, settings }) => {
        const run = await playScript({ rows, acts, settings })
        const makers = run.fills.filter(({ isMaker }) => isMaker)
        const mets = [...lines(run, 'met'), ...lines(run, 'met-own')]
        expect(mets.map(({ tradeId }) => Number(tradeId)).toSorted((a, b) => a - b)).toEqual(
          makers.map(({ tradeId }) => Number(tradeId)).toSorted((a, b) => a - b),
        )
        for (const fill of makers) {
          const met = mets.find(({ tradeId }) => tradeId === fill.tradeId)
          expect(met).toMatchObject({ t: fill.createdAt, orderId: fill.orderId })
          if (met?.type === 'met-own') {
            corners.own += 1
            expect(run.fills).toContainEqual(expect.objectContaining({ orderId: met.takerId, tradeId: fill.tradeId }))
            continue
          }
          const beyond = (fill.price.toNumber() - Number(met?.price)) * (fill.side === 'BUY' ? 1 : -1)
          expect(beyond).toBeGreaterThanOrEqual(0)
          expect(rows.map(([time, price, qty]) => [time, String(price), String(qty)])).toContainEqual([
            met?.t,
            met?.price,
            met?.qty,
          ])
          corners[beyond === 0 ? 'queue' : 'through'] += 1
        }
      }),
      { numRuns: runs(300) },
    )
    for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
  })

  it('what is ahead of an order never grows, and at the end is what the book has', async () => {
    const corners = { shrank: 0, 'open behind the crowd': 0, 'open behind ours': 0 }
    await fc.assert(
      fc.asyncProperty(scripts(), async ({ rows, acts, settings }) => {
        const run = await playScript({ rows, acts, settings })
        for (const { id, sign, price, rested, left } of trackedOf(run)) {
          if (left.status === 'FILLED') continue
          const before = [Number(rested.crowdAhead), Number(rested.oursAhead)]
          const after = [Number(left.crowdAhead), Number(left.oursAhead)]
          expect(after[0]).toBeLessThanOrEqual(before[0] ?? 0)
          expect(after[1]).toBeLessThanOrEqual(before[1] ?? 0)
          corners.shrank += after.join() === before.join() ? 0 : 1
          if (left.status === 'CANCELLED') continue
          const book = run.result.exchange.restingAt(BTC, sign === 1 ? 'BUY' : 'SELL', price)
          const ahead = book.slice(
            0,
            book.findIndex(({ orderId }) => orderId === id),
          )
          const lots = (isCrowd: boolean): number =>
            ahead.reduce((sum, { account, qty }) => sum + ((account === 'crowd') === isCrowd ? qty : 0), 0)
          expect(after).toEqual([lots(true), lots(false)])
          corners['open behind the crowd'] += after[0] === 0 ? 0 : 1
          corners['open behind ours'] += after[1] === 0 ? 0 : 1
        }
      }),
      { numRuns: runs(500) },
    )
    for (const [corner, times] of Object.entries(corners)) expect(times, corner).toBeGreaterThan(0)
  })
})
