/**
 * Finds an order in a journal by what a person calls it: its id, or `ref:N`, the number of its request, for one that
 * was refused and has no id.
 */
import { InputError } from '../../domain/errors.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'

export interface OrderKey {
  /** Number of the request that placed it. */
  readonly ref: number
  /** Undefined for an order that the exchange never took. */
  readonly orderId: string | undefined
}

const MAX_NEARBY = 3

const REF = /^ref:([0-9]{1,15})$/

/** Names an order in an error. */
export const orderLabel = (name: string): string => (REF.test(name) ? name : `order '${name}'`)

/** @throws {InputError} for an order that is not there, naming those nearby */
export function findOrder(lines: Iterable<JournalLine>, name: string): OrderKey {
  const [, refText] = REF.exec(name) ?? []
  return refText === undefined ? findById(lines, name) : findByRef(lines, name, Number(refText))
}

function findById(lines: Iterable<JournalLine>, orderId: string): OrderKey {
  const refs = new Set<number>()
  const ids: string[] = []
  for (const line of lines) {
    if (line.type === 'place') refs.add(line.ref)
    if (line.type === 'taken-over' && line.order.id === orderId) {
      throw new InputError(orderLabel(orderId), 'was open before this session started: use the run that placed it')
    }
    // A cancel is acknowledged, too.
    if (!reportsOrder(line) || !refs.delete(line.ref)) continue
    if (line.order.id === orderId) return { ref: line.ref, orderId }
    ids.push(line.order.id)
  }
  const refused = [...refs].map((ref) => `ref:${ref}`)
  const nearby = ids.length > 0 ? nearestTo(orderId, ids) : refused.slice(0, MAX_NEARBY)
  throw missing(orderId, nearby)
}

function findByRef(lines: Iterable<JournalLine>, name: string, wanted: number): OrderKey {
  const refs: string[] = []
  let isPlaced = false
  for (const line of lines) {
    if (line.type === 'cancel' && line.ref === wanted) {
      throw new InputError(name, `is a cancel of order ${line.orderId}: use that order id`)
    }
    if (line.type === 'place') {
      refs.push(`ref:${line.ref}`)
      isPlaced ||= line.ref === wanted
    }
    if (isPlaced && reportsOrder(line) && line.ref === wanted) return { ref: wanted, orderId: line.order.id }
  }
  if (isPlaced) return { ref: wanted, orderId: undefined }
  throw missing(name, nearestTo(String(wanted), refs))
}

/** An acknowledgement, or its replacement after a lost answer. */
const reportsOrder = (line: JournalLine): line is LineOf<'acknowledged'> | LineOf<'adopted'> =>
  line.type === 'acknowledged' || line.type === 'adopted'

function missing(name: string, nearby: readonly string[]): InputError {
  const label = orderLabel(name)
  if (nearby.length === 0) return new InputError(label, 'the run has no orders')
  return new InputError(label, `the run has no such order; nearby: ${nearby.join(', ')}`)
}

/** Those whose numbers are nearest, in their order; the first ones when it is no number. */
function nearestTo(name: string, names: readonly string[]): readonly string[] {
  const numberOf = (text: string): number => Number(/[0-9]+$/.exec(text)?.[0] ?? 0)
  const wanted = numberOf(name)
  const distance = (text: string): number => Math.abs(numberOf(text) - wanted)
  const nearest = names.toSorted((a, b) => distance(a) - distance(b)).slice(0, MAX_NEARBY)
  return nearest.toSorted((a, b) => numberOf(a) - numberOf(b))
}
