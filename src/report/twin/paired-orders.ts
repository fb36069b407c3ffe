/**
 * Pairs the orders of a session with those of its twin.
 *
 * Both received the same data at the same times, so a decision has the same time in both. First pair equal requests of
 * the same moment, then those of a moment that differ in quantity or price, and last equal ones of about the same
 * moment, whose timers or data differed a little. Equal requests at other times are other decisions.
 */
import { aligned } from '../run-difference/alignment.ts'
import type { TwinOrder } from './twin-trace.ts'

/** An order of the session, of its twin, or of both. */
export interface PairedOrder {
  readonly session: TwinOrder | undefined
  readonly twin: TwinOrder | undefined
}

/** Largest distance of one decision in both, in milliseconds. */
const MAX_APART_MS = 500

type KeyOf = (order: TwinOrder) => string

const KEYS: readonly KeyOf[] = [
  ({ t, words }) => `${t} ${words}`,
  ({ t, symbol, side, isLimit }) => `${t} ${symbol} ${side} ${isLimit}`,
]

/** Keeps the order of both runs. */
export const pairedOrders = (session: readonly TwinOrder[], twin: readonly TwinOrder[]): readonly PairedOrder[] =>
  pairedBy(KEYS, session, twin)

function pairedBy(
  [keyOf, ...others]: readonly KeyOf[],
  session: readonly TwinOrder[],
  twin: readonly TwinOrder[],
): readonly PairedOrder[] {
  if (session.length === 0 || twin.length === 0) return merged(session, twin)
  if (keyOf === undefined) return pairedByWords(session, twin)
  const placesByKey = new Map<string, number[]>()
  twin.forEach((order, index) => {
    const key = keyOf(order)
    const places = placesByKey.get(key)
    if (places === undefined) placesByKey.set(key, [index])
    else places.push(index)
  })
  const pairs: PairedOrder[] = []
  let [fromSession, fromTwin] = [0, 0]
  session.forEach((order, index) => {
    const place = placesByKey.get(keyOf(order))?.find((at) => at >= fromTwin)
    if (place === undefined) return
    pairs.push(...pairedBy(others, session.slice(fromSession, index), twin.slice(fromTwin, place)))
    pairs.push({ session: order, twin: twin[place] })
    ;[fromSession, fromTwin] = [index + 1, place + 1]
  })
  return [...pairs, ...pairedBy(others, session.slice(fromSession), twin.slice(fromTwin))]
}

function pairedByWords(session: readonly TwinOrder[], twin: readonly TwinOrder[]): readonly PairedOrder[] {
  const wordsOf = (orders: readonly TwinOrder[]): readonly string[] => orders.map(({ words }) => words)
  return aligned(wordsOf(session), wordsOf(twin)).flatMap(({ isSame, a, b }) => {
    const [ofSession, ofTwin] = [session.slice(a.from, a.to), twin.slice(b.from, b.to)]
    if (!isSame) return merged(ofSession, ofTwin)
    return ofSession.flatMap((order, index) => {
      const other = ofTwin[index]
      const isOne = other === undefined || Math.abs(other.t - order.t) <= MAX_APART_MS
      return isOne ? [{ session: order, twin: other }] : merged([order], [other])
    })
  })
}

/** Orders of one run only, by their time. */
function merged(session: readonly TwinOrder[], twin: readonly TwinOrder[]): readonly PairedOrder[] {
  const all = [
    ...session.map((order) => ({ session: order, twin: undefined, t: order.t })),
    ...twin.map((order) => ({ session: undefined, twin: order, t: order.t })),
  ]
  return all.sort((one, other) => one.t - other.t).map(({ session: a, twin: b }) => ({ session: a, twin: b }))
}
