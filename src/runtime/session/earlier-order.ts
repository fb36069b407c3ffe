/** Orders of earlier sessions, as they were before their changes were reported. */
import type { EarlierUpdate } from '../../adapter/exchange-adapter.ts'

/** State in which an order was before the changes; undefined if only its correction is among them. */
export function firstStateOf(id: string, updates: readonly EarlierUpdate[]): EarlierOrder | undefined {
  const first = updates.find((each) => each.type === 'order' && each.order.id === id)
  return first?.type === 'order' && first.correctedFee === undefined ? first.order : undefined
}

type EarlierOrder = Extract<EarlierUpdate, { type: 'order' }>['order']
