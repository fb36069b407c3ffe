/**
 * The rules of candles once more, as plainly as they read: a list of candles and a list of requests in, the fills out.
 *
 * Without an exchange, a queue of events or balances; every estimate is worked out again from all candles before.
 */

export interface NaiveCandle {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Ticks, lots and Unix milliseconds; `oco` is the id of an order that a fill of this one cancels. */
export interface NaiveOrder {
  readonly id: number
  readonly at: number
  readonly side: 'BUY' | 'SELL'
  readonly type: 'MARKET' | 'LIMIT' | 'STOP'
  readonly price?: number
  readonly qty: number
  readonly oco?: number
}

export interface NaiveCancel {
  readonly cancel: number
  readonly at: number
}

export type NaiveRequest = NaiveOrder | NaiveCancel

export interface NaiveOptions {
  readonly interval: number
  readonly latency: number
  /** Ticks; undefined to learn it. */
  readonly spread?: number
  /** Ticks by which the low must pass a price: 1 for `tape`. */
  readonly strictness?: number
}

export type NaiveFill =
  | { readonly id: number; readonly time: number; readonly price: number; readonly qty: number; readonly how: string }
  | { readonly id: number; readonly time: number | null; readonly refused: 'NO_LIQUIDITY' }

const DAY = 86_400_000

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * EDGE (Ardia, Guidotti, Kroencke 2024) on differences in ticks: the spread, and how many standard errors its square is
 * above zero.
 */
export function naiveEdge(candles: readonly NaiveCandle[]): { spread: number; t: number } | undefined {
  const rows = candles.slice(1).map((now, index) => {
    const before = candles[index] ?? now
    const [middle, middleBefore] = [(now.high + now.low) / 2, (before.high + before.low) / 2]
    const tau = now.high !== now.low || now.low !== before.close ? 1 : 0
    return {
      tau,
      openOff: tau * (Number(now.open !== now.high) + Number(now.open !== now.low)),
      closeOff: tau * (Number(before.close !== before.high) + Number(before.close !== before.low)),
      r1: middle - now.open,
      r2: now.open - middleBefore,
      r3: middle - before.close,
      r4: before.close - middleBefore,
      r5: now.open - before.close,
    }
  })
  if (rows.length === 0) return undefined
  const share = mean(rows.map(({ tau }) => tau))
  const [openOff, closeOff] = [mean(rows.map((row) => row.openOff)), mean(rows.map((row) => row.closeOff))]
  if (share * rows.length < 2 || openOff === 0 || closeOff === 0) return undefined
  const [m1, m3, m5] = [mean(rows.map(({ r1 }) => r1)), mean(rows.map(({ r3 }) => r3)), mean(rows.map(({ r5 }) => r5))]
  const pairs = rows.map(({ tau, r1, r2, r3, r4, r5 }) => {
    const [d1, d3, d5] = [r1 - (tau * m1) / share, r3 - (tau * m3) / share, r5 - (tau * m5) / share]
    return [
      (-4 / openOff) * d1 * r2 + (-4 / closeOff) * d3 * r4,
      (-4 / openOff) * d1 * r5 + (-4 / closeOff) * d5 * r4,
    ] as const
  })
  const variance = (values: readonly number[]): number => mean(values.map((x) => x * x)) - mean(values) ** 2
  const [v1, v2] = [variance(pairs.map(([x]) => x)), variance(pairs.map(([, x]) => x))]
  const [w1, w2] = v1 + v2 > 0 ? [v2 / (v1 + v2), v1 / (v1 + v2)] : [0.5, 0.5]
  const mixed = pairs.map(([x1, x2]) => w1 * x1 + w2 * x2)
  const square = mean(mixed)
  const error = Math.sqrt(mean(mixed.map((x) => (x - square) ** 2)) / mixed.length)
  return { spread: Math.sqrt(Math.abs(square)), t: error > 0 ? square / error : 0 }
}

export interface NaiveEstimates {
  readonly half: number
  readonly R: number
  readonly V: number
  readonly jump: number
  readonly spread: number
  readonly believed: boolean
}

export function naiveEstimates(past: readonly NaiveCandle[], options: NaiveOptions): NaiveEstimates | undefined {
  const whole = past.filter(({ volume }) => volume > 0)
  if (whole.length === 0) return undefined
  const last20 = whole.slice(-20)
  const last100 = whole.slice(-100)
  const jumps = last100.slice(1).flatMap((candle, index) => {
    const before = last100[index]
    if (before === undefined || before.time + options.interval !== candle.time) return []
    return [candle.open - before.close]
  })
  const total = jumps.reduce((sum, d) => sum + Math.abs(d), 0)
  const R = mean(last20.map(({ high, low }) => high - low))
  const jump = total === 0 ? 0 : jumps.reduce((sum, d) => sum + d * d, 0) / total
  const edge = last100.length < 20 ? undefined : naiveEdge(last100)
  const believed = options.spread === undefined && edge !== undefined && edge.t > 2
  const spread = options.spread ?? (believed ? Math.max(1, edge.spread) : 1)
  return {
    half: Math.ceil(spread / 2),
    R,
    V: mean(last20.map(({ volume }) => volume)),
    jump: options.interval >= DAY ? Math.min(jump, R / 50) : jump,
    spread,
    believed,
  }
}

interface Live {
  readonly order: NaiveOrder
  left: number
  /** Its place among the orders at its price: what is left after a take at an open rests behind the others. */
  turn: number
}

/** Everything that the requests come to, in the order in which it happens. */
export function naiveCandles(
  candles: readonly NaiveCandle[],
  requests: readonly NaiveRequest[],
  options: NaiveOptions,
): readonly NaiveFill[] {
  const { interval, latency, strictness = 1 } = options
  const fills: NaiveFill[] = []
  const resting: Live[] = []
  const missing = { BUY: { lots: 0, at: 0, since: 0 }, SELL: { lots: 0, at: 0, since: 0 } }
  const arrives = (request: NaiveRequest): number => request.at + (latency >= interval ? latency : 0)
  let pending = requests.toSorted((a, b) => a.at - b.at)
  const drop = (id: number | undefined): void => {
    const index = resting.findIndex(({ order }) => order.id === id)
    if (index >= 0) resting.splice(index, 1)
  }
  const fill = (live: Live, time: number, price: number, qty: number, how: string): void => {
    fills.push({ id: live.order.id, time, price, qty, how })
    live.left -= qty
    if (live.order.oco !== undefined) drop(live.order.oco)
    for (const other of resting.filter(({ order }) => order.oco === live.order.id)) drop(other.order.id)
    if (live.left === 0) drop(live.order.id)
  }
  const stillMissing = (side: 'BUY' | 'SELL', time: number): number => {
    const { lots, at, since } = missing[side]
    return Math.floor(Math.max((lots * 25_000) / (25_000 + time - at), lots - since))
  }
  /** Takes the ladder at the open, up to a limit. */
  const take = (live: Live, candle: NaiveCandle, estimates: NaiveEstimates | undefined, limit: number): void => {
    if (estimates === undefined) return
    const { side } = live.order
    const sign = side === 'BUY' ? 1 : -1
    let gone = stillMissing(side, candle.time)
    const before = gone
    let taken = 0
    for (let level = 0; level < 100 && live.left > 0; level += 1) {
      const price = candle.open + sign * (estimates.half + Math.floor((level * estimates.R) / 200))
      if (price <= 0 || price * sign > limit * sign) break
      const lots = Math.max(1, Math.floor(((2 * level + 1) * estimates.V) / 10_000))
      const absent = Math.min(gone, lots)
      gone -= absent
      const qty = Math.min(lots - absent, live.left)
      if (qty === 0) continue
      taken += qty
      fill(live, candle.time, price, qty, 'open')
    }
    if (taken > 0) missing[side] = { lots: before + taken, at: candle.time, since: 0 }
  }
  /** An order at market, which is refused when it finds nothing. */
  const takeAll = (live: Live, candle: NaiveCandle, estimates: NaiveEstimates | undefined): void => {
    const before = fills.length
    take(live, candle, estimates, live.order.side === 'BUY' ? Number.POSITIVE_INFINITY : 0)
    if (fills.length === before) fills.push({ id: live.order.id, time: candle.time, refused: 'NO_LIQUIDITY' })
  }
  let turns = 0
  let previousEnd = Number.NEGATIVE_INFINITY
  candles.forEach((candle, index) => {
    if (candle.volume === 0) return
    const { time, open, high, low, volume } = candle
    const estimates = naiveEstimates(candles.slice(0, index), options)
    const isAfterHole = time > previousEnd && previousEnd > 0
    previousEnd = time + interval
    const arrived = pending.filter((request) => arrives(request) <= time)
    pending = pending.filter((request) => arrives(request) > time)
    for (const request of arrived) if ('cancel' in request) drop(request.cancel)
    const isPassed = ({ side, price = 0 }: NaiveOrder): boolean => (side === 'BUY' ? open >= price : open <= price)
    for (const live of [...resting]) {
      const { side, type, price = 0 } = live.order
      const isBeyond = side === 'BUY' ? open < price : open > price
      if (!resting.includes(live)) continue
      if (type === 'LIMIT' && isBeyond && (isAfterHole || interval >= DAY)) {
        const { left } = live
        take(live, candle, estimates, price)
        if (live.left < left) live.turn = turns += 1
      }
      if (type === 'STOP' && isPassed(live.order)) {
        takeAll(live, candle, estimates)
        drop(live.order.id)
      }
    }
    for (const request of arrived) {
      if ('cancel' in request) continue
      const live: Live = { order: request, left: request.qty, turn: (turns += 1) }
      const { id, type, price = 0 } = request
      if (type === 'MARKET') {
        takeAll(live, candle, estimates)
        continue
      }
      resting.push(live)
      if (type === 'LIMIT') take(live, candle, estimates, price)
      else if (isPassed(request)) {
        takeAll(live, candle, estimates)
        drop(id)
      }
    }
    const end = time + interval
    for (const live of [...resting]) {
      const { side, type, price = 0 } = live.order
      if (type !== 'STOP' || !resting.includes(live)) continue
      if (side === 'BUY' ? high < price : low > price) continue
      const away = (estimates?.half ?? 1) + Math.ceil(estimates?.jump ?? 0)
      fill(live, end, side === 'BUY' ? price + away : Math.max(1, price - away), live.left, 'stop')
    }
    for (const side of ['BUY', 'SELL'] as const) {
      const sign = side === 'BUY' ? 1 : -1
      const own = resting.filter(({ order }) => order.type === 'LIMIT' && order.side === side)
      own.sort((a, b) => ((b.order.price ?? 0) - (a.order.price ?? 0)) * sign || a.turn - b.turn)
      let given = 0
      for (const live of own) {
        if (!resting.includes(live)) continue
        const { price = 0 } = live.order
        const past = (price - (side === 'BUY' ? low : high)) * sign - (strictness - 1)
        if (past <= 0) continue
        const share = high === low ? 1 / 10 : Math.min(1 / 10, past / (4 * (high - low)))
        const qty = Math.min(live.left, Math.floor(volume * share) - given)
        if (qty <= 0) continue
        given += qty
        fill(live, end, price, qty, 'body')
      }
    }
    for (const side of ['BUY', 'SELL'] as const) missing[side].since += volume
  })
  for (const request of pending) {
    if (!('cancel' in request)) fills.push({ id: request.id, time: null, refused: 'NO_LIQUIDITY' })
  }
  return fills
}
