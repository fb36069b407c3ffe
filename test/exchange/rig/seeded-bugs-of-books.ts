/**
 * Bugs of priority, of matching, and of the records that hold a book.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_BOOKS: readonly SeededBug[] = [
  {
    name: 'a new order goes ahead of its queue',
    file: 'book/book-side.ts',
    find: `    const last = this.#last[level] ?? NONE
    this.#last[level] = slot
    this.#slots.setNext(slot, NONE)
    this.#slots.setPrevious(slot, last)
    this.#slots.setNext(last, slot)`,
    replace: `    const first = this.#first[level] ?? NONE
    this.#first[level] = slot
    this.#slots.setPrevious(slot, NONE)
    this.#slots.setNext(slot, first)
    this.#slots.setPrevious(first, slot)`,
  },
  {
    name: 'the better of two levels is not taken for the best',
    file: 'book/book-side.ts',
    find: 'if (key > this.#bestKey) this.#setBest(tick, key)',
    replace: 'if (this.#best === NONE) this.#setBest(tick, key)',
  },
  {
    name: 'an order in the middle of its queue takes the one behind it along when it is cancelled',
    file: 'book/book-side.ts',
    find: '      slots.setNext(previous, next)\n      slots.setPrevious(next, previous)',
    replace: '      slots.setNext(previous, slots.next(next))\n      slots.setPrevious(next, previous)',
  },
  {
    name: 'the last order of a queue is forgotten to be the last when it is cancelled',
    file: 'book/book-side.ts',
    find: '      this.#last[level] = previous\n',
    replace: '',
  },
  {
    name: 'a level below the window is not the best when it is the only one left',
    file: 'book/book-side.ts',
    find: 'const next = level < WINDOW ? this.worse(level) : this.#far.best',
    replace: 'const next = level < WINDOW ? this.worse(level) : NONE',
  },
  {
    name: 'the levels below a moved window stay outside of it',
    file: 'book/book-side.ts',
    find: '    while (this.#far.bestKey >= base) this.#moveIn(this.#far.best, this.#far.bestKey)\n',
    replace: '',
  },
  {
    name: 'a level that leaves the window loses all but its first order',
    file: 'book/book-side.ts',
    find: '    this.#last[to] = this.#last[from] ?? NONE',
    replace: '    this.#last[to] = this.#first[from] ?? NONE',
  },
  {
    name: 'the columns of far levels are not copied when they grow',
    file: 'book/book-side.ts',
    find: '  wider.set(column)\n',
    replace: '  wider.set(column.subarray(0, WINDOW))\n',
  },
  {
    name: 'a far level is inserted on the wrong side of its neighbour',
    file: 'book/far-levels.ts',
    find: 'if ((this.#keys[middle] ?? key) < key) low = middle + 1',
    replace: 'if ((this.#keys[middle] ?? key) <= key - 2) low = middle + 1',
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
