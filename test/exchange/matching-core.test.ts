/**
 * What the core gives back of a reservation when an order shrinks: exactly what an order of the rest would not have set
 * aside. The exchange lets the crowd alone shrink, for which nothing is set aside; the core does not know who.
 */
import { describe, expect, it } from 'vitest'
import { ledgerScales, type MarketConfig } from '../../src/domain/market.ts'
import type { Side } from '../../src/domain/order.ts'
import { Amount } from '../../src/exchange/ledger/amount.ts'
import { Ledger } from '../../src/exchange/ledger/ledger.ts'
import { MarketRules } from '../../src/exchange/market-rules.ts'
import { MatchingCore } from '../../src/exchange/matching-core.ts'
import { market } from './rig/configs.ts'

const RICH = 10n ** 40n
const HIGHEST = Number.MAX_SAFE_INTEGER

function stage(fees: Partial<MarketConfig>) {
  const config = market('BTC_USD', fees)
  const scales = ledgerScales([config])
  const ledger = new Ledger(scales)
  const rules = new MarketRules(config, scales)
  const core = new MatchingCore(rules, ledger, { onMatch: () => undefined })
  const [owner, other] = [ledger.openAccount(), ledger.openAccount()]
  for (const row of [owner, other]) {
    for (const asset of [rules.base, rules.quote]) ledger.credit(row, asset, new Amount().set(RICH))
  }
  return { ledger, rules, core, owner, other }
}

const FREE = {}
const DEAR = { makerFeeBps: '10', takerFeeBps: '40' }

describe('an order that shrinks', () => {
  it.each`
    side      | price      | qty        | by             | fees    | locked                                      | why
    ${'SELL'} | ${100}     | ${10}      | ${3}           | ${FREE} | ${7n}                                       | ${'lots of the base'}
    ${'SELL'} | ${100}     | ${10}      | ${3}           | ${DEAR} | ${7n}                                       | ${'a fee is not paid in lots'}
    ${'SELL'} | ${1}       | ${HIGHEST} | ${HIGHEST - 1} | ${FREE} | ${1n}                                       | ${'from two limbs to one'}
    ${'BUY'}  | ${100}     | ${10}      | ${3}           | ${FREE} | ${700n}                                     | ${'price times lots of the quote'}
    ${'BUY'}  | ${100}     | ${10}      | ${3}           | ${DEAR} | ${703n}                                     | ${'1004 less 301: the fee of 2.8 is rounded up anew'}
    ${'BUY'}  | ${100}     | ${10}      | ${1}           | ${DEAR} | ${904n}                                     | ${'1004 less 100: a fee of 3.6 is 4 as before'}
    ${'BUY'}  | ${HIGHEST} | ${HIGHEST} | ${1}           | ${FREE} | ${BigInt(HIGHEST) * (BigInt(HIGHEST) - 1n)} | ${'beyond 2^104'}
    ${'BUY'}  | ${HIGHEST} | ${HIGHEST} | ${HIGHEST - 1} | ${FREE} | ${BigInt(HIGHEST)}                          | ${'from beyond 2^104 to one limb'}
    ${'BUY'}  | ${2 ** 27} | ${2 ** 30} | ${1}           | ${FREE} | ${2n ** 57n - 2n ** 27n}                    | ${'a borrow between limbs'}
  `(
    '$side $qty at $price by $by sets aside $locked: $why',
    (row: { side: Side; price: number; qty: number; by: number; fees: Partial<MarketConfig>; locked: bigint }) => {
      const { side, price, qty, by, fees, locked } = row
      const { ledger, rules, core, owner } = stage(fees)
      const asset = side === 'BUY' ? rules.quote : rules.base
      const slot = core.place(owner, side, price, qty)
      core.reduce(slot, side, by)
      expect(ledger.locked(owner, asset)).toBe(locked)
      expect(ledger.available(owner, asset)).toBe(RICH - locked)
      expect(core.reservedFor(slot, side)).toBe(locked)
      core.cancel(slot, side)
      expect(ledger.locked(owner, asset)).toBe(0n)
      expect(ledger.available(owner, asset)).toBe(RICH)
    },
  )

  it('after a fill sets aside what is yet to come of one fee over all', () => {
    const { ledger, rules, core, owner, other } = stage(DEAR)
    const slot = core.place(owner, 'BUY', 100, 10)
    // 0.1 % of 100 as a maker: 0.1, charged 1.
    core.place(other, 'SELL', 100, 1)
    core.reduce(slot, 'BUY', 7)
    // 2 x 100, and ceil(0.1 + 0.8) - 1.
    expect(ledger.locked(owner, rules.quote)).toBe(200n)
    expect(ledger.available(owner, rules.quote)).toBe(RICH - 101n - 200n)
  })
})
