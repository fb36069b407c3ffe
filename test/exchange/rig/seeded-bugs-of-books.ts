/**
 * Bugs of priority, of matching, and of the records that hold a book.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_BOOKS: readonly SeededBug[] = [
  {
    name: 'a new order goes ahead of its queue',
    file: 'book/price-levels.ts',
    find: `    const last = this.#integers[level * INTEGERS + LAST] ?? NONE
    this.#integers[level * INTEGERS + LAST] = slot
    slots.join(slot, level, last)
    slots.setNext(last, slot)`,
    replace: `    const first = this.first(level)
    this.#integers[level * INTEGERS + FIRST] = slot
    slots.join(slot, level, NONE)
    slots.setNext(slot, first)
    slots.setPrevious(first, slot)`,
  },
  {
    name: 'the better of two levels is not taken for the best',
    file: 'book/book-side.ts',
    find: 'if (key > this.#bestKey) {',
    replace: 'if (this.#best === NONE) {',
  },
  {
    name: 'an order in the middle of its queue takes the one behind it along when it is cancelled',
    file: 'book/price-levels.ts',
    find: 'else slots.setNext(previous, next)',
    replace: 'else slots.setNext(previous, next === NONE ? NONE : slots.next(next))',
  },
  {
    name: 'the last order of a queue is forgotten to be the last when it is cancelled',
    file: 'book/price-levels.ts',
    find: `    if (next === NONE) this.#integers[level * INTEGERS + LAST] = previous
    else slots.setPrevious(next, previous)`,
    replace: '    if (next !== NONE) slots.setPrevious(next, previous)',
  },
  {
    name: 'what is filled of a level stays in its lots',
    file: 'book/book-side.ts',
    find: '    this.#levels.subtract(this.#best, lots)\n',
    replace: '    if (slot === NONE) this.#levels.subtract(this.#best, lots)\n',
  },
  {
    name: 'what a level has beyond 2^53 lots is forgotten',
    file: 'book/price-levels.ts',
    find: '    this.#wrap(level, 1)\n',
    replace: '',
  },
  {
    name: 'a level below the window is not the best when it is the only one left',
    file: 'book/book-side.ts',
    find: 'return inside === Number.NEGATIVE_INFINITY ? this.#far.keyBelow(near.base) : inside',
    replace: 'return inside',
  },
  {
    name: 'a level above the window is passed over on the way down',
    file: 'book/book-side.ts',
    find: 'if (far >= near.end) return far',
    replace: 'if (far > near.end) return Math.max(near.keyBelow(near.end), this.#far.keyBelow(near.base))',
  },
  {
    name: 'the levels below a moved window stay outside of it',
    file: 'book/near-levels.ts',
    find: '    for (let key = far.keyBelow(end); key >= base; key = far.keyBelow(end)) this.set(key, far.remove(key))\n',
    replace: '',
  },
  {
    name: 'a level that leaves the window is lost',
    file: 'book/near-levels.ts',
    find: '      far.insert(key, level)\n',
    replace: '',
  },
  {
    name: 'a window that moves takes pages along that it no longer covers',
    file: 'book/near-levels.ts',
    find: 'if (key < base || key >= end) this.#leave(key, far)',
    replace: 'if (key >= end) this.#leave(key, far)',
  },
  {
    name: 'a page is given back with one level still in it',
    file: 'book/near-levels.ts',
    find: '    if (count > 0) return\n',
    replace: '    if (count > 1) return\n',
  },
  {
    name: 'the pages of a window are not copied when they grow',
    file: 'book/near-levels.ts',
    find: '      wider.set(this.#cells)\n',
    replace: '',
  },
  {
    name: 'the ticks of a window that lie before its first are its lowest',
    file: 'book/near-levels.ts',
    find: '    if (isTurned && found === NONE) found = this.#occupied.highestBelow(WINDOW)\n    else if',
    replace: '    if',
  },
  {
    name: 'a far level is inserted on the wrong side of its neighbour',
    file: 'book/far-levels.ts',
    find: 'if ((keys[middle] ?? key) < key) low = middle + 1',
    replace: 'if ((keys[middle] ?? key) <= key - 2) low = middle + 1',
  },
  {
    name: 'the records of levels grow one level too late',
    file: 'book/price-levels.ts',
    find: 'if (this.#used === this.#capacity)',
    replace: 'if (this.#used > this.#capacity)',
  },
  {
    name: 'the worse of two levels in one word of the bitmap is passed over',
    file: 'book/occupied-ticks.ts',
    find: 'const bits = (this.#words[word] ?? 0) & below(tick & 31)',
    replace: 'const bits = (this.#words[word] ?? 0) & below((tick & 31) - 1)',
  },
  {
    name: 'the summary of the bitmap is cleared with one level still in the word',
    file: 'book/occupied-ticks.ts',
    find: '    if (bits === 0) this.#summary[word >> 5]',
    replace: '    if ((bits & (bits - 1)) === 0) this.#summary[word >> 5]',
  },
  {
    name: 'a price limit is not looked at beyond the first level',
    file: 'matching-core.ts',
    find: 'while (left > 0 && makers.best !== NONE && makers.bestKey >= worstKey) {',
    replace: 'while (left > 0 && makers.best !== NONE && (makers.bestKey >= worstKey || left < qty)) {',
  },
  {
    name: 'an order does not meet one at exactly its limit',
    file: 'matching-core.ts',
    find: 'makers.bestKey >= worstKey',
    replace: 'makers.bestKey > worstKey',
  },
  {
    name: 'the rest of a market sell order rests',
    file: 'matching-core.ts',
    find: 'if (left === 0 || limit === NO_LIMIT[side]) return NONE',
    replace: "if (left === 0 || (side === 'BUY' && limit === NO_LIMIT.BUY)) return NONE",
  },
  {
    name: 'a released slot is given out twice',
    file: 'book/order-slots.ts',
    find: '      this.#firstFree = this.next(slot)\n',
    replace: '      if (this.#used !== 3) this.#firstFree = this.next(slot)\n',
  },
  {
    name: 'the records grow one order too late',
    file: 'book/order-slots.ts',
    find: 'if (this.#used === this.#capacity)',
    replace: 'if (this.#used > this.#capacity)',
  },
  {
    name: 'balances are lost when the ledger grows',
    file: 'ledger/amount-cells.ts',
    find: '    grown.set(this.#limbs)\n',
    replace: '    grown.set(this.#limbs.subarray(2))\n',
  },
]
