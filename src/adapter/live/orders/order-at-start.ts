/** The order of an intent of an earlier session, read at a start. */
import type { WireOrder } from '../../../wire/wire-order.ts'
import { isUnreadableOrder, type ServiceCalls } from '../rest/service-calls.ts'
import type { Intent } from './intent.ts'
import { unseen } from './own-orders.ts'

interface StartReads {
  readonly calls: Pick<ServiceCalls, 'order'>
  readonly onWarning: (text: string) => void
}

export async function orderAtStart(intent: Intent, reads: StartReads): Promise<WireOrder> {
  const { id = '' } = { id: intent.orderId }
  const found = await readOrder(id, reads)
  if (found === 'unreadable') return unseen(intent, id)
  if (found !== undefined) return found
  // A missing order is not known to be finished: only an answer or an operator ends it.
  reads.onWarning(
    `the service does not know order ${id} of intent ${intent.id}; it counts as open until you run 'papertape live orders mark-absent ${intent.id}'`,
  )
  return unseen(intent, id)
}

async function readOrder(id: string, { calls, onWarning }: StartReads): Promise<WireOrder | 'unreadable' | undefined> {
  try {
    return await calls.order(id, 'settle')
  } catch (error) {
    if (!isUnreadableOrder(error)) throw error
    onWarning(`${error.message}; it counts as open until it can be read`)
    return 'unreadable'
  }
}
