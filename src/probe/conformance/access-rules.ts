/** Rules of authentication and of limits (sections 5, 8 and 9). */
import { readRateHeaders, type ReportedLimit } from '../../adapter/live/rest/rate-headers.ts'
import type { ProbedAnswer } from '../../adapter/live/probe/service-probe.ts'
import { asked, expectError, reported } from './answer-reading.ts'
import { neverShown, ruleThatNeeds, type Rule } from './rule.ts'
import { Broken, requireRule, NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

const openRule = ruleThatNeeds('public')
const keyedRule = ruleThatNeeds('key')

const PROTECTED = ['/orders', '/orders/open', '/orders/1', '/balances', '/portfolio', '/trades']
/** A well-formed key that does not exist. */
const WRONG_KEY = `pt_nobodys_${'0'.repeat(43)}`

async function refusedEverywhere(
  service: WatchedService,
  more: { readonly key?: string; readonly headers?: Readonly<Record<string, string>> },
  code: string,
): Promise<void> {
  for (const path of PROTECTED) expectError(await service.ask({ method: 'GET', path, ...more }), 401, code)
}

const isPublic = ({ request: { method, path, key } }: ProbedAnswer): boolean =>
  method === 'GET' && key === undefined && path.startsWith('/markets')

/** Rate-limit buckets in the headers of an answer. */
export const bucketsOf = ({ headers, answeredAt }: ProbedAnswer): readonly ReportedLimit[] =>
  readRateHeaders(headers, answeredAt).buckets

const successes = async (service: WatchedService): Promise<readonly ProbedAnswer[]> => {
  const first = await service.readNow('/balances')
  const second = await service.readNow('/balances')
  return [first, second].filter(({ status }) => status === 200)
}

/**
 * @throws {Broken} if the remaining requests of the first bucket did not decrease
 * @throws {NotShown} if the headers do not state them
 */
function checkFalls(first: ProbedAnswer, second: ProbedAnswer): void {
  const [[before], [after]] = [bucketsOf(first), bucketsOf(second)]
  if (before?.remaining === undefined || after?.remaining === undefined)
    throw new NotShown('no header has the remaining requests')
  const hasTurned = (after.resetMs ?? 0) > (before.resetMs ?? 0)
  if (hasTurned) throw new NotShown('a new rate-limit window began during the test')
  requireRule(after.remaining < before.remaining, () => `${before.remaining ?? 0} left, then ${after.remaining ?? 0}`)
}

export const ACCESS_RULES: readonly Rule[] = [
  openRule('public-without-key', 5, 'public market data needs no key', async (service) => {
    await service.open('/markets')
    const refused = service.answers.find((answer) => isPublic(answer) && [401, 403].includes(answer.status))
    if (refused !== undefined) throw new Broken(`${asked(refused)} returned ${reported(refused)} without a key`)
  }),
  openRule('key-required', 5, 'a protected endpoint without a key is 401 AUTHENTICATION_REQUIRED', (service) =>
    refusedEverywhere(service, {}, 'AUTHENTICATION_REQUIRED'),
  ),
  openRule('key-wrong', 5, 'an unknown key is 401 INVALID_API_KEY', (service) =>
    refusedEverywhere(service, { key: WRONG_KEY }, 'INVALID_API_KEY'),
  ),
  openRule(
    'no-bearer',
    5,
    'Authorization: Bearer is not used: without x-api-key it is 401 AUTHENTICATION_REQUIRED',
    (service) =>
      refusedEverywhere(service, { headers: { authorization: `Bearer ${WRONG_KEY}` } }, 'AUTHENTICATION_REQUIRED'),
  ),
  keyedRule('key-whole', 5, 'a key without its prefix is 401 INVALID_API_KEY', async (service) => {
    const rest = service.key.slice(service.key.indexOf('_') + 1)
    if (rest === service.key || rest === '') throw new NotShown('the key has no prefix that ends in an underscore')
    expectError(await service.ask({ method: 'GET', path: '/balances', key: rest }), 401, 'INVALID_API_KEY')
  }),
  keyedRule('key-no-prefix', 5, 'a key with a prefix added is 401 INVALID_API_KEY', async (service) => {
    const key = `Bearer ${service.key}`
    expectError(await service.ask({ method: 'GET', path: '/balances', key }), 401, 'INVALID_API_KEY')
  }),
  keyedRule(
    'rate-headers',
    8,
    'successful responses have headers with the policy and the remaining requests',
    async (service) => {
      const [answer] = await successes(service)
      if (answer === undefined) throw new NotShown('no read succeeded')
      const buckets = bucketsOf(answer)
      requireRule(
        buckets.some(({ remaining }) => remaining !== undefined),
        () => `${asked(answer)} has no header with the remaining requests`,
      )
      requireRule(
        buckets.some(({ limit }) => limit !== undefined),
        () => `${asked(answer)} has no header with the policy`,
      )
    },
  ),
  keyedRule('general-counts', 8, 'every request with the key counts against its general bucket', async (service) => {
    const [first, second] = await successes(service)
    if (first === undefined || second === undefined) throw new NotShown('no read succeeded')
    checkFalls(first, second)
  }),
  openRule('version', 9, 'the base URL ends in /v1', ({ probe: { baseUrl } }) => {
    requireRule(baseUrl.endsWith('/v1'), () => `its path is ${new URL(baseUrl).pathname}`)
  }),
  neverShown('scopes', 5, 'a key without the scope is 403 FORBIDDEN', 'the test would need a key without this scope'),
  neverShown(
    'verified',
    5,
    'an account that is not verified is 403 EMAIL_NOT_VERIFIED',
    'the test would need such an account',
  ),
  neverShown(
    'rate-limited',
    8,
    'exceeding a bucket is 429 RATE_LIMITED',
    'the test does not exceed a bucket on purpose',
  ),
  neverShown('rate-per-key', 8, 'limits are counted per key', 'the test would need two keys'),
]
