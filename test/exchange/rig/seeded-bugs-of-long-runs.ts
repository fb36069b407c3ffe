/**
 * Bugs that need thousands of orders, trades or levels before anyone can see them.
 */
import type { SeededBug } from './seeded-bug.ts'

const BUGS: readonly SeededBug[] = [
  {
    name: 'what is available is rounded down where a market order is walked in doubles',
    file: 'ledger/amount-cells.ts',
    find: 'const ROUNDED_UP = 1.000000000000001',
    replace: 'const ROUNDED_UP = 1',
  },
  {
    name: 'the index of ids forgets some of thousands when it grows',
    file: 'records/id-index.ts',
    find: 'if (entry !== 0) this.#put(',
    // Into the wrong row, where they are not looked for: an entry that is nowhere would be removed for ever.
    replace: 'if (entry !== 0) this.#put(entry > 900 && entry % 50 === 0 ? 1 : ',
  },
  {
    name: 'two chunks of trades are written into the same columns',
    file: 'statistics/trade-log.ts',
    find: '    this.#spare = undefined\n',
    replace: '',
  },
  {
    name: 'a chunk of trades is forgotten while its last one is needed',
    file: 'statistics/trade-log.ts',
    find: 'this.first + CHUNK_TRADES <= number)',
    replace: 'this.first + CHUNK_TRADES <= number + 1)',
  },
  {
    name: 'far levels that are split are not found again',
    file: 'book/far-levels.ts',
    find: '    this.#firstKeys[index + 1] = better.keys[0] ?? 0\n',
    replace: '',
  },
  {
    name: 'one of the far levels that are split is lost',
    file: 'book/far-levels.ts',
    find: '    better.count = CHUNK - FEW\n',
    replace: '    better.count = CHUNK - FEW - 1\n',
  },
  {
    name: 'the list of free slots is cut where it is long',
    file: 'book/order-slots.ts',
    find: '    this.#integers[slot * INTEGERS + NEXT] = this.#firstFree\n',
    replace: '    this.#integers[slot * INTEGERS + NEXT] = slot > 600 ? slot : this.#firstFree\n',
  },
  {
    name: 'the records of thousands of orders are not all copied when they grow',
    file: 'book/order-slots.ts',
    find: '    integers.set(this.#integers)\n',
    replace: '    integers.set(this.#integers.subarray(0, INTEGERS * 600))\n',
  },
]

export const BUGS_OF_LONG_RUNS = BUGS.map((bug) => ({ ...bug, needsLongScript: true }))
