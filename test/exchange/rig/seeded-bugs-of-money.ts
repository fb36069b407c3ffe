/**
 * Bugs of amounts, reservations and fees.
 */
import type { SeededBug } from './seeded-bug.ts'

export const BUGS_OF_MONEY: readonly SeededBug[] = [
  {
    name: 'a sum of two low limbs is not carried',
    file: 'ledger/amount-cells.ts',
    find: `    if (low >= LIMB) {
      low -= LIMB
      high += 1
    }`,
    replace: `    if (low >= 2 * LIMB) {
      low -= LIMB
      high += 1
    }`,
  },
  {
    name: 'a difference of two low limbs is borrowed twice',
    file: 'ledger/amount-cells.ts',
    find: '      low += LIMB\n      high -= 1',
    replace: '      low += LIMB\n      high -= high > 0 ? 1 : 2',
  },
  {
    name: 'a balance of exactly the need does not cover it',
    file: 'ledger/amount-cells.ts',
    find: '(this.#limbs[2 * cell + 1] ?? 0) >= amount.low',
    replace: '(this.#limbs[2 * cell + 1] ?? 0) > amount.low',
  },
  {
    name: 'a balance that falls below 2^104 is still read as the large one that it was',
    file: 'ledger/amount-cells.ts',
    find: 'this.#limbs[2 * cell] = isLarge ? Number.NaN : highLimb(value)',
    replace: 'this.#limbs[2 * cell] = isLarge || this.#largeByCell.has(cell) ? Number.NaN : highLimb(value)',
  },
  {
    name: 'a product beyond 2^53 is taken from the double',
    file: 'ledger/amount.ts',
    find: '    if (product < LIMB) {',
    replace: '    if (product < LIMB * 4) {',
  },
  {
    name: 'the middle of a wide product is not carried',
    file: 'ledger/amount.ts',
    find: '      middle -= HALF_LIMB\n      high += 1',
    replace: '      middle -= HALF_LIMB',
  },
  {
    name: 'a wide product forgets the digits of its market',
    file: 'ledger/amount.ts',
    find: 'if (units.number === 1 && this.#setWideProduct(a, b)) return this',
    replace: 'if (this.#setWideProduct(a, b)) return this',
  },
  {
    name: 'a cancelled order keeps the reservation of one lot',
    file: 'matching-core.ts',
    find: 'const reserved = this.#reservation(slot, side, remaining)',
    replace: 'const reserved = this.#reservation(slot, side, Math.max(1, remaining - 1))',
  },
  {
    name: 'a limit buy reserves the fee at the taker rate',
    file: 'matching-core.ts',
    find: 'return this.#cost.set(this.feeOf(slot).reservation(cost, this.#rules.highestRate))',
    replace: 'return this.#cost.set(this.feeOf(slot).reservation(cost, this.#rules.takerRate))',
  },
  {
    name: "maker and taker are charged at each other's rate",
    file: 'matching-core.ts',
    find: 'makersFee.charge(cost, makerRate)',
    replace: 'makersFee.charge(cost, takerRate)',
  },
  {
    name: 'the crowd pays a fee when it takes',
    file: 'matching-core.ts',
    find: 'this.takerFee = account === CROWD_ROW ? 0n : this.#takersFee.charge(cost, takerRate)\n    if (makersFee',
    replace: 'this.takerFee = owner === CROWD_ROW ? 0n : this.#takersFee.charge(cost, takerRate)\n    if (makersFee',
  },
  {
    name: 'each fill is rounded up by itself',
    file: 'fees.ts',
    find: 'const increase = feeOf(this.exact) - this.charged',
    replace: 'const increase = feeOf(cost * rate)',
  },
  {
    name: 'the fee of a slot lives on in the next order that takes it',
    file: 'matching-core.ts',
    find: '    if (this.#rules.hasFees) this.#feesBySlot.delete(slot)\n',
    replace: '',
  },
  {
    name: "a taker's fee is forgotten when its rest comes to rest",
    file: 'matching-core.ts',
    find: 'const slot = this.rest(account, side, limit, left, this.#takersFee)',
    replace: 'const slot = this.rest(account, side, limit, left, new OrderFee())',
  },
  {
    name: 'the fee is not in what a market buy needs',
    file: 'admission.ts',
    find: 'return this.#cost.set(costWithFee(cost, this.#rules.takerRate))',
    replace: 'return this.#cost.set(cost)',
  },
]
