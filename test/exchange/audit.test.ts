/**
 * The audit of an exchange names each asset of which more or less is locked than its orders reserve.
 */
import { expect, it } from 'vitest'
import { auditExchange, faultOfAudit } from '../../src/exchange/audit-exchange.ts'
import { ExchangeState } from '../../src/exchange/exchange-state.ts'
import { Amount } from '../../src/exchange/ledger/amount.ts'
import { oneMarket } from './rig/configs.ts'

it.each([0, 1])('what is locked and no order reserves, of asset %i', (asset) => {
  const state = new ExchangeState(oneMarket())
  const { row } = state.open('alice')
  const ten = new Amount().set(10n)
  for (const each of state.ledger.assets.keys()) state.ledger.credit(row, each, ten)
  expect(faultOfAudit(auditExchange(state))).toBeUndefined()
  state.ledger.lock(row, asset, new Amount().set(3n))
  const lines = auditExchange(state)
  expect(lines.map(({ misreserved }) => misreserved)).toEqual([0, 1].map((each) => (each === asset ? 3n : 0n)))
  const name = state.ledger.assets[asset] ?? ''
  expect(faultOfAudit(lines)).toBe(`what is locked of ${name} is not what its orders reserve`)
})
