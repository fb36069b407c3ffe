/**
 * Rate limits: section 8, decisions 20 (rate), 21, 22, 23.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from './service-answer.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
const GENERAL_POLICY = '"general";q=600;w=60'
const BOTH_POLICIES = '"general";q=600;w=60, "mutations";q=30;w=60'

/** @param open  a service with the limits of the specification */
export function describeLimits(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '100000' } })
  })
  afterEach(() => service.close())

  const left = ({ headers }: Answer): [policy: unknown, limit: unknown] => [
    headers['ratelimit-policy'],
    headers.ratelimit,
  ]
  const reported = ({ status, code, headers }: Answer): unknown[] => [
    status,
    code,
    headers.ratelimit,
    headers['retry-after'],
  ]
  const repeat = async (times: number, ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    let last: Answer | undefined
    for (let done = 0; done < times; done += 1) last = await ask()
    return last
  }

  describe('decision 23: headers', () => {
    it('a read reports the general bucket, a mutation both; neither has Retry-After', async () => {
      expect(left(await alice.get('/balances'))).toEqual([GENERAL_POLICY, '"general";r=599;t=60'])
      const created = await alice.post(ORDER)
      expect(left(created)).toEqual([BOTH_POLICIES, '"general";r=598;t=60, "mutations";r=29;t=60'])
      await service.pass(1)
      expect(left(await alice.cancel('1'))).toEqual([BOTH_POLICIES, '"general";r=597;t=60, "mutations";r=28;t=60'])
      await service.pass(17_000)
      const read = await alice.get('/orders')
      expect(left(read)).toEqual([GENERAL_POLICY, '"general";r=596;t=43'])
      expect([created, read].map(({ headers }) => headers['retry-after'])).toEqual([undefined, undefined])
    })

    it('every answer to a keyed request has them, whatever it is', async () => {
      const noScope = await service.user({ scopes: ['ACCOUNT_READ'] })
      const unverified = await service.user({ isVerified: false })
      const general: readonly Answer[] = [
        await alice.get('/orders/4711'),
        await alice.get('/balances?asset=XRP'),
        await alice.get('/trades?limit=0'),
        await alice.get('/markets'),
        await alice.get('/markets/XRP_USD/ticker'),
        await alice.get('/nothing'),
        await alice.ask('PUT', '/orders'),
        await alice.ask('GET', '/markets/%ZZ/ticker'),
      ]
      expect(general.map(({ headers }) => headers.ratelimit)).toEqual(
        general.map((_, index) => `"general";r=${599 - index};t=60`),
      )
      const mutations: readonly Answer[] = [
        await alice.post('{'),
        await alice.post({}),
        await alice.post({ ...ORDER, symbol: 'XRP_USD' }),
        await alice.post({ ...ORDER, qty: '99999999' }),
        await alice.cancel('4711'),
        await alice.ask('POST', '/orders', { body: 'x', headers: { 'content-type': 'text/plain' } }),
        await alice.ask('POST', '/orders', { body: ' '.repeat(20_000) }),
      ]
      expect(mutations.map(left)).toEqual(
        mutations.map((_, index) => [
          BOTH_POLICIES,
          `"general";r=${591 - index};t=60, "mutations";r=${29 - index};t=60`,
        ]),
      )
      expect(left(await noScope.post(ORDER))).toEqual([BOTH_POLICIES, '"general";r=599;t=60, "mutations";r=29;t=60'])
      expect(left(await unverified.post(ORDER))).toEqual([BOTH_POLICIES, '"general";r=599;t=60, "mutations";r=29;t=60'])
    })

    it('an answer without a key that works has none', async () => {
      for (const key of [undefined, 'wrong']) {
        for (const path of ['/markets', '/balances', '/nothing']) {
          expect(left(await service.ask('GET', path, { key }))).toEqual([undefined, undefined])
        }
      }
    })
  })

  describe('section 8: 30 order mutations a minute', () => {
    it('the 31st is 429 RATE_LIMITED, creates nothing, and counts in the general bucket alone', async () => {
      await repeat(30, () => alice.post(ORDER))
      await service.pass(20_000)
      expect(reported(await alice.post(ORDER))).toEqual([
        429,
        'RATE_LIMITED',
        '"general";r=569;t=40, "mutations";r=0;t=40',
        '40',
      ])
      expect(reported(await alice.cancel('1')).slice(0, 3)).toEqual([
        429,
        'RATE_LIMITED',
        '"general";r=568;t=40, "mutations";r=0;t=40',
      ])
      expect((await alice.get('/orders?limit=500')).json).toHaveLength(30)
      expect((await alice.order('1')).status).toBe('OPEN')
    })

    it('what is refused for another reason counts as well', async () => {
      await repeat(15, () => alice.post({}))
      await repeat(15, () => alice.cancel('4711'))
      expect((await alice.post(ORDER)).code).toBe('RATE_LIMITED')
    })

    it('decision 22: the window begins with the first mutation in it, and ends 60 s later, to the millisecond', async () => {
      await alice.get('/balances')
      await service.pass(30_000)
      await repeat(30, () => alice.post(ORDER))
      await service.pass(59_999)
      // The general window is a new one by then.
      expect(reported(await alice.post(ORDER))).toEqual([
        429,
        'RATE_LIMITED',
        '"general";r=599;t=60, "mutations";r=0;t=1',
        '1',
      ])
      await service.pass(1)
      expect(left(await alice.post(ORDER))[1]).toBe('"general";r=598;t=60, "mutations";r=29;t=60')
    })
  })

  describe('section 8: 600 requests a minute', () => {
    it('the 601st is 429 RATE_LIMITED on any route; a refused one counts and does not make the wait longer', async () => {
      await repeat(600, () => alice.get('/markets'))
      await service.pass(10_500)
      expect(reported(await alice.get('/balances'))).toEqual([429, 'RATE_LIMITED', '"general";r=0;t=50', '50'])
      expect(reported(await alice.get('/markets'))).toEqual([429, 'RATE_LIMITED', '"general";r=0;t=50', '50'])
      // A mutation that the general bucket refuses does not enter the other.
      expect(reported(await alice.post(ORDER))).toEqual([
        429,
        'RATE_LIMITED',
        '"general";r=0;t=50, "mutations";r=30;t=60',
        '50',
      ])
      // Decision 20: an unknown route is reported before the rate.
      expect((await alice.get('/nothing')).status).toBe(404)
      await service.pass(49_499)
      expect((await alice.get('/balances')).status).toBe(429)
      await service.pass(1)
      expect(left(await alice.get('/balances'))[1]).toBe('"general";r=599;t=60')
    })

    it('every keyed request counts, known or not, public or not', async () => {
      await repeat(100, () => alice.get('/nothing'))
      await repeat(100, () => alice.ask('PUT', '/orders'))
      await repeat(100, () => alice.get('/markets'))
      await repeat(299, () => alice.get('/orders/1'))
      expect((await alice.get('/balances')).status).toBe(200)
      expect((await alice.get('/balances')).status).toBe(429)
    })

    it('a mutation over both waits for the later of both', async () => {
      await repeat(570, () => alice.get('/markets'))
      await service.pass(30_000)
      await repeat(30, () => alice.post(ORDER))
      expect(reported(await alice.post(ORDER))).toEqual([
        429,
        'RATE_LIMITED',
        '"general";r=0;t=30, "mutations";r=0;t=60',
        '60',
      ])
    })
  })

  describe('section 5, 6; section 8: limits are counted for each key', () => {
    it('another key of the same user has its own', async () => {
      await repeat(31, () => alice.post(ORDER))
      const other = await service.key(alice.id, ['ORDER_CREATE'])
      expect(left(await service.ask('POST', '/orders', { key: other.key, body: ORDER }))).toEqual([
        BOTH_POLICIES,
        '"general";r=599;t=60, "mutations";r=29;t=60',
      ])
    })

    it('requests without a key are not limited', async () => {
      const last = await repeat(700, () => service.ask('GET', '/markets'))
      expect(last?.status).toBe(200)
    })
  })
}
