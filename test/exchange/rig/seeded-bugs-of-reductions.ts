/**
 * Bugs of orders that are reduced.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_REDUCTIONS: readonly SeededBug[] = [
  {
    name: 'an order that is reduced goes behind its queue',
    file: 'book/book-side.ts',
    find: '    slots.setRemaining(slot, slots.remaining(slot) - lots)\n    this.#levels.subtract(slots.level(slot), lots)\n',
    replace:
      '    this.remove(slot)\n    slots.setRemaining(slot, slots.remaining(slot) - lots)\n    this.append(slot)\n',
  },
  {
    name: 'what an order is reduced by stays in the lots of its level',
    file: 'book/book-side.ts',
    find: '    this.#levels.subtract(slots.level(slot), lots)\n',
    replace: '',
  },
  {
    name: 'what an order is reduced by leaves the best level',
    file: 'book/book-side.ts',
    find: 'this.#levels.subtract(slots.level(slot), lots)',
    replace: 'this.#levels.subtract(this.#best, lots)',
  },
  {
    name: 'an order is asked to be reduced and is matched in full',
    file: 'market-orders.ts',
    find: '    this.#core.reduce(records.slot(order), records.side(order), qty)\n',
    replace: '',
  },
  {
    name: 'what an order is reduced by counts as filled',
    file: 'accounts/order-records.ts',
    find: '    this.pages.setDouble(record, QTY, this.pages.double(record, QTY) - qty)\n',
    replace: '',
  },
  {
    name: 'an order that is reduced has no longer been filled',
    file: 'accounts/order-records.ts',
    find: 'this.pages.double(record, QTY) - qty)',
    replace: 'this.remaining(record) - qty)',
  },
]
