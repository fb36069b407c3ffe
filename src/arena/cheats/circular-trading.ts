/**
 * Circular trading: two to five accounts pass a quantity on to each other until the first has it back, or until someone
 * else takes it; then there are at least three steps.
 *
 * A step is a prearranged match: both orders are as large, each is filled by the other alone, and the second comes
 * shortly after the first. A maker and a taker who meet by chance have such matches too, but rarely back and forth, and
 * most of the maker's orders meet someone else or no one.
 */
import type { SeasonFill, SeasonOrder, SeasonRecord } from '../season-record.ts'
import {
  ascendingLines,
  buyerOf,
  type Finding,
  fillsOfPlayers,
  linkedGroups,
  ordersOfPlayers,
  registered,
  sellerOf,
} from './finding.ts'

const MAX_ACCOUNTS = 5
const MAX_AGE_MS = 1_500
/** Time from one step of a circle to the next. */
const MAX_STEP_MS = 60_000
/** Largest difference of two quantities that count as one, as a share. */
const TOLERANCE = 0.02
const MIN_CIRCLES = 4
const MIN_OPEN_STEPS = 3
/** Least share of the orders of each account that are part of its circles. */
const MIN_SHARE = 0.1

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE * Math.max(a, b)

export function circularTrading(record: SeasonRecord): readonly Finding[] {
  const steps = prearranged(record)
  const used = new Set<SeasonFill>()
  const circles = steps.flatMap((first, index) => {
    const circle = used.has(first) ? undefined : circleFrom([first], steps, index + 1, used)
    for (const step of circle ?? []) used.add(step)
    return circle === undefined
      ? []
      : [{ fills: circle, accounts: circle.flatMap((step) => [sellerOf(step), buyerOf(step)]) }]
  })
  const orderCounts = new Map(ordersOfPlayers(record).map(([account, { length }]) => [account, length]))
  return linkedGroups(circles).flatMap((ring): Finding[] => {
    const fills = ring.flatMap((circle) => circle.fills)
    const accounts = registered(record, new Set(ring.flatMap((circle) => circle.accounts)))
    const share = (account: string): number =>
      fills.filter((fill) => sellerOf(fill) === account || buyerOf(fill) === account).length /
      (orderCounts.get(account) ?? 1)
    if (ring.length < MIN_CIRCLES || accounts.some((account) => share(account) < MIN_SHARE)) return []
    const sentence =
      `${accounts.join(', ')} passed the same quantity on to each other ${ring.length} times, ` +
      `in ${fills.length} trades that were prearranged`
    return [{ kind: 'circular-trading', accounts, lines: ascendingLines(fills.map(({ line }) => line)), sentence }]
  })
}

function prearranged(record: SeasonRecord): readonly SeasonFill[] {
  const orders = new Map(record.orders.map((order) => [order.orderId, order]))
  const isWhole = (order: SeasonOrder | undefined, qty: number): order is SeasonOrder =>
    order !== undefined && isClose(order.qty, qty)
  return fillsOfPlayers(record).filter(({ maker, taker, qty }) => {
    const [rested, took] = [orders.get(maker.orderId), orders.get(taker.orderId)]
    return isWhole(rested, qty) && isWhole(took, qty) && took.time - rested.time <= MAX_AGE_MS
  })
}

/** The first circle that continues `path`, or else a long enough path, depth first; undefined for none. */
function circleFrom(
  path: readonly SeasonFill[],
  steps: readonly SeasonFill[],
  from: number,
  used: ReadonlySet<SeasonFill>,
): readonly SeasonFill[] | undefined {
  const [first, last] = [path[0], path.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const owner = sellerOf(first)
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index]
    if (step === undefined || step.time - last.time > MAX_STEP_MS) break
    const isNext = sellerOf(step) === buyerOf(last) && step.symbol === first.symbol && isClose(step.qty, first.qty)
    if (!isNext || used.has(step)) continue
    const next = [...path, step]
    if (buyerOf(step) === owner) return next
    const isNew = !path.some((each) => sellerOf(each) === buyerOf(step))
    const circle = isNew && next.length < MAX_ACCOUNTS ? circleFrom(next, steps, index + 1, used) : undefined
    if (circle !== undefined) return circle
  }
  return path.length >= MIN_OPEN_STEPS ? path : undefined
}
