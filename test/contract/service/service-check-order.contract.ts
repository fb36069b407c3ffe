/**
 * Which of two faults is reported (decision 20): each request breaks two rules, for every pair of rules that can be
 * broken together.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceStage } from './service-stage.ts'

interface Attempt {
  path: string
  /** Empty for one that is guilty of what `guilts` says, and of nothing else. */
  key: string | undefined
  body: string
  contentType: string
}

interface Breach {
  readonly name: string
  readonly status: number
  readonly code: string
  readonly apply: (attempt: Attempt) => void
}

/** What a key is guilty of; the key that is guilty of all that were chosen is looked up at the end. */
const guilts = new WeakMap<Attempt, Set<'rate' | 'scope' | 'verified'>>()
const guilty =
  (guilt: 'rate' | 'scope' | 'verified') =>
  (attempt: Attempt): void => {
    guilts.set(attempt, (guilts.get(attempt) ?? new Set()).add(guilt))
  }

const withBody = (change: Record<string, unknown>) => (attempt: Attempt) => {
  if (!attempt.body.startsWith('{"')) return
  attempt.body = JSON.stringify({ ...(JSON.parse(attempt.body) as object), ...change })
}

/** In the order of decision 20; 415 where the JSON is looked at. */
const BREACHES: readonly Breach[] = [
  { name: 'route', status: 404, code: 'VALIDATION_ERROR', apply: (attempt) => (attempt.path = '/order') },
  { name: 'no key', status: 401, code: 'AUTHENTICATION_REQUIRED', apply: (attempt) => (attempt.key = undefined) },
  { name: 'wrong key', status: 401, code: 'INVALID_API_KEY', apply: (attempt) => (attempt.key = 'wrong') },
  { name: 'rate', status: 429, code: 'RATE_LIMITED', apply: guilty('rate') },
  { name: 'scope', status: 403, code: 'FORBIDDEN', apply: guilty('scope') },
  { name: 'verified', status: 403, code: 'EMAIL_NOT_VERIFIED', apply: guilty('verified') },
  {
    name: 'content-type',
    status: 415,
    code: 'VALIDATION_ERROR',
    apply: (attempt) => (attempt.contentType = 'text/plain'),
  },
  {
    name: 'JSON',
    status: 400,
    code: 'MALFORMED_JSON',
    apply: (attempt) => {
      attempt.body = attempt.body.replace('{', '{,')
    },
  },
  { name: 'shape', status: 400, code: 'VALIDATION_ERROR', apply: withBody({ side: 'HOLD' }) },
  { name: 'market', status: 404, code: 'MARKET_NOT_FOUND', apply: withBody({ symbol: 'XRP_USD' }) },
  { name: 'precision', status: 400, code: 'VALIDATION_ERROR', apply: withBody({ price: '1.0001' }) },
  { name: 'engine', status: 422, code: 'INSUFFICIENT_BALANCE', apply: withBody({ qty: '1000000' }) },
]

const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }
const FIELD: Readonly<Record<string, string>> = { shape: 'side', precision: 'price' }

/** Pairs that can be broken by one request, the one that is reported first. */
const PAIRS = BREACHES.flatMap((first, index) =>
  BREACHES.slice(index + 1).map((second) => [first, second] as const),
).filter(([{ name: first }, { name: second }]) => {
  const noCaller = ['no key', 'wrong key']
  if (noCaller.includes(first) && noCaller.includes(second)) return false
  return !(noCaller.includes(first) && ['rate', 'scope', 'verified'].includes(second))
})

export function describeCheckOrder(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  const keysByGuilt = new Map<string, string>()

  beforeAll(async () => {
    service = await open()
    for (const scopes of [['ORDER_CREATE'], ['ORDER_READ']] as const) {
      for (const isVerified of [true, false]) {
        const guilt = [...(scopes[0] === 'ORDER_READ' ? ['scope'] : []), ...(isVerified ? [] : ['verified'])]
        const user = await service.user({ scopes, isVerified, credits: { USD: '10' } })
        const exhausted = await service.user({ scopes, isVerified, credits: { USD: '10' } })
        for (let done = 0; done < 31; done += 1) await exhausted.post(ORDER)
        keysByGuilt.set(guilt.join(), user.key)
        keysByGuilt.set(['rate', ...guilt].join(), exhausted.key)
      }
    }
  })
  afterAll(() => service.close())

  const attempted = async (breaches: readonly Breach[]): Promise<[number, string | undefined, ...unknown[]]> => {
    const attempt: Attempt = { path: '/orders', key: '', body: JSON.stringify(ORDER), contentType: 'application/json' }
    // What is broken of the text comes last, or it could not be broken otherwise.
    const last = ({ name }: Breach): number => (name === 'JSON' ? 1 : 0)
    for (const breach of [...breaches].sort((left, right) => last(left) - last(right))) breach.apply(attempt)
    const guilt = ['rate', 'scope', 'verified'].filter((each) => guilts.get(attempt)?.has(each as 'rate') === true)
    const { path, body, contentType } = attempt
    const key = attempt.key === '' ? await keyOf(guilt) : attempt.key
    const { status, code, fields } = await service.ask('POST', path, {
      key,
      body,
      headers: { 'content-type': contentType },
    })
    return [status, code, ...fields]
  }

  const keyOf = async (guilt: readonly string[]): Promise<string | undefined> => {
    if (guilt.length > 0) return keysByGuilt.get(guilt.join())
    return (await service.user({ credits: { USD: '10' } })).key
  }

  const expected = ({ name, status, code }: Breach): unknown[] => {
    const field = FIELD[name]
    return [status, code, ...(field === undefined ? [] : [field])]
  }

  describe('decision 20: one rule broken', () => {
    it('none', async () => {
      expect(await attempted([])).toEqual([201, undefined])
    })
    it.each(BREACHES.map((breach) => [breach.name, breach] as const))('%s', async (_name, breach) => {
      expect(await attempted([breach])).toEqual(expected(breach))
    })
  })

  describe('decision 20: two rules broken, the first is reported', () => {
    it.each(PAIRS.map(([first, second]) => [first.name, second.name, first, second] as const))(
      '%s before %s',
      async (_first, _second, first, second) => {
        expect(await attempted([second, first])).toEqual(expected(first))
      },
    )
  })

  describe('decision 20: shape before market, for queries', () => {
    it.each([
      ['/markets/XRP_USD/trades?limit=0', 'limit'],
      ['/markets/XRP_USD/candles?interval=2m', 'interval'],
      ['/markets/XRP_USD/candles?limit=0', 'limit'],
      ['/markets/XRP_USD/ticker?x=1', 'x'],
      ['/orders?symbol=XRP_USD&limit=0', 'limit'],
      ['/orders?symbol=XRP_USD&status=NEW', 'status'],
      ['/balances?asset=XRP&x=1', 'x'],
    ])('%s names %s', async (path, field) => {
      const { key } = await service.user()
      const { status, code, fields } = await service.ask('GET', path, { key })
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [field]])
    })
  })
}
