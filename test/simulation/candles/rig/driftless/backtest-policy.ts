/**
 * Plays a policy on the candles of a walk as a strategy, in a backtest like any other.
 */
import { ignoreElements, map, merge, tap } from 'rxjs'
import { invariant } from '../../../../../src/domain/errors.ts'
import { runBacktest } from '../../../../../src/runtime/backtest/backtest.ts'
import type { RecordedCandle } from '../../../../../src/simulation/candles/recorded-candle.ts'
import type { Intent } from '../../../../../src/strategy/intent.ts'
import type { LimitIntent } from '../../../../../src/strategy/place-intent.ts'
import { oco, stopBuy, stopSell } from '../../../../../src/strategy/waiting.ts'
import type { OwnFill } from '../../../../../src/strategy/own-order.ts'
import type { Tape } from '../../../../../src/tape/tape.ts'
import { prepared, type TestStrategy } from '../../../../runtime/rig/run-strategy.ts'
import { memoryTape } from '../../../../simulation/rig/memory-tape.ts'
import { WALK_INTERVAL_MS } from './driftless-walk.ts'
import type { Act, Policy, PolicyFill } from './policy.ts'

const SYMBOL = 'BTC_USD'
const MUCH = '10000000000000000'

/** The fills of the policy, in the order of the candles. */
export async function backtestPolicy(
  policy: Policy,
  candles: readonly RecordedCandle[],
): Promise<readonly PolicyFill[]> {
  const fills: OwnFill[] = []
  const settings = { liquidity: 'tape', credit: { USD: MUCH, BTC: MUCH }, limits: null }
  const { failure, record } = await runBacktest(
    prepared(strategyOf(policy), { tapes: [candleTape(candles)], settings }),
    {
      onOrder: () => undefined,
      onFill: (fill) => void fills.push(fill),
      onProgress: () => undefined,
      onLog: () => undefined,
    },
  )
  invariant(failure === undefined, `the policy failed: ${failure?.message ?? ''}`)
  // Rejected is what a stop of its group took back before its open.
  const usual = ['NO_LIQUIDITY', 'ORDER_NOT_CANCELLABLE', 'ORDER_REJECTED']
  const refusals = [...record.refusals.keys()].filter((code) => !usual.includes(code))
  invariant(refusals.length === 0, `orders were refused: ${refusals.join(', ')}`)
  return inCandles(fills, candles)
}

/** What rested was filled in the candle that ends then, whatever took at the open of the one that begins. */
function inCandles(fills: readonly OwnFill[], candles: readonly RecordedCandle[]): readonly PolicyFill[] {
  const begins = new Map(candles.map(({ time }, index) => [time, index]))
  const ends = new Map(candles.map(({ time }, index) => [time + WALK_INTERVAL_MS, index]))
  // An order of ours that took may have met another of ours.
  const takenIds = new Set(fills.filter(({ isMaker }) => !isMaker).map(({ tradeId }) => tradeId))
  return fills.map(({ tradeId, side, price, qty, createdAt: time }) => {
    const candle = (takenIds.has(tradeId) ? begins.get(time) : undefined) ?? ends.get(time)
    invariant(candle !== undefined, 'a fill is at the open or at the end of a candle')
    return { candle, time, side, price: price.toNumber(), qty: qty.toNumber() }
  })
}

const strategyOf = (policy: Policy): TestStrategy => ({
  run: ({ candles, fills$, openOrders, waitingOrders }) => {
    const seen: RecordedCandle[] = []
    let position = 0
    const counted$ = fills$.pipe(
      tap(({ side, qty }) => (position += side === 'BUY' ? qty.toNumber() : -qty.toNumber())),
      ignoreElements(),
    )
    const acts$ = candles(SYMBOL, '1m').pipe(
      map(({ time, open, high, low, close, volume }) => {
        const prices = { open: open.toNumber(), high: high.toNumber(), low: low.toNumber(), close: close.toNumber() }
        seen.push({ time, ...prices, volume: volume.toNumber() })
        const idsByKey = new Map([...openOrders(), ...waitingOrders()].map(({ id, tag }) => [Number(tag), id]))
        const waiting = [...idsByKey.keys()].sort((a, b) => a - b).map((key) => ({ key }))
        const acts = policy.onCandle({ candles: seen, position, waiting })
        return acts.flatMap((act) => intentOf(act, acts, idsByKey) ?? [])
      }),
    )
    return merge(counted$, acts$)
  },
})

/** Undefined for a limit that is placed together with the stop that it excludes. */
function intentOf(act: Act, acts: readonly Act[], idsByKey: ReadonlyMap<number, string>): Intent | undefined {
  switch (act.type) {
    case 'market':
      return { ...act, symbol: SYMBOL }
    case 'limit': {
      const isOfGroup = acts.some((each) => each.type === 'stop' && each.excludes === act.key)
      return isOfGroup ? undefined : limitOf(act)
    }
    case 'stop': {
      const { key, side, price, qty, excludes } = act
      const stop = (side === 'BUY' ? stopBuy : stopSell)(SYMBOL, price, qty, { tag: String(key) })
      const limit = acts.find((each) => each.type === 'limit' && each.key === excludes)
      return limit?.type === 'limit' ? oco(limitOf(limit), stop) : stop
    }
    case 'cancel': {
      const orderId = idsByKey.get(act.key)
      invariant(orderId !== undefined, 'the policy cancels what waits')
      return { type: 'cancel', orderId }
    }
  }
}

const limitOf = (act: Extract<Act, { type: 'limit' }>): LimitIntent => {
  const { type, side, price, qty, key } = act
  return { type, side, price, qty, symbol: SYMBOL, tag: String(key) }
}

function candleTape(candles: readonly RecordedCandle[]): Tape {
  const column = (name: keyof RecordedCandle): Float64Array => Float64Array.from(candles, (candle) => candle[name])
  const [time, open, high, low] = [column('time'), column('open'), column('high'), column('low')]
  const block = { length: candles.length, time, open, high, low, close: column('close'), volume: column('volume') }
  const { info } = memoryTape([], {
    kind: 'candles',
    intervalMs: WALK_INTERVAL_MS,
    isAligned: true,
    rows: candles.length,
    from: time[0] ?? 0,
    to: (time.at(-1) ?? 0) + WALK_INTERVAL_MS,
  })
  return {
    info,
    // eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
    blocks: async function* () {
      yield block
    },
  }
}
