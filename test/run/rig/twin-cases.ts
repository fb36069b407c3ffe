/** Seeded causes of a gap between a live session and its twin, made on the emulator. A session lives three seconds. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatMap, interval, map, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { MACHINE_CLOCKS } from '../../../src/adapter/live/machine-clocks.ts'
import { type Emulator, startEmulator } from '../../../src/emulator.ts'
import { live, twin, type TwinOptions, type TwinPart, type TwinReport } from '../../../src/run.ts'
import { reportAccount } from '../../../src/run/operator.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy/strategy.ts'

const SESSION_MS = 3_000
const MIDDLE_MS = 900

/** A trade each 40 ms of a market that rises and falls by turns. */
function tapeOf(folder: string, seed: number): string {
  const random = seededRandom(seed)
  let price = 10_000
  const rows = Array.from({ length: 600 }, (_, row) => {
    price += (Math.floor(row / 30) % 2 === 0 ? 4 : -4) + Math.round((random() - 0.5) * 6)
    return `${row + 1},${1_700_000_000_000 + 40 * row},${(price / 100).toFixed(2)},5.00,${random() < 0.5}`
  })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'tape.csv')
  writeFileSync(file, ['trade_id,time_ms,price,qty,is_buyer_maker', ...rows, ''].join('\n'))
  return file
}

const params = z.object({ symbol: z.string() })

/** Buys and sells in turn, at each seventh trade. */
const flippingOf = (qty: string) => (): Strategy =>
  defineStrategy({
    name: 'flipping',
    params,
    run: ({ trades, buyMarket, sellMarket, params: { symbol } }) => {
      let count = 0
      return trades(symbol).pipe(
        concatMap(() => {
          count += 1
          if (count % 7 !== 0) return []
          return [count % 14 === 7 ? buyMarket(symbol, qty) : sellMarket(symbol, qty)]
        }),
      )
    },
  })

const flipping = flippingOf('1')

/** The same by a clock. */
const ticking = (): Strategy =>
  defineStrategy({
    name: 'ticking',
    params,
    run: ({ buyMarket, sellMarket, params: { symbol } }) =>
      interval(210).pipe(concatMap((n) => [n % 2 === 0 ? buyMarket(symbol, '1') : sellMarket(symbol, '1')])),
  })

/** Decides by numbers from outside of the run, as after a call of Math.random while the file is loaded. */
const guessing = (seed: number): Strategy => {
  const random = seededRandom(seed + 1_000)
  return defineStrategy({
    name: 'guessing',
    params,
    run: ({ trades, buyMarket, sellMarket, params: { symbol } }) => {
      let count = 0
      return trades(symbol).pipe(
        concatMap(() => {
          count += 1
          if (count % 3 !== 0) return []
          const chance = random()
          return chance < 0.4 ? [buyMarket(symbol, '1')] : chance < 0.6 ? [sellMarket(symbol, '1')] : []
        }),
      )
    },
  })
}

/** Rests a bid just below the market, again and again. */
const resting = (): Strategy =>
  defineStrategy({
    name: 'resting',
    params,
    run: ({ trades, buyLimit, params: { symbol } }) =>
      interval(480).pipe(
        withLatestFrom(trades(symbol)),
        map(([, { price }]) => buyLimit(symbol, price.minus('0.12'), '150')),
      ),
  })

export interface TwinCase {
  readonly cause: TwinPart | 'none'
  readonly strategy: (seed: number) => Strategy
  readonly before?: (emulator: Emulator, seed: number) => Promise<unknown>
  readonly middle?: (emulator: Emulator, state: string) => Promise<unknown>
  readonly twin?: Partial<TwinOptions>
}

const refusing = (emulator: Emulator, seed: number): Promise<unknown> =>
  emulator.fault({ fault: 'engine-unavailable', route: 'POST /orders', probability: 0.4, seed })

export const TWIN_CASES: readonly TwinCase[] = [
  { cause: 'none', strategy: flipping },
  {
    cause: 'latency',
    strategy: flipping,
    before: (emulator) => emulator.fault({ fault: 'delay', route: 'POST /orders', probability: 1, ms: 200 }),
  },
  { cause: 'fees', strategy: flipping, twin: { takerFee: '100' } },
  { cause: 'takings', strategy: flippingOf('40'), twin: { liquidity: 'ideal' } },
  { cause: 'queue', strategy: resting, twin: { liquidity: 'ideal' } },
  { cause: 'refusals', strategy: flipping, before: refusing },
  {
    cause: 'data',
    strategy: ticking,
    before: (emulator) => emulator.fault({ fault: 'stream-drop', route: 'GET /ws', probability: 0.5, seed: 1 }),
  },
  {
    cause: 'operator',
    strategy: flipping,
    middle: (_, directory) =>
      reportAccount({ directory, kind: 'live', clocks: MACHINE_CLOCKS }, { kind: 'halt' }, 5_000),
  },
  { cause: 'nondeterminism', strategy: guessing },
]

const after = (ms: number): Promise<void> =>
  // eslint-disable-next-line papertape/no-clock -- the emulator lives in real time
  new Promise((resolve) => void setTimeout(resolve, ms))

/** The gap of one session to its twin. @param folder  new, for its files */
export async function gapOfCase(each: TwinCase, seed: number, folder: string): Promise<TwinReport> {
  const [state, out, end] = [join(folder, 'state'), join(folder, 'run'), new AbortController()]
  const strategy = each.strategy(seed)
  const emulator = await startEmulator({ replay: [{ file: tapeOf(folder, seed), symbol: 'A_USD' }] })
  try {
    await after(300)
    await each.before?.(emulator, seed)
    let begun = (): void => undefined
    const started = new Promise<void>((resolve) => {
      begun = resolve
    })
    const session = live({
      strategies: [{ strategy, params: { symbol: 'A_USD' } }],
      ...{ url: emulator.baseUrl, apiKey: emulator.users[0]?.keys[0] ?? '', state, out, signal: end.signal },
      symbol: 'A_USD',
      listener: {
        onStart: () => {
          begun()
        },
      },
    })
    await started
    await after(MIDDLE_MS)
    await each.middle?.(emulator, state)
    await after(SESSION_MS - MIDDLE_MS)
    end.abort()
    await session
  } finally {
    await emulator.close()
  }
  const { strategies } = await twin({ session: out, strategies: { [strategy.name]: strategy }, ...each.twin })
  const [report] = strategies
  if (report === undefined) throw new Error('no strategy')
  return report
}

/** The part with most of the amounts of all orders, without their signs: those of one cause may cancel each other. */
export function mainPart({ orders }: TwinReport): TwinPart | 'none' {
  const sums = new Map<TwinPart, number>()
  for (const { part, amount } of orders.flatMap(({ pieces }) => pieces))
    sums.set(part, (sums.get(part) ?? 0) + Math.abs(Number(amount)))
  return [...sums].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'none'
}
