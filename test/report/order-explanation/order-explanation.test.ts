import fc from 'fast-check'
import { map, merge, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import type { JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { readJournalLines } from '../../runtime/rig/read-journal-lines.ts'
import {
  orderExplanation,
  explanationText,
  type OrderExplanation,
} from '../../../src/report/order-explanation/order-explanation.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import type { TestStrategy } from '../../runtime/rig/run-strategy.ts'
import { playScript, scripts, type Acts } from '../../runtime/rig/scripted-orders.ts'
import type { RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { above, BLANK, journalOf, LIMITED, OPENING, explanationOf, until, type Tale } from '../rig/order-tale.ts'
import { AT_ONCE, FILLED_LATER, REFUSED, UNANSWERED } from '../rig/order-tales.ts'
import { NOT_FILLED } from '../rig/unfilled-order-tales.ts'

const BTC = 'BTC_USD'

/** 2023-11-14T22:13:20Z. */
const START = 1_700_000_000_000

const ALL = [
  ['refused', REFUSED],
  ['never answered', UNANSWERED],
  ['filled immediately', AT_ONCE],
  ['filled later', FILLED_LATER],
  ['not filled, or not whole', NOT_FILLED],
] as const

describe.each(ALL)('%s', (_, tales) => {
  it.each(tales)('$why: $verdict', async (tale) => {
    const { verdict, facts } = await explanationOf(tale)
    expect({ verdict, facts: facts.map(({ time, text }) => `${time} ${text}`) }).toEqual({
      verdict: tale.verdict,
      facts: tale.facts,
    })
  })
})

it('every ending has a verdict of its own', () => {
  const verdicts = ALL.flatMap(([, tales]) => tales.map(({ verdict }) => verdict))
  expect(verdicts.length).toBeGreaterThanOrEqual(15)
  expect(new Set(verdicts).size).toBe(verdicts.length)
})

it('an order that came in reports which own orders it met', async () => {
  const tale = FILLED_LATER.find(({ why }) => why.includes('own order')) ?? BLANK
  const { verdict, facts } = await explanationOf({ ...tale, ref: 2 })
  expect(verdict).toBe('filled immediately: 3 at 100.01')
  expect(facts.at(-2)?.text).toMatch(/; filled immediately: 3 at 100\.01, 1 of it against your own order 4$/)
})

describe('the ladder that an order met', () => {
  const ladderOf = async (acts: Acts, settings: Tale['settings'] = {}, rows = [OPENING, until(700_000)]) => {
    const { facts } = await explanationOf({ ...BLANK, rows, acts, settings, ref: acts.length })
    return facts.flatMap(({ text }) => (text.startsWith('it traded against') ? [text] : [])).join()
  }
  const buys: Acts = [
    [1_000, buyMarket(BTC, '1')],
    [2_000, buyMarket(BTC, '0.5')],
    [3_000, sellMarket(BTC, '0.2')],
  ]

  it('lacks what own orders of its side took, and followed those of the other', async () => {
    const again = await ladderOf([...buys, [4_000, buyMarket(BTC, '0.1')]])
    expect(again).toMatch(
      /; minus what your earlier buys \(1\.5\) took and the market has not refilled; shifted by half the price move of your earlier sells \(0\.2\)/,
    )
    expect(await ladderOf(buys)).toMatch(
      /estimated order book: 1 level at 100\.00; shifted by half the price move of your earlier buys \(1\.5\)/,
    )
  })

  it('knows nothing of a taking of long ago, of what rested, or of a match with an own order', async () => {
    expect(await ladderOf([...buys, [604_000, buyMarket(BTC, '0.1')]], { staleAfterMs: 700_000 })).not.toContain(
      'your earlier',
    )
    const own: Acts = [
      [1_000, sellLimit(BTC, '100.01', '1')],
      [2_000, buyLimit(BTC, '100.01', '1')],
      [3_000, buyMarket(BTC, '0.1')],
    ]
    expect(await ladderOf(own, { queueSize: 0, levelSize: 0.05 })).not.toContain('your earlier')
  })

  it.each(['ideal'])('is not mentioned under %s, which has none', async (liquidity) => {
    expect(await ladderOf(buys, { liquidity })).toBe('')
  })
})

describe('on a tape of candles', () => {
  /** The tale as the journal of such a tape has it. */
  const candleExplanation = async (why: string, liquidity = 'tape'): Promise<OrderExplanation> => {
    const tale = [...FILLED_LATER, ...NOT_FILLED].find((each) => each.why === why) ?? BLANK
    const lines = await journalOf(tale)
    return orderExplanation(
      lines.map((line) => {
        if (line.type === 'run') {
          return { ...line, liquidity, markets: line.markets.map((each) => ({ ...each, candleMs: 60_000 })) }
        }
        return line.type === 'left' ? { ...line, ofCandles: true as const } : line
      }),
      'ref:1',
    )
  }

  it.each`
    why                                                | verdict
    ${'a trade beyond its price'}                      | ${'filled after 950 ms: a candle went beyond 99.50, to 99.40'}
    ${'the market never came to its price'}            | ${'not filled: no candle touched 99.50; nearest 99.80'}
    ${'nothing was traded'}                            | ${'not filled: no candle ended while it rested'}
    ${'what was ahead was not used up'}                | ${'not filled: candles touched 100.00 but none went beyond it, which liquidity tape requires of candles'}
    ${'filled in part through its price, and no more'} | ${'partly filled, 0.4 of 1: only 0.4 traded beyond 99.50, and each side gets at most a tenth of the volume of a candle'}
  `('$why: $verdict', async ({ why, verdict }: Record<'why' | 'verdict', string>) => {
    const explanation = await candleExplanation(why)
    expect(explanation.verdict).toBe(verdict)
    const reported = explanation.facts
      .filter(({ text }) => /^(while it rested|filled:)/.test(text))
      .map(({ text }) => text)
    for (const text of reported) expect(text).not.toMatch(/\btrades?\b/)
  })

  it('a fill names the candle and how far it went', async () => {
    const { facts } = await candleExplanation('a trade beyond its price')
    expect(facts.map(({ text }) => text)).toContain(
      'filled: 1 at 99.50, by a candle with a volume of 1.5 that went beyond its price, to 99.40',
    )
  })

  it('an order that only liquidity touch fills is reported as touched', async () => {
    const { verdict } = await candleExplanation('what was ahead was used up', 'touch')
    expect(verdict).toBe('filled after 2 s 950 ms: a candle touched 100.00, after the 2 ahead of it were gone')
  })
})

describe('cancels', () => {
  const rows: RecordedRow[] = [OPENING, [2_000, 9_940, 4, 'sell'], [3_000, 9_980, 4, 'sell'], above(5_000)]
  const textsOf = ({ facts }: OrderExplanation): readonly string[] => facts.map(({ text }) => text)

  it('what was filled before the strategy asked, in the same millisecond, is not said to have come while it was on its way', async () => {
    const strategy: TestStrategy = {
      run: ({ fills$ }) =>
        merge(
          timer(1_000).pipe(map(() => buyLimit(BTC, '99.5', '1'))),
          fills$.pipe(map(({ orderId }) => cancel(orderId))),
        ),
    }
    const explanation = orderExplanation(await journalOf({ ...BLANK, rows }, strategy), 'ref:1')
    expect(explanation.verdict).toMatch(
      /^partly filled, 0\.4 of 1: cancelled after 1 s; only 0\.4 traded beyond 99\.50/,
    )
    expect(textsOf(explanation)).toEqual([
      'requested: buy 1 BTC_USD at 99.5',
      'arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      'filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      'cancel requested',
      'while it rested: no trade at its price, 1 trade of 0.4 beyond it',
      'cancelled: 0.6 still open, with nothing ahead of it',
    ])
  })

  it('one that the rate limit held back was not on its way', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99.5', '0.4')],
      [1_500, cancelAll()],
    ]
    const explanation = await explanationOf({ ...BLANK, rows, acts, settings: { limits: LIMITED } })
    expect(explanation.verdict).toBe('filled after 950 ms: the market traded through 99.50, at 99.40')
    expect(textsOf(explanation)).toContain('cancel refused: RATE_LIMITED (the rate limit of this session is used up)')
  })

  it('one that came after the last fill was too late, and is not said to have crossed it', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99.5', '0.4')],
      [2_020, cancelAll()],
    ]
    const explanation = await explanationOf({ ...BLANK, rows, acts, settings: { responseLatencyMs: 30 } })
    expect(explanation.verdict).toBe('filled after 950 ms: the market traded through 99.50, at 99.40')
    expect(textsOf(explanation)).toContain('cancel refused: ORDER_NOT_CANCELLABLE (order 4 is finished)')
  })

  it('one without an answer', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99', '1')],
      [4_990, cancelAll()],
    ]
    const explanation = await explanationOf({ ...BLANK, rows, acts })
    expect(explanation.verdict).toBe('not filled: the market never traded at 99.00; nearest 99.40')
    expect(textsOf(explanation)).toContain('cancel requested; the run ended before the answer')
  })
})

describe('a response latency', () => {
  it.each(FILLED_LATER)('changes nothing of an order that was filled: $why', async (tale) => {
    const { verdict } = await explanationOf({ ...tale, settings: { ...tale.settings, responseLatencyMs: 400 } })
    expect(verdict).toBe(tale.verdict)
  })
})

it('of any order on any tape the verdict says how much of it was filled, and the facts are in time order', async () => {
  const reached = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const { lines, orders } = await playScript(script)
      const journal = readJournalLines(lines)
      for (const { order } of orders) {
        const { verdict, facts } = orderExplanation(journal, order.id)
        const [outcome = ''] = /^(?:filled immediately|partly filled|filled|not filled)(?=[ :,])/.exec(verdict) ?? []
        const restedBefore = journal.some((line) => line.type === 'rested' && line.orderId === order.id)
        const whole = restedBefore ? 'filled' : 'filled immediately'
        const partly = order.filledQty.isZero() ? 'not filled' : 'partly filled'
        expect(outcome).toBe(order.filledQty.equals(order.qty) ? whole : partly)
        if (partly === 'partly filled' && outcome === partly) {
          expect(verdict).toContain(`${order.filledQty.toFixed()} of ${order.qty.toFixed()}`)
        }
        expect(facts.map(({ time }) => time)).toEqual(facts.map(({ time }) => time).toSorted((a, b) => a - b))
        reached.set(outcome, (reached.get(outcome) ?? 0) + 1)
      }
    }),
    { numRuns: 300 },
  )
  expect([...reached.keys()].toSorted()).toEqual(['filled', 'filled immediately', 'not filled', 'partly filled'])
})

it('of many fills those in the middle are counted', async () => {
  const sells = Array.from({ length: 9 }, (_, index): RecordedRow => [2_000 + index, 9_940, 1, 'sell'])
  const acts: Acts = [[1_000, buyLimit(BTC, '99.5', '0.9')]]
  const { facts } = await explanationOf({ ...BLANK, rows: [OPENING, ...sells, until(5_000)], acts })
  const fills = facts.filter(({ text }) => text.includes('fill')).map(({ time, text }) => `${time} ${text}`)
  const fill = 'filled: 0.1 at 99.50, by a trade of 0.1 at 99.40, beyond its price'
  expect(fills).toEqual([
    ...[2_000, 2_001, 2_002, 2_003].map((time) => `${time} ${fill}`),
    '2004 4 more fills of 0.4 in total from here',
    `2008 ${fill}`,
  ])
})

describe('the name of an order', () => {
  const tale: Tale = {
    ...BLANK,
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99', '1')],
      [1_100, buyLimit(BTC, '98', '1')],
      [1_200, buyLimit(BTC, '97', '999')],
      [1_300, cancelAll()],
      [1_400, buyMarket(BTC, '1')],
    ],
  }

  it('its id is the same order as the number of its request', async () => {
    const lines = await journalOf(tale)
    expect(orderExplanation(lines, '4')).toEqual(orderExplanation(lines, 'ref:1'))
    expect(orderExplanation(lines, '6')).toEqual(orderExplanation(lines, 'ref:2'))
    expect(orderExplanation(lines, '4')).not.toEqual(orderExplanation(lines, '6'))
  })

  it.each`
    name       | message
    ${'5'}     | ${"order '5': the run has no such order; nearby: 4, 6, 9"}
    ${'1000'}  | ${"order '1000': the run has no such order; nearby: 4, 6, 9"}
    ${'abc'}   | ${"order 'abc': the run has no such order; nearby: 4, 6, 9"}
    ${''}      | ${"order '': the run has no such order; nearby: 4, 6, 9"}
    ${'ref:0'} | ${'ref:0: the run has no such order; nearby: ref:1, ref:2, ref:3'}
    ${'ref:9'} | ${'ref:9: the run has no such order; nearby: ref:2, ref:3, ref:6'}
    ${'ref:4'} | ${'ref:4: is a cancel of order 6: use that order id'}
    ${'ref:x'} | ${"order 'ref:x': the run has no such order; nearby: 4, 6, 9"}
  `('$name: $message', async ({ name, message }) => {
    const lines = await journalOf(tale)
    expect(() => orderExplanation(lines, name)).toThrow(message)
  })

  it('without any order that was taken, those that were refused', async () => {
    const lines = await journalOf({ ...tale, acts: [[1_000, buyLimit(BTC, '97', '999')]] })
    expect(() => orderExplanation(lines, '1')).toThrow("order '1': the run has no such order; nearby: ref:1")
    expect(() => orderExplanation(lines.slice(0, 1), '1')).toThrow("order '1': the run has no orders")
  })
})

describe('a journal that is not whole', () => {
  it.each(['run', 'left'])('without its %s line', async (type) => {
    const lines = await journalOf({
      ...BLANK,
      rows: [OPENING, until(5_000)],
      acts: [[1_000, buyLimit(BTC, '99', '1')]],
    })
    expect(orderExplanation(lines, '4').verdict).toMatch(/^not filled/)
    const cut = lines.filter((line) => line.type !== type)
    expect(() => orderExplanation(cut, '4')).toThrow(new InputError("order '4'", 'the journal is incomplete'))
  })

  it.each(ALL.flatMap(([, tales]) => tales))('of a killed run, cut after any line: $why', async (tale) => {
    const lines = await journalOf(tale)
    const name = `ref:${tale.ref ?? 1}`
    for (let length = 1; length < lines.length; length += 1) {
      const cut = lines.slice(0, length)
      try {
        const { facts } = orderExplanation(cut, name)
        expect(facts.at(-1)).toEqual({
          time: cut.at(-1)?.t,
          text: 'the journal ends here: the session was killed or is still running',
        })
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        expect(error.message).toMatch(/the run has no (such order|orders)|the journal has no answer to this request/)
      }
    }
  })

  it('without its fills', async () => {
    for (const tale of [AT_ONCE[0], FILLED_LATER[0]]) {
      const lines = (await journalOf(tale ?? BLANK)).filter(({ type }) => type !== 'fill')
      expect(() => orderExplanation(lines, 'ref:1')).toThrow('the journal is incomplete')
    }
  })
})

it('an answer that never came is reported as what it is', async () => {
  const lines = await journalOf({ ...BLANK, rows: [OPENING, until(5_000)], acts: [[1_000, buyMarket(BTC, '1')]] })
  const unknown: JournalLine = { t: 1_900, type: 'unknown', ref: 1, reason: 'ENGINE_TIMEOUT' }
  const explanation = orderExplanation(
    lines.flatMap((line) => (line.type === 'acknowledged' ? [unknown] : line.type === 'fill' ? [] : [line])),
    'ref:1',
  )
  expect(explanation.verdict).toBe('unknown whether it reached the exchange: ENGINE_TIMEOUT')
  expect(explanation.facts.at(-1)).toEqual({ time: 1_900, text: 'no answer: ENGINE_TIMEOUT' })
})

it('as text: the verdict, an empty line, the facts with their times, and nothing that moves a cursor', () => {
  const facts = [{ time: START, text: 'requested: buy 1 A_USD at 5, tag a\n\u001b[2Jb' }]
  expect(explanationText({ verdict: 'refused: \u0007', facts })).toBe(
    'refused: \ufffd\n\n2023-11-14T22:13:20.000Z  requested: buy 1 A_USD at 5, tag a \ufffd[2Jb',
  )
})
