/**
 * Thirty tasks for a model that has the tools of `papertape mcp` and the documentation alone. Each has a scripted
 * solution, and a pattern of the right answer, by which the answer of a model is judged too.
 */

/** Calls a tool. @throws if it answers with an error */
export type Call = (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<string>

export interface AgentTask {
  readonly id: string
  /** The whole prompt. */
  readonly ask: string
  readonly solve: (call: Call) => Promise<string>
  /** What a right answer contains. */
  readonly right: RegExp
  /** Needs the scope paper. */
  readonly isPaper?: true
}

const BTC = ['BTC_USD=data/btc_usd.csv.gz']
const ETH = ['ETH_USD=data/eth_usd.csv.gz']
const TWO_DAYS = { to: '2024-01-03' }

const BUY_ONCE = `import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buy-once',
  params: z.object({}),
  run: ({ candles, target }) => candles('BTC_USD', '1h').pipe(take(1), map(() => target('BTC_USD', 0.5))),
})
`

/** Value at a path of the JSON in the first line of an answer. */
function at(answer: string, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
      JSON.parse(answer.split('\n')[0] ?? ''),
    )
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const grid = (call: Call, flags: object = {}): Promise<string> =>
  call('backtest', { strategy: 'grid', tapes: BTC, flags: { ...TWO_DAYS, ...flags } })

/** A task about one figure of a backtest of `grid`. */
const figure = (id: string, ask: string, flags: object, path: string, right: RegExp): AgentTask => ({
  id,
  ask: `Backtest the ready strategy grid on the bundled BTC_USD trades, to 2024-01-03 (exclusive)${ask}`,
  solve: async (call) => at(await grid(call, flags), path),
  right,
})

/** A task whose answer is in a page of the documentation. */
const reading = (id: string, ask: string, page: string, right: RegExp): AgentTask => ({
  id,
  ask,
  solve: async (call) => {
    await call('read_docs')
    return right.exec(await call('read_docs', { page }))?.[0] ?? ''
  },
  right,
})

export const AGENT_TASKS: readonly AgentTask[] = [
  reading(
    'guide',
    'Which page of the documentation explains how to write a strategy?',
    'llms.txt',
    /docs\/strategies\.md/,
  ),
  reading('average', 'Which function of papertape is the simple moving average?', 'docs/indicators.md', /\bsma\b/),
  reading(
    'invalid-input',
    'Which exit code has a command that gets invalid input?',
    'docs/command-line.md',
    /(?:^|\b)2\b/,
  ),
  reading('message', 'Which npm packages does a sweep on several machines need?', 'docs/errors.md', /bullmq ioredis/),
  reading('why-command', 'Which command explains why an order did not fill?', 'docs/command-line.md', /papertape why/),
  {
    id: 'recordings',
    ask: 'Which of the bundled recordings is an order book of BTC_USD?',
    solve: async (call) => /data\/btc_usd_book[\w.]*/.exec(await call('list_tapes'))?.[0] ?? '',
    right: /btc_usd_book\.csv\.gz/,
  },
  {
    id: 'two-markets',
    ask: 'Which ready strategy trades two markets against each other?',
    solve: async (call) => /"name":"(pairs)"/.exec(await call('list_strategies'))?.[1] ?? '',
    right: /\bpairs\b/,
  },
  {
    id: 'parameter',
    ask: 'Which parameter of the ready strategy grid sets the number of price lines?',
    solve: async (call) => /"name":"grid".*?"name":"(levels)"/.exec(await call('list_strategies'))?.[1] ?? '',
    right: /\blevels\b/,
  },
  figure('equity', '. What is the final equity in USD?', {}, 'finalEquity', /10046\.92571/),
  figure(
    'maker-fee',
    ' with a maker fee of 10 basis points. What is the final equity?',
    { 'maker-fee': 10 },
    'finalEquity',
    /9997\.9352781/,
  ),
  figure('orders', '. How many orders were there?', {}, 'orders', /\b131\b/),
  figure('fills', '. How many fills were there?', {}, 'fills', /\b337\b/),
  figure(
    'digest',
    '. What is the digest of the run?',
    {},
    'digest',
    /sha256:e1b488d62e47ef007012e04bf627dbf4ef92ea85e8577ce78b12080c3f514186/,
  ),
  figure(
    'latency',
    ' with an order latency of ten minutes. How many fills were there?',
    { 'order-latency': 600_000 },
    'fills',
    /\b311\b/,
  ),
  figure(
    'drawdown',
    '. What is the largest drawdown, as a fraction?',
    {},
    'statistics.maxDrawdown',
    /0?\.0049|0\.49 ?%/,
  ),
  figure('credit', ' with 500 USD. What is the final equity?', { credit: '500:USD' }, 'finalEquity', /502\.6879996/),
  figure('round-trips', '. How many round trips were closed?', {}, 'statistics.roundTrips', /\b7\b/),
  figure('window', ' from 2024-01-02. How many orders were there?', { from: '2024-01-02' }, 'orders', /\b82\b/),
  figure(
    'max-order',
    ' with at most 100 USD per order. How many orders were refused by the risk limit?',
    { 'max-order': 100 },
    'riskRefusals',
    /\b1029\b/,
  ),
  {
    id: 'other-market',
    ask: 'Backtest donchian-breakout on the bundled ETH_USD trades, to 2024-01-06. What is the final equity?',
    solve: async (call) =>
      at(
        await call('backtest', { strategy: 'donchian-breakout', tapes: ETH, flags: { to: '2024-01-06' } }),
        'finalEquity',
      ),
    right: /9758\.4634419/,
  },
  {
    id: 'parameters',
    ask: 'Backtest sma-cross on the bundled BTC_USD trades, to 2024-01-06, with interval 1h, fast 5 and slow 20. How many orders were there?',
    solve: async (call) => {
      const params = { interval: '1h', fast: 5, slow: 20 }
      return at(
        await call('backtest', { strategy: 'sma-cross', tapes: BTC, params, flags: { to: '2024-01-06' } }),
        'orders',
      )
    },
    right: /\b4\b/,
  },
  {
    id: 'first-order',
    ask: 'Backtest grid on the bundled BTC_USD trades, to 2024-01-03. At which price was the first order in orders.csv?',
    solve: async (call) => {
      const run = /files: (\S+)/.exec(await grid(call))?.[1]
      return (await call('read_file', { path: `${run}/orders.csv` })).split('\n')[1]?.split(',')[5] ?? ''
    },
    right: /41992\.84/,
  },
  {
    id: 'explain',
    ask: 'Backtest grid on the bundled BTC_USD trades, to 2024-01-03. Explain the first order of orders.csv: which order id does it have?',
    solve: async (call) => {
      const run = /files: (\S+)/.exec(await grid(call))?.[1]
      const order = (await call('read_file', { path: `${run}/orders.csv` })).split('\n')[1]?.split(',')[0]
      await call('why', { run, order })
      return order ?? ''
    },
    right: /\b6\b/,
  },
  {
    id: 'compare',
    ask: 'Backtest grid on the bundled BTC_USD trades to 2024-01-03, once with and once without a taker fee of 10 basis points. Compare both runs: which setting is named as the cause?',
    solve: async (call) => {
      const runs: (string | undefined)[] = []
      for (const fee of [0, 10]) runs.push(/files: (\S+)/.exec(await grid(call, { 'taker-fee': fee }))?.[1])
      return at(await call('diff', { a: runs[0], b: runs[1] }), 'cause.settings')
    },
    right: /takerFee|taker.fee/i,
  },
  {
    id: 'sweep',
    ask: 'Sweep levels of grid over 4, 6 and 8 on the bundled BTC_USD trades to 2024-01-03, ranked by return. Which value is best?',
    solve: async (call) =>
      at(
        await call('sweep', {
          ...{
            strategy: 'grid',
            tapes: BTC,
            params: { levels: [4, 6, 8] },
            flags: { ...TWO_DAYS, objective: 'return' },
          },
        }),
        'best.params.levels',
      ),
    right: /\b4\b/,
  },
  {
    id: 'write',
    ask: 'Write a strategy that puts half of the equity into BTC_USD when the first 1h candle closes, and backtest it on the bundled trades to 2024-01-03. How many orders does it send?',
    solve: async (call) => {
      await call('write_strategy', { path: 'buy-once.ts', text: BUY_ONCE })
      return at(await call('backtest', { strategy: 'buy-once.ts', tapes: BTC, flags: TWO_DAYS }), 'orders')
    },
    right: /\b(?:1|one)\b/i,
  },
  {
    id: 'types',
    ask: "Write a strategy that has the line `const half: number = '0.5'`, and check its types. Which error code of TypeScript is reported?",
    solve: async (call) => {
      await call('write_strategy', { path: 'typed.ts', text: `${BUY_ONCE}const half: number = '0.5'\n` })
      return /TS\d+/.exec(await call('check_types', { strategy: 'typed.ts' }))?.[0] ?? ''
    },
    right: /TS2322/,
  },
  {
    id: 'faults',
    ask: 'Write a strategy that throws an Error at the first candle, and look for its faults with check. Which kind of fault is reported?',
    solve: async (call) => {
      const text = BUY_ONCE.replace("map(() => target('BTC_USD', 0.5))", "map(() => { throw new Error('no') })")
      await call('write_strategy', { path: 'faulty.ts', text })
      return /"kind":"(\w+)"/.exec(await call('check', { strategy: 'faulty.ts', flags: { runs: 2 } }))?.[1] ?? ''
    },
    right: /throws/,
  },
  {
    id: 'fixed',
    ask: 'Write a strategy file of which check_types reports no type errors. What does it report?',
    solve: async (call) => {
      await call('write_strategy', { path: 'right.ts', text: BUY_ONCE })
      return /no type errors/.exec(await call('check_types', { strategy: 'right.ts' }))?.[0] ?? ''
    },
    right: /no type errors/,
  },
  {
    id: 'emulator',
    ask: 'Start a local exchange, and stop it again. What is the id of its first user?',
    solve: async (call) => {
      const started = await call('start_emulator')
      await call('stop_session', { session: /session: (\S+)/.exec(started)?.[1] })
      return /"id":"([^"]+)"/.exec(started)?.[1] ?? ''
    },
    right: /user-1/,
    isPaper: true,
  },
]
