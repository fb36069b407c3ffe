/**
 * The explanation of a bracket or group: entry, stop, target, trigger, cancels and exits, in the order of the journal.
 */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import type { OrderFact } from './order-fact.ts'

export interface GroupExplanation {
  /** `bought 2, sold 1`. */
  readonly traded: string
  readonly facts: readonly OrderFact[]
}

/** @param waitText  of one that waits */
export function groupExplanation(
  lines: Iterable<JournalLine>,
  id: string,
  waitText: (wait: LineOf<'wait'>) => string,
): GroupExplanation {
  const reader = new GroupReader(id, waitText)
  const facts = [...lines].flatMap((line) => {
    const text = reader.read(line)
    return text === undefined ? [] : [{ time: line.t, text }]
  })
  return { traded: reader.traded, facts }
}

class GroupReader {
  readonly #id: string
  readonly #waitText: (wait: LineOf<'wait'>) => string
  /** Its own id, and those of its orders that wait. */
  readonly #ids: Set<string>
  readonly #refs = new Set<number>()
  readonly #orders = new Set<string>()
  #entrySide: string | undefined
  #bought: Decimal = toDecimal(0)
  #sold: Decimal = toDecimal(0)

  constructor(id: string, waitText: (wait: LineOf<'wait'>) => string) {
    this.#id = id
    this.#ids = new Set([id])
    this.#waitText = waitText
  }

  get traded(): string {
    const parts = [
      ...(this.#bought.isZero() ? [] : [`bought ${this.#bought.toFixed()}`]),
      ...(this.#sold.isZero() ? [] : [`sold ${this.#sold.toFixed()}`]),
    ]
    return parts.length === 0 ? 'nothing was filled' : parts.join(', ')
  }

  /** Undefined for a line that is not about it. */
  read(line: JournalLine): string | undefined {
    const { type } = line
    if (type === 'wait') return line.group === this.#id ? this.#waits(line) : undefined
    if (type === 'taken-up') return line.id === this.#id ? this.#takenUp(line) : undefined
    if (type === 'triggered' || type === 'wait-over') return this.#ids.has(line.id) ? endText(line) : undefined
    if (type === 'place') return this.#ids.has(line.by ?? '') ? this.#asks(line) : undefined
    if (type === 'cancel') return this.#cancels(line)
    return type === 'end' ? 'the run ended' : this.#answer(line)
  }

  #waits(line: LineOf<'wait'>): string {
    this.#ids.add(line.id)
    return `waiting as ${line.id}${line.isKept === true ? ' again' : ''}: ${this.#waitText(line)}`
  }

  #takenUp({ orders, open }: LineOf<'taken-up'>): string {
    const ids = orders.flatMap(({ orderId }) => orderId ?? [])
    for (const id of ids) this.#orders.add(id)
    const had = ids.length === 0 ? '' : `, with order ${ids.join(', ')}`
    return `resumed from an earlier session (see its journal): ${open} to be closed${had}`
  }

  #asks({ ref, by = '', request: { side, qty, type, price = '' } }: LineOf<'place'>): string {
    this.#refs.add(ref)
    this.#entrySide ??= side
    const who = by !== this.#id ? by : side === this.#entrySide ? 'entry' : 'target'
    const at = type === 'MARKET' ? 'at market' : `at ${price}`
    return `${who}: order to ${side === 'BUY' ? 'buy' : 'sell'} ${qty} ${at} (ref:${ref})`
  }

  #cancels({ ref, orderId, by }: LineOf<'cancel'>): string | undefined {
    if (!this.#orders.has(orderId)) return undefined
    this.#refs.add(ref)
    return `cancel of order ${orderId} requested${by === undefined ? ' by the strategy' : ''}`
  }

  #answer(line: JournalLine): string | undefined {
    if (line.type === 'fill') return this.#filled(line.fill)
    if (line.type === 'order') return this.#changed(line.order)
    if (!('ref' in line) || !this.#refs.has(line.ref)) return undefined
    if (line.type === 'acknowledged' || line.type === 'adopted') {
      this.#orders.add(line.order.id)
      return `ref:${line.ref} is order ${line.order.id}, ${line.order.status}`
    }
    if (line.type === 'refused') return `ref:${line.ref} is refused: ${line.code} (${line.message})`
    if (line.type === 'withdrawn') return `ref:${line.ref} is withdrawn before it was sent: ${line.reason}`
    if (line.type === 'unknown') return `ref:${line.ref} has no answer: ${line.reason}`
    if (line.type === 'absent') return `ref:${line.ref} is assumed not executed`
    return line.type === 'ambiguous' ? `ref:${line.ref} is ambiguous: ${line.reason}` : undefined
  }

  #filled({ orderId, side, qty, price }: LineOf<'fill'>['fill']): string | undefined {
    if (!this.#orders.has(orderId)) return undefined
    if (side === 'BUY') this.#bought = this.#bought.plus(qty)
    else this.#sold = this.#sold.plus(qty)
    return `${side === 'BUY' ? 'bought' : 'sold'} ${qty} at ${price} (order ${orderId})`
  }

  #changed({ id, status, filledQty, qty }: LineOf<'order'>['order']): string | undefined {
    if (!this.#orders.has(id) || status !== 'CANCELLED') return undefined
    return `order ${id} is cancelled, ${filledQty} of ${qty} filled`
  }
}

const endText = (line: LineOf<'triggered'> | LineOf<'wait-over'>): string =>
  line.type === 'triggered'
    ? `${line.id} is triggered at a price of ${line.price}`
    : `${line.id} has ended: ${line.why}`
