/**
 * Our own trades are not the market, over the wire: whatever a user does in a market that is replayed, its ticker and
 * candles are, byte for byte, those of the same replay without him, also when it goes on from its state.
 */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CANDLE_INTERVALS } from '../../src/domain/candle.ts'
import type { TradeJson } from '../../src/domain/trade.ts'
import type { Emulator } from '../../src/server/emulator/emulator.ts'
import { SCOPES } from '../../src/server/service/api-key.ts'
import { Chance } from '../exchange/rig/chance.ts'
import { copyStateFile } from '../store/rig/state-file-copy.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { advance, ask, emulators, keyOf } from './rig/emulator-caller.ts'
import { listenTo, type StreamListener } from './rig/stream-listener.ts'

const { folder, write } = temporaryFiles()
const start = emulators()

const SYMBOL = 'GOLD_USD'
const START = Date.UTC(2025, 0, 1)
/** So that a minute ends between the last two rows. */
const STEPS_MS = [...Array.from({ length: 28 }, () => 500), 40_000, 8_000]

/** Milliseconds, price and lots; no side is reported, so the prints are judged. */
const ROWS = [
  [0, 100, 5],
  [1_000, 101, 4],
  [2_000, 100, 6],
  [3_000, 99, 5],
  // Dropped by the next one.
  [4_000, 130, 3],
  [5_000, 100, 4],
  [6_000, 98, 8],
  [7_000, 101, 5],
  // Held, then a vote that is too early, then one a second after the first: believed at 9 100.
  [8_000, 120, 2],
  [8_400, 120, 2],
  [9_100, 121, 3],
  [10_000, 120, 4],
  [11_000, 119, 6],
  // Held when the tape ends.
  [61_000, 160, 1],
] as const
const LATE_AT = 9_100
const LATE_LOTS = 4

const replay = [
  {
    file: write(
      ['time,price,qty', ...ROWS.map(([ms, price, qty]) => `${1_700_000_000_000 + ms},${price},${qty}`), ''].join('\n'),
      'judged.csv',
    ),
    symbol: SYMBOL,
  },
]
const config = {
  users: [{ email: 'a@example.com', credits: { USD: '1000000', GOLD: '1000' }, keys: [{ scopes: [...SCOPES] }] }],
  limits: { general: 100_000, mutations: 100_000, windowSeconds: 60 },
}

/** A replay that is served, and everyone who looks at it. */
interface Served {
  readonly emulator: Emulator
  readonly stream: StreamListener
}

const STREAMS = [`trade:${SYMBOL}`, `ticker:${SYMBOL}`]

async function serve(state: string, begin: number): Promise<Served> {
  const emulator = await start({ replay, virtualClock: true, start: begin, state, config })
  const stream = await listenTo(emulator.streamUrl)
  await stream.subscribe(...STREAMS)
  return { emulator, stream }
}

const textOf = async ({ baseUrl }: Emulator, path: string): Promise<string> =>
  (await fetch(`${baseUrl}/markets/${SYMBOL}/${path}`, { headers: { connection: 'close' } })).text()

/** Everything public but the trades, as it comes. */
const marketDataOf = async (emulator: Emulator): Promise<readonly string[]> =>
  Promise.all([
    textOf(emulator, 'ticker'),
    ...Object.keys(CANDLE_INTERVALS).map((interval) => textOf(emulator, `candles?interval=${interval}&limit=1000`)),
  ])

const tradesOf = async (emulator: Emulator): Promise<readonly TradeJson[]> =>
  (await ask<TradeJson[]>(emulator, `/markets/${SYMBOL}/trades?limit=500`)).json.toReversed()

/** Takes and rests near where the market is, on both sides, and in his own way too. */
async function act({ emulator }: Served, chance: Chance, key: string): Promise<void> {
  const common = { symbol: SYMBOL, side: chance.pick(['BUY', 'SELL']), qty: String(chance.between(1, 4)) }
  const price = String(chance.oneIn(3) ? chance.between(115, 125) : chance.between(96, 104))
  const body = chance.oneIn(3) ? { ...common, type: 'MARKET' } : { ...common, type: 'LIMIT', price }
  const { status } = await ask(emulator, '/orders', { key, body })
  // A market that is shut has no liquidity.
  expect([201, 409, 422]).toContain(status)
}

/** Plays both to the end of the tape, and holds the one beside the other all the way. */
async function play(busy: Served, quiet: Served, key: string, seed: number): Promise<void> {
  const chance = new Chance(seed)
  for (const ms of STEPS_MS) {
    await act(busy, chance, key)
    expect(await marketDataOf(busy.emulator)).toEqual(await marketDataOf(quiet.emulator))
    await Promise.all([busy, quiet].map(({ emulator }) => advance(emulator, ms)))
  }
  // An answer comes after all that was reported before.
  await Promise.all([busy, quiet].map(({ stream }) => stream.subscribe(...STREAMS)))
}

const tickersHeard = ({ stream }: Served): readonly unknown[] => stream.of(`ticker:${SYMBOL}`)
const tradesHeard = ({ stream }: Served): readonly unknown[] =>
  stream.of(`trade:${SYMBOL}`).map((message) => message.data)

const NAMES = [
  ...['id', 'symbol', 'price', 'qty', 'buyOrderId', 'sellOrderId'],
  ...['buyerId', 'sellerId', 'isBuyerMaker', 'createdAt'],
]
const isOf = (user: string, { buyerId, sellerId }: TradeJson): boolean => buyerId === user || sellerId === user
const takerOf = ({ isBuyerMaker, buyerId, sellerId }: TradeJson): string => (isBuyerMaker ? sellerId : buyerId)
const withoutIds = (trades: readonly TradeJson[]): readonly object[] =>
  trades.map(({ symbol, price, qty, isBuyerMaker, createdAt, buyerId, sellerId }) => {
    return { symbol, price, qty, isBuyerMaker, createdAt, buyerId, sellerId }
  })
const lotsAt = (time: number, trades: readonly TradeJson[]): number =>
  trades.reduce((lots, { createdAt, qty }) => (createdAt === time ? lots + Number(qty) : lots), 0)

/** @param begin  when the first row was played */
function checkTrades(
  reported: readonly TradeJson[],
  alone: readonly TradeJson[],
  user: string,
  begin: number,
): string[] {
  for (const trade of [...reported, ...alone]) expect(Object.keys(trade)).toEqual(NAMES)
  expect(alone.filter(({ createdAt }) => createdAt >= begin)).toHaveLength(ROWS.length)
  const times = new Set(reported.filter((trade) => isOf(user, trade)).map(({ createdAt }) => createdAt))
  const untouched = (trades: readonly TradeJson[]): readonly object[] =>
    withoutIds(trades.filter(({ createdAt }) => !times.has(createdAt)))
  expect(untouched(reported)).toEqual(untouched(alone))
  const pieces = reported.filter((trade) => takerOf(trade) !== user)
  for (const [ms] of ROWS) {
    const more = lotsAt(begin + ms, pieces) - lotsAt(begin + ms, alone)
    // What is believed late was shown when it came: it is reported again where it fills an order.
    if (ms === LATE_AT) expect(more).toBeLessThanOrEqual(LATE_LOTS)
    else expect(more, `pieces of the row at ${ms}`).toBe(0)
  }
  return [
    ...(pieces.some((trade) => isOf(user, trade)) ? ['made'] : []),
    ...(reported.some((trade) => takerOf(trade) === user && trade.buyerId !== trade.sellerId) ? ['took'] : []),
    ...(reported.some(({ buyerId, sellerId }) => buyerId === user && sellerId === user) ? ['traded with himself'] : []),
    ...(lotsAt(begin + LATE_AT, pieces) > lotsAt(begin + LATE_AT, alone) ? ['was filled late'] : []),
  ]
}

it.each`
  how          | why
  ${'closed'}  | ${'from a snapshot'}
  ${'crashed'} | ${'from what was written down since'}
`(
  'a replay that is $how and goes on $why reports what it reports without its user',
  async ({ how }: { how: string }) => {
    const states = ['busy', 'quiet'].map((name) => join(folder, `${how}-${name}.db`))
    const [busyState = '', quietState = ''] = states
    const reached = new Set<string>()
    const [busy, quiet] = await Promise.all([serve(busyState, START), serve(quietState, START)])
    const key = keyOf(busy.emulator)
    const user = busy.emulator.users[0]?.id ?? ''
    await play(busy, quiet, key, 1)
    const [reported, alone] = await Promise.all([tradesOf(busy.emulator), tradesOf(quiet.emulator)])
    for (const corner of checkTrades(reported, alone, user, START)) reached.add(corner)
    expect(tickersHeard(busy)).toEqual(tickersHeard(quiet))
    expect(tradesHeard(busy)).toEqual(reported)
    expect(tradesHeard(quiet)).toEqual(alone)
    // 130 and 160 were never believed: they count in the volume alone.
    const ticker = JSON.parse(await textOf(busy.emulator, 'ticker')) as Record<string, string>
    const recorded = ROWS.reduce((sum, [, , qty]) => sum + qty, 0)
    expect(ticker).toMatchObject({ lastPrice: '119', high: '121', low: '98', volume: String(recorded) })

    const now = STEPS_MS.reduce((time, ms) => time + ms, START)
    if (how === 'closed') await Promise.all([busy, quiet].map(({ emulator }) => emulator.close()))
    else states.forEach((state) => copyStateFile(state, `${state}.copy`))
    const goOn = states.map((state) => (how === 'closed' ? state : `${state}.copy`))
    const [busyAgain, quietAgain] = await Promise.all([serve(goOn[0] ?? '', now), serve(goOn[1] ?? '', now)])
    await play(busyAgain, quietAgain, key, 2)
    const [reportedAgain, aloneAgain] = await Promise.all([tradesOf(busyAgain.emulator), tradesOf(quietAgain.emulator)])
    for (const corner of checkTrades(reportedAgain, aloneAgain, user, now)) reached.add(corner)
    expect(tickersHeard(busyAgain)).toEqual(tickersHeard(quietAgain))
    expect(await ask(busyAgain.emulator, '/emulator/audit')).toMatchObject({ json: { ok: true } })
    expect([...reached].sort()).toEqual(['made', 'took', 'traded with himself', 'was filled late'])
  },
  300_000,
)
