/**
 * The status of a live process on a screen: it fits, it reports what matters first, and no text of others moves the
 * cursor.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textWidth } from '../../../src/report/terminal-text.ts'
import { plainStatusLines, statusLines } from '../../../src/report/live/status-lines.ts'
import type { LiveStatus, ShownOrder, StrategyStatus } from '../../../src/runtime/live/live-status.ts'
import { INTENT_STATES } from '../../../src/store/state/live/persisted-intent.ts'

const TIME = Date.UTC(2026, 10, 22, 12, 34, 56)

const ORDER: ShownOrder = {
  id: 'o-1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  price: '100000.00',
  qty: '0.1',
  filledQty: '0.05',
  tag: 'cell-3',
}

const STRATEGY: StrategyStatus = {
  owner: 'grid',
  state: 'ACTIVE',
  why: '',
  quoteAsset: 'USD',
  equity: '10023.12',
  change: 0.0023,
  positions: [{ asset: 'BTC', qty: '0.12' }],
  openOrders: [ORDER],
  waiting: 0,
  runDirectory: '/home/ann/runs/grid',
}

const STATUS: LiveStatus = {
  time: TIME,
  startedAt: TIME - 3_725_500,
  baseUrl: 'http://127.0.0.1:8080/v1',
  connection: 'connected',
  stream: 'open',
  dataAt: TIME - 200,
  budget: {
    general: { limit: 600, remaining: 598, resetInMs: 400 },
    mutations: { limit: 30, remaining: 2, resetInMs: 41_000 },
  },
  strategies: [STRATEGY],
  undecided: [],
  halts: [],
  warnings: [],
  events: [
    {
      seq: 1,
      time: TIME - 5_000,
      owner: 'grid',
      type: 'fill',
      symbol: 'BTC_USD',
      side: 'BUY',
      price: '100000.00',
      qty: '0.05',
      orderId: 'o-1',
      tag: 'cell-3',
    },
    { seq: 2, time: TIME - 4_000, owner: 'grid', type: 'refusal', code: 'RISK_PRICE', message: 'too far' },
    { seq: 3, time: TIME - 3_000, owner: undefined, type: 'warning', message: 'stream lost' },
  ],
}

const screen = (status: LiveStatus, width = 80, height = 24): readonly string[] =>
  statusLines(status, { width, height }).map(({ text }) => text.trimEnd())

describe('the status on a screen', () => {
  it('reports all that there is when there is room', () =>
    expect(screen(STATUS, 110, 30)).toEqual([
      `papertape live  http://127.0.0.1:8080/v1${' '.repeat(110 - 40 - 26)}up 1 h 2 min  12:34:56 UTC`,
      'connected   stream open, market data 0.2 s ago',
      'budget left: 598 of 600 requests, 2 of 30 (reset in 41.0 s) orders and cancels',
      '',
      'strategy  state          equity   change  position  orders',
      'grid      ACTIVE  10,023.12 USD  +0.23 %  0.12 BTC  1 open',
      '',
      'open orders (1)',
      '  grid  BUY 0.1 BTC_USD at 100,000.00, 0.05 filled  cell-3  o-1',
      '',
      'last fills',
      '  12:34:51  grid  BUY 0.05 BTC_USD at 100,000.00',
      '',
      'last refusals',
      '  12:34:52  grid  refused: RISK_PRICE, too far',
      '',
      'last events',
      '  12:34:53  warning: stream lost',
      '',
      'run directories',
      '  grid  /home/ann/runs/grid',
    ]))

  it('says what a strategy waits for', () => {
    const awaited = [{ symbol: 'BTC_USD', interval: '1m', seen: 42, needed: 60 }]
    const status: LiveStatus = { ...STATUS, strategies: [{ ...STRATEGY, awaited }] }
    expect(screen(status, 110, 30)[6]).toBe('  grid waits: 42 of 60 candles of BTC_USD, 1m')
    expect(plainStatusLines(status)[0]).toContain('waits: 42 of 60 candles of BTC_USD, 1m')
  })

  it('puts what needs a person above the rest, and marks it', () => {
    const status: LiveStatus = {
      ...STATUS,
      strategies: [{ ...STRATEGY, state: 'HALTED', why: 'loss of the day' }],
      halts: [{ symbol: 'BTC_USD', why: 'GHOST', reason: 'order 7 came late' }],
      undecided: [
        { id: 3, owner: 'grid', state: 'AMBIGUOUS', symbol: 'BTC_USD', side: 'BUY', price: undefined, qty: '0.1' },
      ],
      warnings: ['BTC has no price'],
    }
    expect(statusLines(status, { width: 80, height: 24 }).slice(3, 7)).toEqual(
      [
        '! grid is HALTED: loss of the day',
        '! BTC_USD is halted (GHOST): order 7 came late',
        '! intent 3 of grid is AMBIGUOUS: BUY 0.1 BTC_USD at market',
        '! BTC has no price',
      ].map((text) => ({ text, tone: 'alarm' })),
    )
  })

  it('marks a connection that is gone, or older than it says', () => {
    const toneOf = (changes: Partial<LiveStatus>): unknown =>
      statusLines({ ...STATUS, ...changes }, { width: 80, height: 24 })[1]?.tone
    expect(toneOf({})).toBe('plain')
    expect(toneOf({ stream: 'polling' })).toBe('plain')
    expect(toneOf({ stream: 'lost' })).toBe('alarm')
    expect(toneOf({ connection: 'disconnected' })).toBe('alarm')
  })

  it('counts what has no room, and keeps the strategies', () => {
    const openOrders = Array.from({ length: 50 }, (_, index) => ({ ...ORDER, id: `o-${index}` }))
    const lines = screen({ ...STATUS, strategies: [{ ...STRATEGY, openOrders }], events: [] }, 80, 12)
    expect(lines).toHaveLength(12)
    expect(lines).toContain('open orders (50)')
    const shown = lines.filter((line) => line.includes('o-')).length
    expect(lines).toContain(`  and ${50 - shown} more`)
    expect(lines.at(-1)).toBe('  grid  /home/ann/runs/grid')
  })

  it('says what it does not know', () => {
    const lines = screen({
      ...STATUS,
      dataAt: undefined,
      budget: undefined,
      strategies: [{ ...STRATEGY, equity: undefined }],
    })
    expect(lines[1]).toBe('connected   stream open, no market data yet')
    expect(lines[4]).toContain('not known')
  })

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('\u001b[2J', 'a\nb', '\r', '\u009b2J', '\u202e', '日本語', '', '\t', '👩‍👩‍👧', 'x'.repeat(300)),
  )
  const statuses = fc.record({
    text: hostile,
    more: hostile,
    count: fc.nat(40),
    strategies: fc.nat(30),
    state: fc.constantFrom(...INTENT_STATES),
    equity: fc.option(fc.constant('1.5'), { nil: undefined }),
  })

  it('fits every screen, and moves no cursor, whatever strategies and services write', () =>
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        (made, width, height) => {
          const { text, more, count, strategies, state, equity } = made
          const openOrders = Array.from({ length: count }, () => ({ ...ORDER, id: text, tag: more, symbol: text }))
          const lines = statusLines(
            {
              ...STATUS,
              baseUrl: text,
              warnings: Array.from({ length: count }, () => more),
              halts: [{ symbol: text, why: more, reason: text }],
              undecided: [{ id: 1, owner: text, state, symbol: more, side: 'BUY', price: undefined, qty: '1' }],
              strategies: Array.from({ length: strategies }, () => ({
                ...STRATEGY,
                owner: text,
                why: more,
                equity,
                openOrders,
                positions: [{ asset: more, qty: '1' }],
                runDirectory: text,
              })),
              events: [{ seq: 1, time: TIME, owner: text, type: 'log', message: more }],
            },
            { width, height },
          )
          expect(lines.length).toBeLessThanOrEqual(height)
          for (const line of lines) {
            expect(textWidth(line.text)).toBeLessThanOrEqual(width)
            expect(line.text).not.toMatch(/\p{C}(?<!\ufffd)/u)
          }
        },
      ),
    ))
})

describe('the status where there is no screen', () => {
  it('is a line a strategy', () =>
    expect(plainStatusLines({ ...STATUS, strategies: [STRATEGY, { ...STRATEGY, owner: 'sma\u001b[2J' }] })).toEqual([
      '12:34:56  grid  ACTIVE, equity 10,023.12 USD, +0.23 %, 0.12 BTC, 1 open order',
      '12:34:56  sma\ufffd[2J  ACTIVE, equity 10,023.12 USD, +0.23 %, 0.12 BTC, 1 open order',
    ]))

  it('says when the connection is gone', () =>
    expect(plainStatusLines({ ...STATUS, connection: 'disconnected', stream: 'lost' })[0]).toMatch(
      /1 open order; disconnected {3}stream lost, market data 0\.2 s ago$/,
    ))
})
