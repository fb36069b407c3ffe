/** Counters of a running service for monitoring: orders, cancels, refusals. A new process starts at zero. */
import type { Command } from '../../domain/command.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'

export type Bucket = 'general' | 'mutations'

export class ServiceCounts {
  /** Orders of callers by outcome: `accepted`, or the code with which they were refused. */
  readonly orders = new Map<string, number>()
  /** Cancels of callers by outcome: `cancelled`, or the code with which they were refused. */
  readonly cancels = new Map<string, number>()
  /** Requests refused with RATE_LIMITED, by the bucket that was empty. */
  readonly budgetRefusals = new Map<Bucket, number>([
    ['general', 0],
    ['mutations', 0],
  ])

  executed({ type }: Command, [first]: readonly ExchangeEvent[]): void {
    if (type === 'place') add(this.orders, first?.type === 'order-refused' ? first.refusal.code : 'accepted')
    else if (type === 'cancel') add(this.cancels, first?.type === 'cancel-refused' ? first.refusal.code : 'cancelled')
  }

  refused(bucket: Bucket): void {
    add(this.budgetRefusals, bucket)
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
