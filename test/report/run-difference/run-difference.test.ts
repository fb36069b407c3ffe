/**
 * Where two small runs part, and the cause that is named.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differenceText } from '../../../src/report/run-difference/difference-text.ts'
import { runDifference } from '../../../src/report/run-difference/run-difference.ts'
import * as sample from './rig/sample-run.ts'
import type { Line, Sample } from './rig/sample-run.ts'

const { absent, adopted, balances, cancel, cancelled, fill, place, refused, run, taken, unknown } = sample

const between = (a: Sample, b: Sample, all = false): ReturnType<typeof runDifference> =>
  runDifference({ a: run(a), b: run(b) }, all)

/** An order that is taken, more lines, and an order at a price. */
const bids = (then: string, ...lines: readonly Line[]): readonly Line[] => [
  place(100, 1, '100'),
  taken(150, 1, '7'),
  ...lines,
  place(2_000, 2, then),
]
const first = (...answer: readonly Line[]): readonly Line[] => [place(100, 1, '100'), ...answer]
const live = (...lines: readonly Line[]): Sample => ({ lines, isLive: true })

describe('the cause of a parting', () => {
  const [up, down] = [place(2_000, 2, '101'), place(2_000, 2, '99')]
  it.each<readonly [string, Sample, Sample, string, string | undefined]>([
    [
      'a parameter',
      { lines: bids('101'), params: { n: 1 } },
      { lines: bids('99'), params: { n: 2 } },
      'settings',
      undefined,
    ],
    [
      'a seed',
      { lines: bids('101'), config: { seed: 1 } },
      { lines: bids('99'), config: { seed: 2 } },
      'settings',
      undefined,
    ],
    ['a tape', { lines: bids('101') }, { lines: bids('99'), tape: 'two' }, 'market-data', undefined],
    ['nothing that is known', { lines: bids('101') }, { lines: bids('99') }, 'market-data', undefined],
    [
      'an answer that came later',
      { lines: bids('101') },
      { lines: [...first(taken(230, 1, '7')), down] },
      'latency',
      'latency',
    ],
    [
      'an answer that had not come yet',
      { lines: bids('101') },
      { lines: [place(100, 1, '100'), place(120, 2, '99'), taken(150, 1, '7')] },
      'latency',
      'latency',
    ],
    ['a fill in one', { lines: bids('101', fill(900, '7', '100')) }, { lines: bids('99') }, 'fill', 'fill'],
    [
      'a fill at another price',
      { lines: bids('101', fill(900, '7', '100', { isMaker: false })) },
      { lines: bids('99', fill(900, '7', '99.9', { isMaker: false })) },
      'fill',
      'fill',
    ],
    [
      'a fill as maker and one as taker',
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: bids('99', fill(900, '7', '100', { isMaker: false })) },
      'fill',
      'fill',
    ],
    [
      'a fill of which one heard later',
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: [...bids('99'), fill(3_000, '7', '100')] },
      'fill',
      'fill',
    ],
    [
      'a fill before its answer',
      { lines: [place(100, 1, '100'), fill(140, '7', '100'), taken(150, 1, '7'), up] },
      { lines: bids('99') },
      'fill',
      'fill',
    ],
    [
      'fills under another latency, of simulations',
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: bids('99'), config: { orderLatencyMs: 90 } },
      'latency',
      'fill',
    ],
    [
      'fills of another tape',
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: bids('99'), tape: 'two' },
      'market-data',
      'fill',
    ],
    [
      'fills of another liquidity model',
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: bids('99'), config: { liquidity: 'touch' } },
      'settings',
      'fill',
    ],
    [
      'fees, of simulations',
      { lines: bids('101', fill(900, '7', '100')), config: { makerFeeBps: '0' } },
      { lines: bids('99', fill(900, '7', '100', { fee: '0.1' })), config: { makerFeeBps: '10' } },
      'settings',
      'fee',
    ],
    ['fills of a live exchange', { lines: bids('101', fill(900, '7', '100')) }, live(...bids('99')), 'fill', 'fill'],
    [
      'a refusal',
      { lines: bids('101') },
      { lines: [...first(refused(150, 1, 'INSUFFICIENT_BALANCE')), down] },
      'refusal',
      'refusal',
    ],
    [
      'a refusal by whom',
      { lines: [...first(refused(150, 1, 'ORDER_REJECTED')), up] },
      { lines: [...first(refused(150, 1, 'ORDER_REJECTED', 'risk')), down] },
      'refusal',
      'refusal',
    ],
    [
      'a limit of the risk',
      { lines: bids('101') },
      { lines: [...first(refused(100, 1, 'ORDER_REJECTED', 'risk')), down], config: { maxOrder: '50' }, tape: 'two' },
      'settings',
      'refusal',
    ],
    [
      'an answer that was lost',
      { lines: bids('101') },
      live(...first(unknown(150, 1)), down),
      'unknown-outcome',
      'unknown-outcome',
    ],
    [
      'a lost answer, and what was found',
      live(...first(unknown(150, 1), adopted(400, 1, '7')), up),
      live(...first(unknown(150, 1), absent(400, 1)), down),
      'unknown-outcome',
      'unknown-outcome',
    ],
    [
      'a cancellation from outside',
      { lines: bids('101') },
      live(...bids('99', cancelled(700, '7'))),
      'cancellation',
      'cancellation',
    ],
    [
      'a balance',
      live(...bids('101', balances(500, '900'))),
      live(...bids('99', balances(500, '800'))),
      'balance',
      'balance',
    ],
    [
      'a strategy that failed',
      { lines: bids('101') },
      { lines: bids('101').slice(0, 2), failure: 'oh' },
      'strategy-failure',
      'strategy-failure',
    ],
    ['an end', { lines: bids('101') }, { lines: bids('101').slice(0, 2), isKilled: true }, 'end', 'end'],
    [
      'an end in the moment of a fill',
      { lines: bids('101', fill(150, '7', '100')) },
      { lines: bids('101').slice(0, 2), isKilled: true },
      'end',
      'end',
    ],
    [
      'a strategy that asked for nothing more',
      { lines: bids('101') },
      { lines: bids('101').slice(0, 2) },
      'market-data',
      undefined,
    ],
    ['no parting, and a fill', { lines: bids('101') }, { lines: bids('101', fill(900, '7', '100')) }, 'fill', 'fill'],
    [
      'no parting, and a later answer',
      { lines: bids('101') },
      { lines: [...first(taken(170, 1, '7')), up] },
      'latency',
      'latency',
    ],
    [
      'no parting, and later requests',
      { lines: bids('101') },
      { lines: [...bids('1').slice(0, 2), place(2_001, 2, '101')] },
      'market-data',
      undefined,
    ],
  ])('%s', (_, a, b, kind, told) => {
    const difference = between(a, b)
    expect(difference.isSame).toBe(false)
    expect([difference.cause?.kind, difference.cause?.told?.kind]).toEqual([kind, told])
    const swapped = between(b, a)
    expect([swapped.cause?.kind, swapped.cause?.told?.a]).toEqual([kind, difference.cause?.told?.b])
    expect(differenceText(difference)).toContain('totals')
  })

  it('names the settings that differ, and those that it comes of', () => {
    const config = { orderLatencyMs: 90, seed: 3 }
    const { settings, cause } = between(
      { lines: bids('101', fill(900, '7', '100')) },
      { lines: bids('99'), config, params: { n: 1 } },
    )
    expect(settings.map(({ setting, a, b }) => [setting, a, b])).toEqual([
      ['orderLatencyMs', '50', '90'],
      ['params.n', null, '1'],
      ['seed', null, '3'],
    ])
    expect(cause?.settings).toEqual(['orderLatencyMs'])
  })
})

describe('what is no difference', () => {
  it.each<readonly [string, readonly Line[], readonly Line[]]>([
    [
      'other ids',
      [...bids('101'), cancel(2_100, 3, '7')],
      [place(100, 1, '100.00'), taken(150, 1, '9'), place(2_000, 2, '101.0'), cancel(2_100, 3, '9')],
    ],
    ['a cancel of the session itself', bids('101'), [...bids('101'), cancel(9_000, 3, '7', 'end')]],
  ])('%s', (_, a, b) => {
    expect(between({ lines: a }, { lines: b })).toMatchObject({ isSame: true, cause: null, partingCount: 0 })
  })

  it('is not the terms of a simulation beside a live exchange', () => {
    const { settings } = between({ lines: bids('101'), config: { orderLatencyMs: 3 } }, live(...bids('101')))
    expect(settings.map(({ setting }) => setting)).toEqual(['liquidity', 'live.url'])
  })

  it('is not a setting that a run without run.json cannot report', () => {
    const { settings } = between({ lines: bids('101') }, { lines: bids('101'), isKilled: true })
    expect(settings).toEqual([])
  })
})

describe('every parting', () => {
  it('is told with --all, and what comes of nothing new is said to come of the one before', () => {
    const prices = ['100', '101', '102', '103', '104', '105', '106', '107']
    const asks = (changed: Readonly<Record<number, string>>): readonly Line[] =>
      prices.map((price, index) => place(index * 100, index + 1, changed[index] ?? price))
    const { partings: divergences, partingCount } = between(
      { lines: asks({}) },
      { lines: asks({ 2: '1', 5: '2' }) },
      true,
    )
    expect(partingCount).toBe(2)
    expect(divergences.map(({ a, b, cause }) => [a?.words, b?.words, cause.kind])).toEqual([
      ['buy 1 A_USD at 102', 'buy 1 A_USD at 1', 'market-data'],
      ['buy 1 A_USD at 105', 'buy 1 A_USD at 2', 'earlier-parting'],
    ])
  })
})

describe('the totals', () => {
  it('hold the fills of the same request against each other, exactly', () => {
    const taker = { isMaker: false, fee: '0.1' }
    const { pairs, totals } = between(
      { lines: bids('101', fill(900, '7', '100', taker)) },
      {
        lines: [
          ...first(taken(180, 1, '7'), fill(900, '7', '100.05', { ...taker, fee: '0.2' })),
          place(2_000, 2, '101'),
        ],
      },
    )
    // 0.05 of 100.025, the middle of both
    expect(pairs).toEqual({
      count: 2,
      answerLagMs: 30,
      slippage: { requests: 1, meanTicks: '5', meanBps: '4.99875031' },
    })
    expect([totals.a.fees, totals.b.fees]).toEqual([{ USD: '0.1' }, { USD: '0.2' }])
    expect(totals.b.answerMs).toEqual({ count: 1, mean: 80, p50: 80, p99: 80 })
    expect(totals.a).toMatchObject({ requests: 2, orders: 1, fills: 1, refusals: {} })
  })

  it('count refusals by code and by whom', () => {
    const { totals } = between({ lines: first(refused(150, 1, 'RATE_LIMITED', 'rate-budget')) }, { lines: [] })
    expect(totals.a.refusals).toEqual({ 'RATE_LIMITED by rate-budget': 1 })
  })
})

/** Few prices, so that requests come again; answers of every kind. */
const scripts = (): fc.Arbitrary<readonly Line[]> =>
  fc
    .array(
      fc.record({
        price: fc.constantFrom('99', '100', '101'),
        wait: fc.integer({ min: 1, max: 300 }),
        lag: fc.integer({ min: 0, max: 400 }),
        answer: fc.constantFrom('taken', 'refused', 'unknown', 'filled', 'cancelled', 'none'),
      }),
      { maxLength: 12 },
    )
    .map((steps) => {
      let now = 0
      const lines = steps.flatMap(({ price, wait, lag, answer }, index) => {
        now += wait
        const [ref, id, t] = [index + 1, `o${index}`, now + lag]
        const answers: Readonly<Record<string, readonly Line[]>> = {
          taken: [taken(t, ref, id)],
          refused: [refused(t, ref, 'ORDER_REJECTED')],
          unknown: [unknown(t, ref), adopted(t + 100, ref, id)],
          filled: [taken(t, ref, id), fill(t + 50, id, price), balances(t + 50, String(t))],
          cancelled: [taken(t, ref, id), cancelled(t + 9, id)],
        }
        return [place(now, ref, price), ...(answers[answer] ?? [])]
      })
      return lines.toSorted((x, y) => Number(x.t) - Number(y.t))
    })

describe('laws', () => {
  it('a run has no difference to itself', () => {
    fc.assert(
      fc.property(scripts(), (lines) => {
        const difference = between({ lines }, { lines }, true)
        expect(difference).toMatchObject({ isSame: true, cause: null, partingCount: 0, settings: [] })
      }),
    )
  })

  it('swapped runs part at the same places for the same causes, their sides swapped', () => {
    let parted = 0
    fc.assert(
      fc.property(scripts(), scripts(), (a, b) => {
        const [there, back] = [between({ lines: a }, { lines: b }, true), between({ lines: b }, { lines: a }, true)]
        if (there.partingCount > 1) parted += 1
        expect(back.totals).toEqual({ a: there.totals.b, b: there.totals.a })
        expect(back.pairs.count).toBe(there.pairs.count)
        expect(back.partings).toEqual(
          there.partings.map(({ a: ofA, b: ofB, count, cause: { kind, told, settings } }) => ({
            a: ofB,
            b: ofA,
            count: { a: count.b, b: count.a },
            cause: {
              kind,
              settings,
              told: told && {
                ...told,
                a: told.b,
                b: told.a,
                request: told.request && { ...told.request, a: told.request.b, b: told.request.a },
              },
            },
          })),
        )
      }),
    )
    expect(parted).toBeGreaterThan(0)
  })
})
