/**
 * A report that no one ran: as many candles, fills and rows as are asked for, drawn from a fixed seed, in a document as
 * small as can be.
 *
 * Known limit: its figures do not belong to each other; what they have to be is held against a real run.
 */
import type { MarketSeries, PageData, PageRow, PageRun, PageTable } from '../../../src/report/page/page-data.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'

export interface MadeUp {
  readonly name?: string
  readonly candles?: number
  readonly fills?: number
  readonly trips?: number
  /** As many as there are fills without. */
  readonly orders?: number
  readonly seed?: number
  readonly from?: number
  readonly report: RunReport
}

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

/** In [0, 1). @see Park and Miller (1988), Random number generators: good ones are hard to find */
function drawnFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const percentText = (value: number): string => `${value > 0 ? '+' : ''}${(value * 100).toFixed(2)} %`

export function madeUpRun(setup: MadeUp): PageRun {
  const { name = 'made-up', candles = 4_000, fills = 160, trips = 80, seed = 7, from = START, report } = setup
  const random = drawnFrom(seed)
  const times = Array.from({ length: candles }, (_, index) => from + index * MINUTE)
  const market = marketOf(times, fills, random)
  const close = market.candles?.close ?? []
  const every = Math.max(1, Math.floor(candles / 2_000))
  const at = times.filter((_, index) => index % every === 0)
  let equity = 10_000
  const equities = at.map(() => (equity *= 1 + (random() - 0.495) * 0.004))
  let peak = 0
  const falls = equities.map((value) => value / (peak = Math.max(peak, value)) - 1)
  return {
    name,
    verdict: verdictOf(),
    figures: [
      {
        title: 'Result',
        figures: [
          figure('statistics.return', 'Return', '+3.87 %', '0.03874'),
          figure('orders', 'Orders', '870', '870'),
        ],
      },
      {
        title: 'Risk',
        figures: [
          figure('statistics.sharpe', 'Sharpe', '–', ''),
          figure('statistics.maxDrawdown', 'Largest drawdown', '6.25 %', '0.0625'),
        ],
      },
    ],
    account: {
      quoteAsset: 'USD',
      equity: { times: at, values: equities },
      drawdown: { times: at, values: falls },
      benchmark: 'buy and hold',
      buyAndHold: { times: at, values: at.map((_, index) => (10_000 * (close[index * every] ?? 0)) / (close[0] ?? 1)) },
      cash: { times: at, values: at.map((_, index) => 10_000 - (index % 50) * 100) },
      exposure: { times: at, values: at.map((_, index) => (index % 50) / 100) },
      falls: [{ from: at[100] ?? 0, to: at[300] ?? 0 }],
    },
    rolling: {
      periods: 10,
      sharpe: { times: at, values: at.map((_, index) => Math.sin(index / 100)) },
      volatility: { times: at, values: at.map((_, index) => 0.2 + Math.sin(index / 100) / 10) },
      beta: { times: at, values: at.map((_, index) => Math.cos(index / 100)) },
    },
    drawdowns: {
      columns: [
        { key: 'depth', label: 'Depth', kind: 'number', definition: '' },
        { key: 'peak', label: 'Peak', kind: 'time', definition: '' },
      ],
      rows: [0, 1, 2, 3, 4].map((rank): PageRow => {
        const [peak = 0, to = 0] = [at[100 + rank * 300], at[300 + rank * 300]]
        const row = { cells: [`${9 - rank}.00 %`, String(peak)], order: [(9 - rank) / 100, peak] }
        return { ...row, at: { symbol: 'BTC_USD', from: peak, to }, tone: 'plain' }
      }),
    },
    strategies: { columns: [], rows: [] },
    tripGroups: [
      {
        name: 'Side',
        table: small('Side', [
          ['long', '12.5'],
          ['short', '-3.25'],
        ]),
      },
      { name: 'Weekday', table: small('Weekday', [['Monday', '9.25']]) },
    ],
    markets: [market],
    months: Array.from({ length: 14 }, (_, index) => {
      const value = (random() - 0.45) * 0.1
      const held = index < 6 ? null : { value: value / 2, text: percentText(value / 2) }
      return {
        year: 2023 + Math.floor(index / 12),
        month: (index % 12) + 1,
        value,
        text: percentText(value),
        benchmark: held,
      }
    }),
    years: [2023, 2024].map((year) => ({ year, value: 0.1, text: '+10.00 %', benchmark: null })),
    hours: Array.from({ length: 168 }, (_, index) => {
      const value = (random() - 0.48) * 0.002
      return { weekday: Math.floor(index / 24), hour: index % 24, value, text: percentText(value), count: 4 }
    }),
    returns: Array.from({ length: 720 }, () => (random() + random() + random() - 1.48) * 0.004),
    trips: tripsOf(trips, random, from, close),
    orders: ordersOf(setup.orders ?? fills),
    holdings: small('Asset', [
      ['USD', '5000.5'],
      ['BTC', '0.12'],
    ]),
    markouts: small('Horizon', [
      ['1 s', '-1.25'],
      ['5 s', '-4.28'],
    ]),
    fees: small('Asset', [['USD', '12.5']]),
    notes: small('Note', [['two\nlines', '1']]),
    explanations: {
      'order-0': ['BUY 0.5 BTC_USD at 100.25', '2024-01-01 00:00:01  rests behind 1.5', '2024-01-01 00:02:00  filled'],
    },
    explainCommand: 'papertape why run ORDER',
    command: 'papertape backtest grid --tape BTC_USD=btc.csv --out run',
    assumptions: [
      'An order that rests waits behind what was there before it.',
      'Nothing that it does moves the market.',
    ],
    report,
  }
}

export const madeUpPage = (...runs: readonly PageRun[]): PageData => ({
  title: 'grid on BTC_USD',
  runs,
  pairs: small('Run', []),
})

const figure = (path: string, label: string, text: string, exact: string) => ({
  path,
  label,
  text,
  exact,
  tone: 'plain' as const,
  definition: `${label} in a sentence.`,
})

function verdictOf(): PageRun['verdict'] {
  return {
    headline: 'Gained 3.87 % in 30 days; buy and hold gained 4.43 %.',
    tone: 'good',
    figures: [
      { ...figure('statistics.return', 'Return', '+3.87 %', '0.03874'), tone: 'good' },
      figure('statistics.maxDrawdown', 'Largest drawdown', '6.25 %', '0.0625'),
      figure('statistics.sharpe', 'Sharpe ratio', '2.27 (-3.97 to 9.62)', '2.2712'),
      figure('statistics.roundTrips', 'Round trips', '15', '15'),
      figure('statistics.buyAndHoldReturn', 'Buy and hold', '+4.43 %', '0.0443'),
    ],
    notes: ['Read as Binance trades.'],
    doubts: [
      { text: 'Fees are 0.', why: 'Every fill of a real exchange costs something.' },
      { text: 'Few round trips.', why: '15 say little of what comes next.' },
    ],
  }
}

function marketOf(times: readonly number[], fills: number, random: () => number): MarketSeries {
  let price = 42_000
  const bars = times.map(() => {
    const open = price
    price *= 1 + (random() - 0.499) * 0.003
    const spread = open * random() * 0.001
    return {
      open,
      close: price,
      high: Math.max(open, price) + spread,
      low: Math.min(open, price) - spread,
      volume: random() * 40,
    }
  })
  const column = (name: 'open' | 'close' | 'high' | 'low' | 'volume'): readonly number[] =>
    bars.map((bar) => Math.round(bar[name] * 100) / 100)
  const every = times.length / Math.max(1, fills)
  const marks = Array.from({ length: fills }, (_, index) => {
    const at = Math.floor(index * every)
    const side = index % 2 === 0 ? ('BUY' as const) : ('SELL' as const)
    return {
      time: (times[at] ?? 0) + 20_000,
      side,
      price: bars[at]?.close ?? 0,
      order: `order-${index}`,
    }
  })
  return {
    symbol: 'BTC_USD',
    pricePrecision: 2,
    candles: {
      intervalMs: MINUTE,
      times,
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
    },
    detail: null,
    depth: null,
    initialQty: '0',
    fills: {
      times: marks.map(({ time }) => time),
      sides: marks.map(({ side }) => side),
      prices: marks.map(({ price: at }) => at.toFixed(2)),
      qtys: marks.map(() => '0.5'),
      orders: marks.map(({ order }) => order),
    },
    isThinned: false,
    rests: marks.map(({ time, side, price: at, order }) => ({
      from: time - 1_200_000,
      to: time,
      side,
      price: at,
      order,
    })),
    plots: [
      {
        name: 'average',
        isPrice: true,
        line: { times, values: bars.map(({ open }, index) => (index < 20 ? null : open * 0.999)) },
      },
      {
        name: 'strength',
        isPrice: false,
        line: { times, values: times.map((_, index) => 50 + 40 * Math.sin(index / 90)) },
      },
    ],
  }
}

function tripsOf(count: number, random: () => number, start: number, close: readonly number[]): PageTable {
  const rows = Array.from({ length: count }, (_, index): PageRow => {
    const [gain, against, for_] = [(random() - 0.45) * 0.02, -random() * 0.01, random() * 0.02]
    const [from, to] = [start + index * 50 * MINUTE, start + (index * 50 + 30) * MINUTE]
    const side = index % 3 === 0 ? 'short' : 'long'
    const [entry, exit] = [close[index * 50] ?? 100, close[index * 50 + 30] ?? 100]
    return {
      cells: [
        'BTC_USD',
        side,
        String(from),
        String(to),
        (gain * 1_000).toFixed(index % 4),
        percentText(gain),
        percentText(against),
        percentText(for_),
        entry.toFixed(2),
        exit.toFixed(2),
      ],
      order: [null, null, from, to, Number((gain * 1_000).toFixed(index % 4)), gain, against, for_, entry, exit],
      at: { symbol: 'BTC_USD', from, to },
      tone: gain > 0 ? 'good' : 'bad',
    }
  })
  const column = (key: string, label: string, kind: 'text' | 'number' | 'time') => ({
    key,
    label,
    kind,
    definition: `${label}, of one round trip.`,
  })
  return {
    columns: [
      column('symbol', 'Market', 'text'),
      column('side', 'Side', 'text'),
      column('openedAt', 'Opened', 'time'),
      column('closedAt', 'Closed', 'time'),
      column('profit', 'Profit', 'number'),
      column('return', 'Return', 'number'),
      column('mae', 'MAE', 'number'),
      column('mfe', 'MFE', 'number'),
      column('entry', 'Entry', 'number'),
      column('exit', 'Exit', 'number'),
    ],
    rows,
  }
}

function ordersOf(count: number): PageTable {
  const columns = [
    { key: 'id', label: 'Order', kind: 'text' as const, definition: '' },
    { key: 'status', label: 'Status', kind: 'text' as const, definition: 'What became of it.' },
    { key: 'qty', label: 'Quantity', kind: 'number' as const, definition: '' },
    { key: 'reason', label: 'Reason', kind: 'text' as const, definition: '' },
  ]
  const rows = Array.from({ length: count }, (_, index): PageRow => {
    const isRefused = index % 17 === 3
    const cells = [
      `order-${index}`,
      isRefused ? 'REFUSED' : 'FILLED',
      `0.${index + 1}`,
      isRefused ? 'INSUFFICIENT_BALANCE: 0.1 USD are missing' : '',
    ]
    return {
      cells,
      order: [null, null, index + 1, null],
      explanation: `order-${index}`,
      tone: isRefused ? 'bad' : 'plain',
    }
  })
  return { columns, rows }
}

const small = (name: string, pairs: readonly (readonly [string, string])[]): PageTable => ({
  columns: [
    { key: 'name', label: name, kind: 'text', definition: '' },
    { key: 'value', label: 'Value', kind: 'number', definition: `The value of a ${name.toLowerCase()}.` },
  ],
  rows: pairs.map(([key, value]) => ({ cells: [key, value], order: [null, Number(value)], tone: 'plain' as const })),
})
