/**
 * The rules of a check: each finds one kind of fault in the events of a strategy.
 */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import { MisuseError, type StrategyError } from '../../domain/errors.ts'
import { assetsOfSymbol } from '../../domain/market.ts'
import type { Intent, RefusedOutcome } from '../../strategy/intent.ts'
import type { OwnFill } from '../../strategy/own-order.ts'
import type { PlaceIntent } from '../../strategy/place-intent.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { intentText } from '../trial/intent-text.ts'
import type { TrialEvent } from '../trial/watched-strategy.ts'
import type { FoundFault } from './fault-kinds.ts'
import { rowsOf, rowTimes, type Scenario, type ScenarioMarket } from './scenario.ts'

/** A trial as the rules read it. */
export interface CheckedTrial {
  readonly scenario: Scenario
  readonly strategy: Pick<Strategy, 'limits'>
  readonly events: readonly TrialEvent[]
  readonly failure: StrategyError | undefined
}

/** Returns the first fault of its kind, if there is one. */
export type Rule = (trial: CheckedTrial) => FoundFault | undefined

/** Errors of a strategy, by their kind. */
const thrown: Rule = ({ failure }) => {
  if (failure === undefined) return undefined
  const { cause, message, time } = failure
  const kind = cause instanceof MisuseError ? cause.misuse : 'throws'
  return { kind, time, text: message.split('\n')[0] ?? '' }
}

/** More than any ladder of orders, or any timer of a second in a silence, would take. */
const MAX_IN_SILENCE = 1_000
/** Counting window: over hours of silence, a timer of one second may legitimately send more orders and cancels. */
const SPAN_MS = 300_000

/** A strategy that goes on ordering and cancelling while its market is silent: it answers itself. */
const endlessOrders: Rule = ({ events, scenario }) => {
  const times = rowTimes(scenario)
  let next = 0
  let count = 0
  let since = Number.NEGATIVE_INFINITY
  for (const event of events) {
    if (event.type !== 'intent') continue
    while (next < times.length && (times[next] ?? 0) <= event.time) {
      next += 1
      since = Number.NEGATIVE_INFINITY
    }
    if (event.time - since > SPAN_MS) {
      since = event.time
      count = 0
    }
    count += 1
    if (count > MAX_IN_SILENCE) {
      const text = `more than ${MAX_IN_SILENCE} orders and cancels without new market data between them`
      return { kind: 'endless-orders', time: event.time, text }
    }
  }
  return undefined
}

/** Consecutive rejections, all except the first of orders sent after the previous rejection was received. */
const AGAIN_AND_AGAIN = 3

type Available = (asset: string) => Decimal

/**
 * A strategy that places an order it cannot pay, receives the rejection, and places it again although nothing has
 * changed.
 *
 * Only what the strategy could know counts: at the time of the order, the balances received so far and the last price.
 */
const unpayable: Rule = ({ events, scenario }) => {
  let available: Available = (asset) => toDecimal(scenario.balances[asset] ?? '0')
  const hopeless = new WeakMap<object, number>()
  let reported = 0
  for (const event of events) {
    switch (event.type) {
      case 'balances': {
        const { balances } = event
        available = (asset) => balances.get(asset)?.available ?? toDecimal(0)
        reported = 0
        break
      }
      case 'intent':
        if (isHopeless(event.intent, event.time, available, scenario)) hopeless.set(event.intent, reported)
        break
      case 'outcome': {
        const { outcome } = event
        const knew = hopeless.get(outcome.intent)
        if (outcome.type !== 'refused' || outcome.refusal.code !== 'INSUFFICIENT_BALANCE' || knew === undefined) break
        // An order sent before the last rejection was received is no reaction to it.
        if (knew < reported) break
        reported += 1
        if (reported < AGAIN_AND_AGAIN) break
        const text = `${intentText(outcome.intent)} was refused (INSUFFICIENT_BALANCE), the ${reported}rd time with the same money`
        return { kind: 'unpayable', time: event.time, text }
      }
      case 'restart':
        reported = 0
        break
      case 'fill':
      case 'order':
    }
  }
  return undefined
}

/** True if the strategy's own information implies that the order will be rejected. */
function isHopeless(intent: Intent, time: number, available: Available, scenario: Scenario): boolean {
  if (intent.type !== 'limit' && intent.type !== 'market') return false
  const market = scenario.markets.find(({ symbol }) => symbol === intent.symbol)
  if (market === undefined) return false
  const { baseAsset, quoteAsset } = assetsOfSymbol('symbol', market.symbol)
  try {
    const qty = toDecimal(intent.qty)
    if (intent.side === 'SELL') return qty.gt(available(baseAsset))
    const price = intent.type === 'limit' ? toDecimal(intent.price) : lastPrice(rowsOf(market), time)
    return price !== undefined && qty.times(price).gt(available(quoteAsset))
  } catch {
    // No number at all: it is refused for that.
    return false
  }
}

function lastPrice(rows: ReturnType<typeof rowsOf>, time: number): Decimal | undefined {
  const row = rows.findLast((each) => each.time <= time)
  if (row === undefined) return undefined
  return toDecimal('price' in row ? row.price : row.open)
}

/** A strategy whose two orders met: it paid two fees and moved nothing. */
const crossesItself: Rule = ({ events }) => {
  const fillsByTrade = new Map<string, OwnFill>()
  for (const event of events) {
    if (event.type !== 'fill') continue
    const { fill } = event
    const key = `${fill.symbol} ${fill.tradeId}`
    const other = fillsByTrade.get(key)
    if (other !== undefined && other.side !== fill.side) {
      const text = `its ${other.side} filled against its ${fill.side}: ${fill.qty.toFixed()} ${fill.symbol} at ${fill.price.toFixed()}`
      return { kind: 'crosses-itself', time: event.time, text }
    }
    fillsByTrade.set(key, fill)
  }
  return undefined
}

/** A strategy that bought more than its declared position limit, counted from its initial position. */
const positionLimit: Rule = ({ events, strategy: { limits } }) => {
  if (limits?.position === undefined) return undefined
  const limit = toDecimal(limits.position)
  const boughtBySymbol = new Map<string, Decimal>()
  for (const event of events) {
    if (event.type !== 'fill') continue
    const { symbol, side, qty } = event.fill
    const before = boughtBySymbol.get(symbol) ?? toDecimal(0)
    const bought = side === 'BUY' ? before.plus(qty) : before.minus(qty)
    boughtBySymbol.set(symbol, bought)
    if (bought.gt(limit)) {
      const text = `its net purchases of ${symbol} reached ${bought.toFixed()}, above its declared limit of ${limit.toFixed()}`
      return { kind: 'position', time: event.time, text }
    }
  }
  return undefined
}

interface RefusedOrder {
  readonly time: number
  readonly outcome: RefusedOutcome
  /** Replacement to use. */
  readonly remedy: string
}

/**
 * A strategy whose orders in one market are all refused because they do not fit its tick and lot.
 *
 * Only text with too many digits and quantities below one lot: computed values are rounded before they are sent.
 */
const alwaysRefused: Rule = ({ events, scenario }) => {
  for (const market of scenario.markets) {
    const refused: RefusedOrder[] = []
    let isAccepted = false
    for (const event of events) {
      if (event.type !== 'outcome') continue
      const { time, outcome } = event
      const { intent } = outcome
      if ((intent.type !== 'limit' && intent.type !== 'market') || intent.symbol !== market.symbol) continue
      const remedy = remedyFor(intent, market)
      if (outcome.type !== 'refused' || outcome.refusal.code !== 'VALIDATION_ERROR' || remedy === undefined) {
        isAccepted = true
        break
      }
      refused.push({ time, outcome, remedy })
    }
    const [first] = refused
    if (first === undefined || isAccepted) continue
    const { intent, refusal } = first.outcome
    const text = `${intentText(intent)}: ${refusal.message}; ${first.remedy}`
    return { kind: 'always-refused', time: first.time, text }
  }
  return undefined
}

/** Undefined for an order that fits, or whose values are no numbers above 0. */
function remedyFor(intent: PlaceIntent, { qtyPrecision, pricePrecision }: ScenarioMarket): string | undefined {
  try {
    const qty = toDecimal(intent.qty)
    if (!qty.gt(0)) return undefined
    if (qty.lt(toDecimal(`1e-${qtyPrecision}`))) return 'order at least one lot'
    const isOffTick = intent.type === 'limit' && toDecimal(intent.price).decimalPlaces() > pricePrecision
    if (isOffTick) return 'round the price with market(symbol).roundPrice()'
    return qty.decimalPlaces() > qtyPrecision ? 'round the quantity with market(symbol).floorQty()' : undefined
  } catch {
    return undefined
  }
}

/** More than the faults that are planned on purpose can make of an order that is tried again with patience. */
const MAX_SAME_IN_SILENCE = 5

/**
 * A strategy that answers a rejection with the rejected order: nothing has changed, so it is rejected again.
 *
 * Either immediately, in the turn in which the rejection arrives, or repeatedly while the market is silent.
 */
const sameOrder: Rule = (trial) => atOnce(trial) ?? inSilence(trial)

const orderKey = (intent: Intent): string | undefined =>
  intent.type === 'limit' || intent.type === 'market' ? intentText(intent) : undefined

function atOnce({ events }: CheckedTrial): FoundFault | undefined {
  for (const event of events) {
    if (event.type !== 'intent' || event.answers === undefined) continue
    const key = orderKey(event.intent)
    if (key === undefined || key !== orderKey(event.answers.intent)) continue
    return faultAt(event.time, `${key} was refused (${event.answers.refusal.code}), and repeated immediately`)
  }
  return undefined
}

function inSilence({ events, scenario }: CheckedTrial): FoundFault | undefined {
  const arrivals = rowTimes(scenario).map((time) => time + scenario.latency.feedMs)
  const repeatsByKey = new Map<string, { reportedAt: number | undefined; count: number }>()
  for (const event of events) {
    const intent = event.type === 'intent' ? event.intent : event.type === 'outcome' ? event.outcome.intent : undefined
    const key = intent && orderKey(intent)
    if (key === undefined) continue
    const repeats = repeatsByKey.get(key) ?? { reportedAt: undefined, count: 0 }
    repeatsByKey.set(key, repeats)
    if (event.type === 'outcome') repeats.reportedAt = event.outcome.type === 'refused' ? event.time : undefined
    else {
      const { reportedAt } = repeats
      const isSilent = reportedAt !== undefined && !arrivals.some((time) => time >= reportedAt && time <= event.time)
      repeats.count = isSilent ? repeats.count + 1 : 0
      repeats.reportedAt = undefined
    }
    if (repeats.count >= MAX_SAME_IN_SILENCE) {
      return faultAt(event.time, `${key} was refused and repeated ${repeats.count} times without a trade in between`)
    }
  }
  return undefined
}

const faultAt = (time: number, text: string): FoundFault => ({ kind: 'same-order', time, text })

/** Rules in the order in which their faults are reported. */
export const RULES: readonly Rule[] = [
  thrown,
  endlessOrders,
  sameOrder,
  unpayable,
  crossesItself,
  positionLimit,
  alwaysRefused,
]
