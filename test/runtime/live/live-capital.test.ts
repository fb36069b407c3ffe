import { describe, expect, it } from 'vitest'
import type { Amounts, BookFacts } from '../../../src/adapter/live/books/strategy-book.ts'
import { Decimal } from '../../../src/domain/decimal.ts'
import {
  planCapital,
  type AccountFacts,
  type AskedCapital,
  type CapitalPlan,
} from '../../../src/runtime/live/live-capital.ts'
import { market } from '../../exchange/rig/configs.ts'

const MARKETS = [market('BTC_USD', { pricePrecision: 2, qtyPrecision: 4 })]

const amounts = (USD: string, BTC = '0'): Amounts => new Map([['USD', new Decimal(USD)], ['BTC', new Decimal(BTC)]]) // prettier-ignore

const asked = (owner: string, capital?: AskedCapital['capital'], quoteAsset = 'USD'): AskedCapital => ({
  owner,
  capital,
  quoteAsset,
})

type BookParts = readonly [capital: BookFacts['capital'], allotted: Amounts, held: Amounts, free?: Amounts]

interface Account {
  readonly available: Amounts
  readonly locked?: Amounts
  readonly ownLocked?: Amounts
  readonly reserve?: Amounts
  readonly books?: Readonly<Record<string, BookParts>>
  readonly positions?: Readonly<Record<string, Amounts>>
}

function factsOf({ available, locked, ownLocked, reserve, books = {}, positions = {} }: Account): AccountFacts {
  const zero = new Decimal(0)
  const balances = [...available].map(([asset, amount]) => {
    return [asset, { available: amount, locked: locked?.get(asset) ?? zero }] as const
  })
  return {
    markets: MARKETS,
    balances: new Map(balances),
    reserve,
    locked: ownLocked ?? new Map(),
    positions: new Map(Object.entries(positions)),
    books: new Map(
      Object.entries(books).map(([owner, [capital, allotted, held, free = held]]) => [
        owner,
        { capital, allotted, held, free },
      ]),
    ),
  }
}

const texts = (of: Amounts | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries([...(of ?? [])].map(([asset, amount]) => [asset, amount.toFixed()]))

const held = ({ books }: CapitalPlan): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...books].map(([owner, book]) => [owner, texts(book.held)]))

describe('the first start', () => {
  it('allots shares of every asset, amounts of the quote asset, and equal parts of the rest', () => {
    const strategies = [asked('a', { share: 0.25 }), asked('b', { amount: '1000' }), asked('c'), asked('d')]
    const plan = planCapital(strategies, factsOf({ available: amounts('10000', '4') }))
    expect(held(plan)).toEqual({
      a: { USD: '2500', BTC: '1' },
      b: { USD: '1000', BTC: '0' },
      c: { USD: '3250', BTC: '1.5' },
      d: { USD: '3250', BTC: '1.5' },
    })
    expect([texts(plan.reserve), plan.created, plan.warnings]).toEqual([
      { USD: '0', BTC: '0' },
      ['a', 'b', 'c', 'd'],
      [],
    ])
  })

  it('allots neither what orders of others lock nor what a strategy without a book has bought, which stays its own', () => {
    const account = {
      available: amounts('900', '4'),
      locked: amounts('100'),
      ownLocked: amounts('30'),
      positions: { a: amounts('0', '1'), gone: amounts('0', '2') },
    }
    const plan = planCapital([asked('a', { share: 0.5 }), asked('b', { share: 0.5 })], factsOf(account))
    expect(held(plan)).toEqual({ a: { USD: '465', BTC: '1.5' }, b: { USD: '465', BTC: '0.5' } })
    expect(texts(plan.reserve)).toEqual({ USD: '70', BTC: '2' })
  })

  it.each`
    capital                | expected                                                                       | why
    ${{ amount: '10001' }} | ${'strategies: the strategies get 10001 USD, but the credit is 10000'}         | ${'more than there is'}
    ${{ share: 1.5 }}      | ${'strategies.0.capital.share: expected a share above 0 and up to 1, got 1.5'} | ${'more than all'}
    ${{}}                  | ${"strategies.0.capital: expected { share: 0.5 } or { amount: '5000' }"}       | ${'neither'}
  `('refuses $why', ({ capital, expected }: { capital: AskedCapital['capital']; expected: string }) => {
    expect(() => planCapital([asked('a', capital)], factsOf({ available: amounts('10000') }))).toThrow(expected)
  })

  it('refuses amounts in different assets', () => {
    const strategies = [asked('a', { amount: '1' }), asked('b', { amount: '1' }, 'BTC')]
    expect(() => planCapital(strategies, factsOf({ available: amounts('10', '10') }))).toThrow(
      'strategies.1.capital.amount: is in BTC, but other amounts are in USD: use shares',
    )
  })
})

const BOOKS = {
  a: [{ share: 0.5 }, amounts('5000', '1'), amounts('6000', '0.5'), amounts('1500', '0.5')],
  b: [{ amount: '3000' }, amounts('3000'), amounts('2900')],
} as const satisfies Account['books']
/** 12,000 USD and 2 BTC. */
const LATER = { available: amounts('12000', '2'), reserve: amounts('3100', '1.5'), books: BOOKS }

describe('a later start', () => {
  it('changes nothing if the list is the same', () => {
    const plan = planCapital([asked('a', { share: 0.5 }), asked('b', { amount: '3000' })], factsOf(LATER))
    expect([plan.books.size, texts(plan.reserve), plan.warnings]).toEqual([0, { USD: '3100', BTC: '1.5' }, []])
  })

  it('scales what a share gave, and moves the difference of the amounts', () => {
    const plan = planCapital([asked('a', { share: 0.4 }), asked('b', { amount: '3500.25' })], factsOf(LATER))
    expect(held(plan)).toEqual({ a: { USD: '5000', BTC: '0.3' }, b: { USD: '3400.25', BTC: '0' } })
    expect(texts(plan.reserve)).toEqual({ USD: '3599.75', BTC: '1.7' })
    expect(Object.fromEntries([...plan.moved].map(([owner, moved]) => [owner, texts(moved)]))).toEqual({
      a: { USD: '-1000', BTC: '-0.2' },
      b: { USD: '500.25' },
    })
    expect(texts(plan.books.get('b')?.allotted)).toMatchObject({ USD: '3500.25' })
  })

  it('gives a strategy at once what another gives back', () => {
    const poor = { ...LATER, available: amounts('8900', '2'), reserve: amounts('0', '1.5') }
    const plan = planCapital([asked('b', { amount: '3400' }), asked('a', { share: 0.45 })], factsOf(poor))
    expect(held(plan)).toEqual({ a: { USD: '5500', BTC: '0.4' }, b: { USD: '3300', BTC: '0' } })
  })

  it.each`
    owner  | capital                 | expected
    ${'a'} | ${{ share: 0.1 }}       | ${"strategies.0.capital: 'a' is to give back 0.8 BTC, but only 0.5 of its book is free"}
    ${'b'} | ${{ amount: '6100.5' }} | ${"strategies.0.capital: 'b' is to get 3100.5 USD more, but the reserve has 3100 free"}
  `('refuses $owner $capital, which no one has free', ({ owner, capital, expected }: Refused) => {
    expect(() => planCapital([asked(owner, capital)], factsOf(LATER))).toThrow(expected)
  })

  it('takes back the whole book of a strategy with an amount of 0, with its profit or loss', () => {
    const plan = planCapital([asked('b', { amount: '0' }), asked('a', { share: 0.5 })], factsOf(LATER))
    expect([held(plan), texts(plan.books.get('b')?.allotted), texts(plan.reserve)]).toEqual([
      { b: { USD: '0', BTC: '0' } },
      { USD: '0', BTC: '0' },
      { USD: '6000', BTC: '1.5' },
    ])
  })

  it('gives a new strategy its part from the reserve, and refuses more', () => {
    const [a, b] = [asked('a', { share: 0.5 }), asked('b', { amount: '3000' })]
    const plan = planCapital([a, b, asked('c')], factsOf(LATER))
    expect([held(plan), texts(plan.reserve)]).toEqual([{ c: { USD: '3100', BTC: '1.5' } }, { USD: '0', BTC: '0' }])
    expect(() => planCapital([a, b, asked('c', { amount: '3101' })], factsOf(LATER))).toThrow(
      'the strategies get 3101 USD, but the account has 3100 that no strategy has',
    )
  })

  it('keeps the book of a strategy that is not in the list, and of one that no longer states its capital', () => {
    const plan = planCapital([asked('a')], factsOf(LATER))
    expect(held(plan)).toEqual({ a: { USD: '6000', BTC: '0.5' } })
    expect(plan.books.get('a')?.capital).toBeUndefined()
    expect(plan.warnings).toEqual(["'b' is not in the list of strategies and keeps its book: 2900 USD"])
    expect(texts(plan.reserve)).toEqual({ USD: '3100', BTC: '1.5' })
  })

  it('says what else moved the account, which the reserve takes', () => {
    const same = [asked('a', { share: 0.5 }), asked('b', { amount: '3000' })]
    const more = planCapital(same, factsOf({ ...LATER, available: amounts('12100.5', '2') }))
    expect(more.warnings).toEqual([
      'the account has 100.5 USD more than the books of its strategies and the reserve: the reserve is now 3200.5 USD',
    ])
    const less = planCapital(same, factsOf({ ...LATER, available: amounts('8000', '2') }))
    expect(less.warnings).toEqual([
      'the account has 4000 USD less than the books of its strategies and the reserve: the reserve is now -900 USD; the books have 900 USD that the account lacks',
    ])
  })
})

interface Refused {
  readonly owner: string
  readonly capital: AskedCapital['capital']
  readonly expected: string
}
