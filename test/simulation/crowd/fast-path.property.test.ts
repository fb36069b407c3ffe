/**
 * The fast way of a recorded trade against the plain one: columns, batches and late reading report what objects and
 * reading after every trade report.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { CANDLE_INTERVAL_NAMES, type CandleInterval } from '../../../src/domain/candle.ts'
import type { Command } from '../../../src/domain/command.ts'
import { CROWD } from '../../../src/domain/command.ts'
import type { ExchangeEvent } from '../../../src/domain/exchange-event.ts'
import type { Side } from '../../../src/domain/order.ts'
import type { Trade } from '../../../src/domain/trade.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'
import { EstimatedLiquidity } from '../../../src/simulation/liquidity/estimated-liquidity.ts'
import type { LiquidityModel } from '../../../src/simulation/liquidity/liquidity-model.ts'
import { liquidity, type LiquidityName } from '../../../src/simulation/liquidity/liquidity-models.ts'
import { Replay } from '../../../src/simulation/replay/replay.ts'
import { channelsOf, type RecordedListener } from '../../../src/simulation/replay/tape-channel.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { mergeTapes } from '../../../src/tape/merge.ts'
import { KEEP_ALL, market } from '../../exchange/rig/configs.ts'
import { memoryTape, type RecordedRow } from '../rig/memory-tape.ts'
import { plainModel, plainReplay, type PlainTape } from '../rig/plain-replay.ts'
import { runs, needed } from '../../property/property.ts'

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const
const ACCOUNTS = ['A', 'B', 'C'] as const
const DAY = 86_400_000
const SILENCE_MS = 5_000

interface RandomTape extends PlainTape {
  readonly blockRows: number
}

type Act = { readonly time: number; readonly symbol: string; readonly account: string } & (
  | { readonly do: 'limit'; readonly side: Side; readonly price: number; readonly qty: number }
  | { readonly do: 'market'; readonly side: Side; readonly qty: number }
  | { readonly do: 'cancel'; readonly back: number }
  | { readonly do: 'look' }
)

interface Scene {
  readonly tapes: readonly RandomTape[]
  readonly acts: readonly Act[]
  readonly model: LiquidityName
  /** Candles that somebody waits for; undefined for none. */
  readonly watched: CandleInterval | undefined
  readonly kept: number
}

const reached = {
  'a recorded trade fills an order': 0,
  'a recorded trade fills orders of two accounts at one price': 0,
  'a trade is printed while an order rests': 0,
  'an order takes from the ladder': 0,
  'the queue ahead is used up by the crowd': 0,
  'a model learns many trades at once': 0,
  'a trade leaves the window of a day': 0,
  'a candle is over': 0,
  'a gap': 0,
  'two tapes of one market': 0,
  'a chunk of the log is full': 0,
  'a print is not believed': 0,
  'a print is believed late': 0,
  'a print that is believed late fills an order': 0,
}
type Corner = keyof typeof reached

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

/** A simulated market that writes down all that can be seen of it. */
class Seen {
  readonly lines: string[] = []
  #isLate = false
  /** Recorded trades since the last look or order. */
  sinceAsked = 0
  readonly queue = new EventQueue(0)
  readonly simulated: SimulatedMarkets
  readonly #models = new Map<string, LiquidityModel>()
  readonly #placed: { account: string; orderId: number }[] = []

  constructor({ model, watched, kept }: Scene, isPlain: boolean) {
    const markets = SYMBOLS.map((symbol) => market(symbol))
    const exchange = createExchange({ markets, quoteAsset: 'USD', history: { ...KEEP_ALL, candles: kept } })
    this.simulated = new SimulatedMarkets(
      exchange,
      this.queue,
      (symbol) => {
        const terms = { queueSize: 1, levelSize: 1, staleAfterMs: SILENCE_MS }
        const made = liquidity(model).create({ symbol, spread: undefined, terms })
        this.#models.set(symbol, made)
        return isPlain ? plainModel(made) : made
      },
      new Set(SYMBOLS),
    )
    for (const account of ACCOUNTS) {
      for (const asset of ['USD', 'BTC', 'ETH']) this.#execute({ type: 'credit', account, asset, amount: 10_000n })
    }
    this.simulated.onEvents((events) => {
      this.#hear(events)
    })
    for (const symbol of SYMBOLS) {
      this.#listen(symbol, watched, isPlain)
      this.#watchLate(symbol)
    }
  }

  do(act: Act): void {
    this.queue.schedule(act.time, EVENT_KIND.message, () => {
      if (this.sinceAsked > 2) this.#reach('a model learns many trades at once')
      this.sinceAsked = 0
      if (act.do === 'look') this.look(act.symbol)
      else this.#order(act)
    })
  }

  /** All that can be read of one market. */
  look(symbol: string): void {
    const { exchange } = this.simulated
    const now = this.queue.now()
    this.lines.push(`look ${symbol} ${now} ${textOf(exchange.ticker(symbol, now))}`)
    for (const interval of CANDLE_INTERVAL_NAMES) {
      this.lines.push(textOf(exchange.candles(symbol, { interval, limit: Infinity })))
    }
    // Before its estimates are read: a model from here has learnt everything.
    const { quote } = this.simulated.crowd(symbol).model
    const model = this.#models.get(symbol)
    const guess = model instanceof EstimatedLiquidity ? { ...guessOf(model) } : {}
    this.lines.push(textOf({ quote, ...guess, trades: exchange.trades(symbol, 3), depth: exchange.depth(symbol) }))
  }

  get end(): string {
    for (const symbol of SYMBOLS) this.look(symbol)
    const { exchange } = this.simulated
    const accounts = ACCOUNTS.map((account) => [...exchange.balances(account)])
    return textOf({
      accounts,
      audit: exchange.audit(),
      orders: ACCOUNTS.map((account) => exchange.openOrders(account)),
    })
  }

  #reach(corner: Corner): void {
    reached[corner] += 1
  }

  #watchLate(symbol: string): void {
    const market = this.simulated.market(symbol)
    const recordLate = market.recordLate.bind(market)
    market.recordLate = (...row) => {
      this.#isLate = true
      recordLate(...row)
      this.#isLate = false
    }
  }

  #listen(symbol: string, watched: Scene['watched'], isPlain: boolean): void {
    const write = (id: number, time: number, price: number, qty: number, isBuyerMaker: boolean): void => {
      this.lines.push(`trade ${symbol} ${id} ${time} ${price} ${qty} ${isBuyerMaker}`)
    }
    const onTrade = ({ id, createdAt, price, qty, isBuyerMaker }: Trade): void => {
      write(id, createdAt, price, qty, isBuyerMaker)
    }
    this.simulated.listen(symbol, isPlain ? { onTrade } : { onTrade, onPrint: write })
    if (watched === undefined) return
    this.simulated.watchCandles(symbol, watched, (candle) => {
      this.#reach('a candle is over')
      this.lines.push(textOf(candle))
    })
  }

  #order(act: Exclude<Act, { do: 'look' }>): void {
    const { account, symbol } = act
    if (act.do === 'cancel') {
      const order = this.#placed.at(-1 - act.back)
      if (order !== undefined) this.#execute({ type: 'cancel', ...order })
      return
    }
    const { side, qty } = act
    const price = act.do === 'limit' ? act.price : undefined
    const type = price === undefined ? ({ type: 'MARKET' } as const) : ({ type: 'LIMIT', price } as const)
    const [event] = this.#execute({ type: 'place', account, request: { symbol, side, qty, ...type } })
    if (event?.type === 'order-accepted') this.#placed.push({ account, orderId: event.order.id })
  }

  #execute(command: DistributiveOmit<Command, 'time'>): readonly ExchangeEvent[] {
    return this.simulated.execute({ ...command, time: this.queue.now() })
  }

  #hear(events: readonly ExchangeEvent[]): void {
    this.lines.push(textOf(events))
    const traded = events.filter((event) => event.type === 'traded')
    const met = traded.filter(({ taker }) => taker.userId === CROWD)
    const ours = met.filter(({ maker }) => maker.userId !== CROWD)
    if (ours.length > 0) this.#reach('a recorded trade fills an order')
    if (ours.length > 0 && this.#isLate) this.#reach('a print that is believed late fills an order')
    if (met.length > ours.length) this.#reach('the queue ahead is used up by the crowd')
    if (ours.some(({ trade, maker }) => ours.some((other) => isBeside(trade, maker.userId, other)))) {
      this.#reach('a recorded trade fills orders of two accounts at one price')
    }
    const takes = traded.some(({ maker, taker }) => maker.userId === CROWD && taker.userId !== CROWD)
    if (takes) this.#reach('an order takes from the ladder')
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

const isBeside = (trade: Trade, account: string, other: Extract<ExchangeEvent, { type: 'traded' }>): boolean =>
  other.trade.price === trade.price && other.maker.userId !== account

const guessOf = ({ estimates: { spread, averageTrade, step } }: EstimatedLiquidity) => ({
  spread,
  clip: averageTrade,
  step,
})

async function playedFast(scene: Scene, end: number): Promise<Seen> {
  const seen = new Seen(scene, false)
  for (const act of scene.acts) seen.do(act)
  const listener: RecordedListener = {
    onRecorded: () => {
      seen.sinceAsked += 1
    },
  }
  const tapes = scene.tapes.map(({ rows, ...options }) => memoryTape(rows, options))
  const channels = channelsOf(tapes.map((tape) => ({ tape, longestSilenceMs: SILENCE_MS, listener })))
  const replay = new Replay(seen.simulated, channels, {
    stopped: () => false,
    enter: () => undefined,
    leave: () => undefined,
    wantsTurn: () => false,
    turn: () => Promise.resolve(),
    onGap: () => void (reached['a gap'] += 1),
    onProgress: () => undefined,
  })
  await replay.play(mergeTapes(tapes), end)
  for (const { printFilter } of new Set(channels)) {
    if (printFilter.doubted > 0) reached['a print is not believed'] += 1
    if (printFilter.late > 0) reached['a print is believed late'] += 1
  }
  return seen
}

function playedPlain(scene: Scene, end: number): Seen {
  const seen = new Seen(scene, true)
  for (const act of scene.acts) seen.do(act)
  plainReplay(seen.simulated, scene.tapes, end, SILENCE_MS)
  return seen
}

const endOf = ({ tapes, acts }: Scene): number =>
  Math.max(0, ...tapes.map(({ rows }) => rows.at(-1)?.[0] ?? 0), ...acts.map(({ time }) => time)) + 2 * DAY

async function compare(scene: Scene): Promise<void> {
  const end = endOf(scene)
  const fast = await playedFast(scene, end)
  const plain = playedPlain(scene, end)
  const ends = [fast.end, plain.end]
  expect(fast.lines).toEqual(plain.lines)
  expect(ends[0]).toBe(ends[1])
  const [digest, plainDigest] = [fast, plain].map(({ lines }) =>
    createHash('sha256').update(lines.join('\n')).digest('hex'),
  )
  expect(digest).toBe(plainDigest)
  count(scene, fast.lines)
}

function count({ tapes, acts }: Scene, lines: readonly string[]): void {
  if (new Set(tapes.map(({ symbol }) => symbol)).size < tapes.length) reached['two tapes of one market'] += 1
  const times = tapes.flatMap(({ rows }) => rows.map(([time]) => time))
  if (acts.some(({ do: act, time }) => act === 'look' && times.some((each) => each < time - DAY))) {
    reached['a trade leaves the window of a day'] += 1
  }
  if (tapes.some(({ rows }) => rows.length > 4096)) reached['a chunk of the log is full'] += 1
  const rests = lines.findIndex((line) => line.includes('"order-accepted"') && line.includes('"LIMIT"'))
  if (rests >= 0 && lines.slice(rests).some((line) => line.startsWith('trade '))) {
    reached['a trade is printed while an order rests'] += 1
  }
}

// ---- random scenes, tight on purpose: a few prices and lots, several trades a millisecond, orders of three accounts among them

const price = fc.integer({ min: 95, max: 104 })
const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 60_000, SILENCE_MS, DAY, DAY + 1, 2 * DAY) },
)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(0, 0, 0, 1, 2, 5) },
  { weight: 1, arbitrary: fc.constantFrom(999, 1_000, SILENCE_MS, SILENCE_MS + 1, 60_000, 3_600_000, DAY - 1, DAY) },
)
const qty = fc.integer({ min: 1, max: 9 })
const symbol = fc.constantFrom(...SYMBOLS)
const account = fc.constantFrom(...ACCOUNTS)
const side = fc.constantFrom<Side>('BUY', 'SELL')

const rowOf = fc.tuple(step, price, qty, fc.constantFrom('buy', 'sell', undefined), fc.constantFrom(1, 1, 1, 1, 1, 7))

const randomTape: fc.Arbitrary<RandomTape> = fc
  .record({
    symbol,
    steps: fc.array(rowOf, { maxLength: 60, size: 'max' }),
    blockRows: fc.integer({ min: 1, max: 20 }),
    hasIds: fc.boolean(),
    hasSides: fc.boolean(),
  })
  .map(({ steps, hasIds, hasSides, ...tape }) => {
    let [at, id] = [0, 0]
    const ids: number[] = []
    const rows = steps.map(([wait, ticks, lots, given, idStep]): RecordedRow => {
      at += wait
      id += idStep
      ids.push(id)
      return given === undefined || !hasSides ? [at, ticks, lots] : [at, ticks, lots, given]
    })
    return { ...tape, rows, ids: hasIds ? ids : undefined }
  })

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('limit' as const), time, symbol, account, side, price, qty }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('market' as const), time, symbol, account, side, qty }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), time, symbol, account, back: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), time, symbol, account }) },
)

const MODELS: readonly LiquidityName[] = ['tape', 'through', 'touch', 'ideal']

const scene: fc.Arbitrary<Scene> = fc.record({
  tapes: fc.array(randomTape, { minLength: 1, maxLength: 3 }),
  acts: fc.array(act, { maxLength: 25, size: 'max' }),
  model: fc.constantFrom(...MODELS),
  watched: fc.constantFrom(undefined, ...CANDLE_INTERVAL_NAMES),
  kept: fc.constantFrom(2, 3, 3, Infinity),
})

it('reports what the plain way reports, of every trade, order, ticker, candle and estimate', () =>
  fc.assert(fc.asyncProperty(scene, compare), { numRuns: runs(300) }))

it.each(MODELS)('does so under %s when chunks and columns are full, and days have gone by', async (model) => {
  let state = 7
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  let [at, ticks] = [0, 100]
  const rows = Array.from({ length: 14_000 }, (): RecordedRow => {
    at += below(2) * below(120_000)
    ticks = Math.max(50, ticks + below(5) - 2)
    return [at, ticks, 1 + below(9), below(2) === 0 ? 'buy' : 'sell']
  })
  const acts = Array.from({ length: 60 }, (_, index): Act => {
    const [when, near] = rows[below(rows.length)] ?? [0, 100]
    const who = { time: when, symbol: 'BTC_USD', account: ACCOUNTS[below(3)] ?? 'A' }
    // Early, so that much is forgotten before anybody looks again.
    if (index === 0) return { ...who, time: rows[1_000]?.[0] ?? 0, do: 'look' }
    return { ...who, do: 'limit', side: below(2) === 0 ? 'BUY' : 'SELL', price: near + below(7) - 3, qty: 1 + below(5) }
  })
  const tape = { symbol: 'BTC_USD', rows, ids: undefined, blockRows: 3_000 }
  await compare({ tapes: [tape], acts, model, watched: undefined, kept: 3 })
})

afterAll(() => {
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(needed(0))
})
