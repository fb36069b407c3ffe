import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../src/domain/decimal.ts'
import { divideUp, formatUnits } from '../../src/domain/fixed-point.ts'
import { FEE_RATE_ONE, parseFeeRate } from '../../src/domain/market.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import { MarketView } from '../../src/strategy/market-view.ts'
import { market, oneMarket } from '../exchange/rig/configs.ts'

const viewOf = (pricePrecision: number, qtyPrecision: number, makerFeeBps = '0', takerFeeBps = '0'): MarketView =>
  new MarketView(market('BTC_USD', { pricePrecision, qtyPrecision }), { makerFeeBps, takerFeeBps })

describe('a market view', () => {
  it('is the market, with its steps', () => {
    const view = viewOf(2, 8)
    expect(view).toMatchObject({ symbol: 'BTC_USD', baseAsset: 'BTC', quoteAsset: 'USD', pricePrecision: 2 })
    expect([view.tickSize.toFixed(), view.lotSize.toFixed()]).toEqual(['0.01', '0.00000001'])
    expect(viewOf(0, 12).lotSize.toFixed()).toBe('0.000000000001')
  })
})

describe('rounding on purpose', () => {
  it.each`
    call            | value                     | rounded                | why
    ${'floorQty'}   | ${'1.2399'}               | ${'1.23'}              | ${'down'}
    ${'floorQty'}   | ${'1.23'}                 | ${'1.23'}              | ${'what fits stays'}
    ${'floorQty'}   | ${'0.0099'}               | ${'0'}                 | ${'to nothing'}
    ${'floorQty'}   | ${0.1 + 0.2}              | ${'0.3'}               | ${'a number by its shortest digits'}
    ${'floorQty'}   | ${'90071992547409.93777'} | ${'90071992547409.93'} | ${'beyond a double'}
    ${'floorPrice'} | ${'100.19'}               | ${'100.1'}             | ${'down'}
    ${'floorPrice'} | ${'-0.05'}                | ${'-0.1'}              | ${'away from zero below it'}
    ${'ceilPrice'}  | ${'100.11'}               | ${'100.2'}             | ${'up'}
    ${'ceilPrice'}  | ${'100.1'}                | ${'100.1'}             | ${'what fits stays'}
    ${'roundPrice'} | ${'100.149'}              | ${'100.1'}             | ${'to the nearer'}
    ${'roundPrice'} | ${'100.151'}              | ${'100.2'}             | ${'to the nearer'}
    ${'roundPrice'} | ${'100.15'}               | ${'100.2'}             | ${'half to the even one'}
    ${'roundPrice'} | ${'100.25'}               | ${'100.2'}             | ${'half to the even one'}
  `('$call($value) is $rounded: $why', ({ call, value, rounded }) => {
    const view = viewOf(1, 2)
    const { floorQty, floorPrice, ceilPrice, roundPrice } = view
    const rounding = new Map(Object.entries({ floorQty, floorPrice, ceilPrice, roundPrice })).get(String(call))
    expect(rounding?.(value).toFixed()).toBe(rounded)
  })
})

describe('the quantity that is worth an amount', () => {
  it.each`
    value                          | price      | qty                         | why
    ${'1000'}                      | ${'100'}   | ${'10'}                     | ${'exactly'}
    ${'999.99'}                    | ${'100'}   | ${'9.999'}                  | ${'a lot less'}
    ${'1'}                         | ${'3'}     | ${'0.333'}                  | ${'without end'}
    ${'0.01'}                      | ${'100'}   | ${'0'}                      | ${'less than a lot'}
    ${'0'}                         | ${'100'}   | ${'0'}                      | ${'nothing'}
    ${'-5'}                        | ${'100'}   | ${'0'}                      | ${'less than nothing'}
    ${`1${'0'.repeat(30)}.000001`} | ${'0.001'} | ${`1${'0'.repeat(33)}.001`} | ${'of many digits'}
  `('of $value at $price is $qty: $why', ({ value, price, qty }) => {
    const view = viewOf(2, 3, '10', '20')
    expect(view.qtyWorth(value, price).toFixed()).toBe(qty)
    expect(view.qtyWorth(toDecimal(value), toDecimal(price)).toFixed()).toBe(qty)
  })
})

describe('the affordable quantity', () => {
  it.each`
    funds        | price      | maker   | taker   | qty        | why
    ${'1000'}    | ${'100'}   | ${'0'}  | ${'0'}  | ${'10'}    | ${'to the last cent'}
    ${'999.99'}  | ${'100'}   | ${'0'}  | ${'0'}  | ${'9.999'} | ${'a lot less'}
    ${'1000'}    | ${'100'}   | ${'0'}  | ${'10'} | ${'9.99'}  | ${'the taker fee beside'}
    ${'1000'}    | ${'100'}   | ${'10'} | ${'0'}  | ${'9.99'}  | ${'the maker fee beside, when it is the higher'}
    ${'0'}       | ${'100'}   | ${'0'}  | ${'0'}  | ${'0'}     | ${'no funds'}
    ${'-5'}      | ${'100'}   | ${'0'}  | ${'0'}  | ${'0'}     | ${'less than none'}
    ${'1000'}    | ${'0'}     | ${'0'}  | ${'0'}  | ${'0'}     | ${'no price'}
    ${'0.01'}    | ${'100'}   | ${'0'}  | ${'0'}  | ${'0'}     | ${'less than a lot costs'}
    ${'1000.99'} | ${'100.1'} | ${'0'}  | ${'0'}  | ${'9.999'} | ${'a price with a fraction'}
  `('of $funds at $price is $qty: $why', ({ funds, price, maker, taker, qty }) => {
    expect(viewOf(2, 3, maker, taker).affordableQty(funds, price).toFixed()).toBe(qty)
  })

  it('is by the fees of its time', () => {
    const fees = { makerFeeBps: '0', takerFeeBps: '0' }
    const view = new MarketView(market('BTC_USD', { pricePrecision: 2, qtyPrecision: 3 }), fees)
    const affordable = (): string => view.affordableQty('1000', '100').toFixed()
    expect(affordable()).toBe('10')
    fees.takerFeeBps = '10'
    expect(affordable()).toBe('9.99')
    fees.makerFeeBps = '2500'
    expect(affordable()).toBe('8')
  })

  const rate = fc.constantFrom('0', '0.0001', '7.0001', '10', '33.3333', '9999.9999', '10000')

  it('costs no more than the funds, fee included, and one lot more would', () => {
    const reached = { 'fee is rounded': 0, 'less than the quotient': 0, 'to the last unit': 0, nothing: 0 }
    fc.assert(
      fc.property(
        fc.record({
          pricePrecision: fc.nat(12),
          qtyPrecision: fc.nat(12),
          fees: fc.tuple(rate, rate),
          price: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
          lots: fc.oneof(fc.nat(9), fc.maxSafeNat()),
          // Tenths of the ledger's last digit: what is left of a share of a balance.
          extra: fc.constantFrom(0n, 0n, 10n, -10n, 70n, 1n, -1n, 5n),
        }),
        ({ pricePrecision, qtyPrecision, fees, price, lots, extra }) => {
          const highest = fees.map((bps) => parseFeeRate('fee', bps)).reduce((a, b) => (a > b ? a : b))
          const cost = (qty: bigint): bigint => {
            const notional = BigInt(price) * qty
            return notional + divideUp(notional * highest, FEE_RATE_ONE)
          }
          const exact = 10n * cost(BigInt(lots))
          const tenths = exact + extra < 0n ? 0n : exact + extra
          const view = viewOf(pricePrecision, qtyPrecision, ...fees)
          const funds = formatUnits(tenths, pricePrecision + qtyPrecision + 1)
          const qty = view.affordableQty(funds, formatUnits(price, pricePrecision))
          const bought = BigInt(qty.div(view.lotSize).toFixed())
          expect(bought).toBeGreaterThanOrEqual(0n)
          expect(10n * cost(bought)).toBeLessThanOrEqual(tenths)
          expect(10n * cost(bought + 1n)).toBeGreaterThan(tenths)
          const quotient = (tenths * FEE_RATE_ONE) / (10n * BigInt(price) * (FEE_RATE_ONE + highest))
          if (quotient > bought) reached['less than the quotient'] += 1
          if ((BigInt(price) * bought * highest) % FEE_RATE_ONE !== 0n) reached['fee is rounded'] += 1
          if (bought > 0n && 10n * cost(bought) === tenths) reached['to the last unit'] += 1
          if (bought === 0n) reached.nothing += 1
        },
      ),
      { numRuns: 500 },
    )
    for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
  })

  it('is what the exchange accepts as a limit order, and one lot more is INSUFFICIENT_BALANCE', () => {
    fc.assert(
      fc.property(
        fc.tuple(rate, rate),
        fc.integer({ min: 1, max: 999 }),
        fc.integer({ min: 1, max: 100_000 }),
        (fees, price, funds) => {
          const [makerFeeBps, takerFeeBps] = fees
          const exchange = createExchange(oneMarket({ pricePrecision: 1, qtyPrecision: 2, makerFeeBps, takerFeeBps }))
          exchange.execute({ type: 'credit', time: 0, account: 'me', asset: 'USD', amount: BigInt(funds) })
          const view = viewOf(1, 2, makerFeeBps, takerFeeBps)
          const qty = view.affordableQty(formatUnits(funds, 3), formatUnits(price, 1)).div(view.lotSize).toNumber()
          const place = (lots: number): readonly { type: string }[] => {
            const request = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price, qty: lots } as const
            return exchange.execute({ type: 'place', time: 0, account: 'me', request })
          }
          expect(place(qty + 1)).toMatchObject([{ type: 'order-refused', refusal: { code: 'INSUFFICIENT_BALANCE' } }])
          if (qty > 0) expect(place(qty)).toMatchObject([{ type: 'order-accepted' }])
        },
      ),
    )
  })

  it('takes strings, numbers and Decimals alike', () => {
    const view = viewOf(2, 3)
    expect(view.affordableQty(1000, 100).toFixed()).toBe('10')
    expect(view.affordableQty(toDecimal('1000'), toDecimal(100)).toFixed()).toBe('10')
  })
})
