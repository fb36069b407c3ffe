/**
 * A run as its twin is compared with it: every order that its strategy placed, with its fills.
 *
 * Invariant: each fill of the journal is in one order, or among the loose ones.
 */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import type { Side } from '../../domain/order.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { placementText } from '../run-difference/request-text.ts'

export interface TwinFill {
  readonly tradeId: string
  readonly symbol: string
  readonly side: Side
  /** Unix milliseconds at which the strategy received it. */
  readonly t: number
  /** The same of the trade, by the clock of the exchange. */
  readonly at: number
  readonly price: Decimal
  readonly qty: Decimal
  /** Fee in the quote asset of the market. */
  readonly fee: Decimal
  readonly isMaker: boolean
}

export interface TwinOrder {
  readonly ref: number
  /** Unix milliseconds of the decision. */
  readonly t: number
  readonly symbol: string
  readonly side: string
  readonly isLimit: boolean
  /** The request without ids, times and tags; equal for equal requests. */
  readonly words: string
  /** Undefined for an order that was never known at the exchange. */
  orderId: string | undefined
  /** Unix milliseconds of the answer. */
  answeredAt: number | undefined
  /** Why nothing was placed, in words; undefined for an order that was. */
  refusal: string | undefined
  /** Whether the session itself cancelled it: to get flat, or at its end. */
  stoppedBy: string | undefined
  readonly fills: TwinFill[]
}

export interface TwinTrace {
  /** Undefined for a journal without a first line. */
  readonly head: LineOf<'run'> | undefined
  /** Decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
  readonly orders: readonly TwinOrder[]
  /** Fills of orders that the strategy did not place in this run. */
  readonly loose: readonly TwinFill[]
  /** Unix milliseconds of the last line. */
  readonly endedAt: number
  /** Parts that an earlier session left, each in a few words. */
  readonly continued: readonly string[]
}

export function twinTraceOf(lines: Iterable<JournalLine>): TwinTrace {
  const builder = new TraceBuilder()
  for (const line of lines) builder.add(line)
  return builder.trace()
}

class TraceBuilder {
  #head: LineOf<'run'> | undefined
  #endedAt = 0
  readonly #credits: Record<string, string> = {}
  readonly #orders: TwinOrder[] = []
  readonly #byRef = new Map<number, TwinOrder>()
  readonly #byOrderId = new Map<string, TwinOrder>()
  readonly #fillsByOrderId = new Map<string, TwinFill[]>()
  readonly #continued = new Set<string>()
  #hasState = false

  add(line: JournalLine): void {
    this.#endedAt = line.t
    if (line.type === 'run') this.#head = line
    else if (line.type === 'credit') this.#credits[line.asset] = line.amount
    else if (line.type === 'place') this.#place(line)
    else if (line.type === 'acknowledged' || line.type === 'adopted') this.#know(line)
    else if (line.type === 'refused') this.#refuse(line, `${line.code}: ${line.message}`)
    else if (line.type === 'withdrawn' || line.type === 'unknown') this.#refuse(line, line.reason)
    else if (line.type === 'cancel' && line.by !== undefined) this.#stop(line.orderId, line.by)
    else if (line.type === 'fill') this.#fill(line)
    else this.#note(line)
  }

  trace(): TwinTrace {
    const loose = [...this.#fillsByOrderId.values()].flat()
    return {
      head: this.#head,
      credits: this.#credits,
      orders: this.#orders,
      loose,
      endedAt: this.#endedAt,
      continued: [...this.#continued],
    }
  }

  #place(line: LineOf<'place'>): void {
    const { t, ref, request } = line
    const { symbol, side, type } = request
    const unanswered = { orderId: undefined, answeredAt: undefined, refusal: undefined, stoppedBy: undefined }
    const words = placementText(request)
    const order = { ref, t, symbol, side, isLimit: type === 'LIMIT', words, ...unanswered, fills: [] }
    this.#orders.push(order)
    this.#byRef.set(ref, order)
  }

  /** Fills may have come before the answer. */
  #know({ t, ref, order: { id } }: LineOf<'acknowledged'> | LineOf<'adopted'>): void {
    const order = this.#byRef.get(ref)
    if (order === undefined) return
    order.orderId = id
    order.answeredAt ??= t
    order.refusal = undefined
    this.#byOrderId.set(id, order)
    order.fills.push(...(this.#fillsByOrderId.get(id) ?? []))
    this.#fillsByOrderId.delete(id)
  }

  #refuse({ t, ref }: Pick<LineOf<'refused'>, 't' | 'ref'>, why: string): void {
    const order = this.#byRef.get(ref)
    if (order === undefined) return
    order.answeredAt ??= t
    order.refusal = why
  }

  #stop(orderId: string, by: string): void {
    const order = this.#byOrderId.get(orderId)
    if (order !== undefined) order.stoppedBy = by
  }

  #fill({ t, fill }: LineOf<'fill'>): void {
    const { tradeId, orderId, symbol, side, price, qty, fee = '0', isMaker, createdAt } = fill
    const amounts = { price: toDecimal(price), qty: toDecimal(qty), fee: toDecimal(fee) }
    const read: TwinFill = { tradeId, symbol, side, t, at: createdAt, ...amounts, isMaker }
    const order = this.#byOrderId.get(orderId)
    if (order !== undefined) order.fills.push(read)
    else this.#fillsByOrderId.set(orderId, [...(this.#fillsByOrderId.get(orderId) ?? []), read])
    if (fill.isRecovered === true) this.#continued.add('fills from before its start')
  }

  #note(line: JournalLine): void {
    if (line.type === 'taken-over') this.#continued.add('orders of an earlier session')
    else if (line.type === 'taken-up' || (line.type === 'wait' && line.isKept === true))
      this.#continued.add('conditional orders of an earlier session')
    else if (line.type === 'strategy-state') {
      // A strategy that an operator starts again continues its own.
      if (line.isContinued === true && !this.#hasState)
        this.#continued.add('the state that an earlier session of the strategy left')
      this.#hasState = true
    } else if (line.type === 'transfer') this.#continued.add('capital that moved between strategies')
  }
}
