import { describe, expect, it } from 'vitest'
import { agentTermsOf } from '../../../src/simulation/agents/agent-terms.ts'
import { market } from '../../exchange/rig/configs.ts'

describe('what agents begin with', () => {
  it.each`
    symbol       | pricePrecision | qtyPrecision | firstPrice   | unitQty   | why
    ${'BTC_USD'} | ${2}           | ${5}         | ${4_200_000} | ${100}    | ${'42 000.00, and 0.00100 for 42'}
    ${'ETH_USD'} | ${2}           | ${5}         | ${230_000}   | ${1826}   | ${'2 300.00, and 0.01826'}
    ${'FOO_BAR'} | ${2}           | ${5}         | ${10_000}    | ${42_000} | ${'100.00 for a market nobody has heard of'}
    ${'BTC_USD'} | ${0}           | ${0}         | ${42_000}    | ${1}      | ${'less than a lot is a lot'}
    ${'BTC_USD'} | ${12}          | ${12}        | ${1e12}      | ${1e9}    | ${'room below 2^53'}
  `(
    '$symbol with $pricePrecision and $qtyPrecision digits: $firstPrice ticks, $unitQty lots; $why',
    ({ symbol, pricePrecision, qtyPrecision, firstPrice, unitQty }) => {
      const terms = agentTermsOf(market(symbol, { pricePrecision, qtyPrecision }))
      expect(terms).toEqual({ firstPrice, unitQty, pace: 1 })
    },
  )
})
