/**
 * Bugs of recorded rows: what enters the statistics, and what is only listed.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_ROWS: readonly SeededBug[] = [
  {
    name: 'a match that counts nowhere is the last price',
    file: 'market-state.ts',
    find: 'if (matches === undefined) this.#enter(',
    replace: 'this.#enter(',
  },
  {
    name: 'the mark of an order is forgotten by the next one alone',
    file: 'trade-histories.ts',
    find: 'this.#matches = matches',
    replace: 'this.#matches ??= matches',
  },
  {
    name: 'the crowd among itself is listed where only ours shall be',
    file: 'market-state.ts',
    find: "if (matches !== 'ours-listed' || !isOfCrowd) ",
    replace: '',
  },
  {
    name: 'a print that is not believed is a price',
    file: 'market-state.ts',
    find: "    if (part === 'volume') {\n",
    replace: "    if (part === 'volume' && this.statistics.lastPrice > 0) {\n",
  },
  {
    name: 'a print that is believed late is counted twice',
    file: 'market-state.ts',
    find: "    if (part === 'all-but-volume') this.statistics.correctVolume(time, price, -qty)\n",
    replace: '',
  },
  {
    name: 'a restored ticker has lost what is not believed',
    file: 'statistics/market-statistics.ts',
    find: '    correction.time.forEach((time, row) => {\n',
    replace: '    correction.time.slice(1).forEach((time, row) => {\n',
  },
  {
    name: 'a listed print enters the statistics',
    file: 'matching-exchange.ts',
    find: '    return this.#state.market(symbol).list(time, price, qty, isBuyerMaker)\n',
    replace: '    return this.#state.market(symbol).print(time, price, qty, isBuyerMaker)\n',
  },
]
