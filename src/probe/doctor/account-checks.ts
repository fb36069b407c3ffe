/**
 * Checks of a key and its account. Places no orders: it sends a creation without a body, and a cancel with an unknown
 * id.
 */
import type { ProbeAnswer, ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { readRateHeaders } from '../../adapter/live/rest/rate-headers.ts'
import { codeOf, fault, ok, toldOf, warning, type DoctorCheck } from './doctor-check.ts'

const UNKNOWN_ORDER = 'papertape-doctor-no-such-order'
const PAGE = 500

/** Asks with the key. */
type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string) => Promise<ProbeAnswer>

export async function checkAccount(probe: ServiceProbe, key: string): Promise<readonly DoctorCheck[]> {
  const ask: Ask = (method, path) => probe.send({ method, path, key })
  const balances = await ask('GET', '/balances')
  if (balances.type === 'answer' && balances.status === 401) return [unknownKey(codeOf(balances))]
  const orders = await ask('GET', `/orders?limit=${PAGE}`)
  const create = await ask('POST', '/orders')
  const cancel = await ask('DELETE', `/orders/${UNKNOWN_ORDER}`)
  return [
    ok('key', 'the service accepts it'),
    readScope('ACCOUNT_READ', balances),
    readScope('ORDER_READ', orders),
    mutationScope('ORDER_CREATE', create, ['MALFORMED_JSON', 'VALIDATION_ERROR']),
    mutationScope('ORDER_CANCEL', cancel, ['ORDER_NOT_FOUND', 'VALIDATION_ERROR']),
    limitsOf([balances, cancel]),
    fundsIn(balances),
    await checkPages(ask, orders),
  ].flat()
}

const unknownKey = (code: string | undefined): DoctorCheck =>
  fault(
    'key',
    `the service answers 401 ${code ?? ''}: put a complete, valid key into PAPERTAPE_API_KEY`.replace(' :', ':'),
  )

function readScope(scope: string, answer: ProbeAnswer): DoctorCheck {
  if (answer.type === 'answer' && answer.status === 200 && answer.json !== undefined)
    return ok(scope, 'the key has this scope')
  return refusal(scope, answer)
}

/** @param codes  that come after key and scope, and before anything is done */
function mutationScope(scope: string, answer: ProbeAnswer, codes: readonly string[]): DoctorCheck {
  if (answer.type === 'answer' && answer.status < 300) {
    return fault(scope, `it answered ${answer.status} to a request without a valid order: do not trade on this service`)
  }
  if (codes.includes(codeOf(answer) ?? '')) return ok(scope, 'the key has this scope, and the account is verified')
  return refusal(scope, answer)
}

function refusal(scope: string, answer: ProbeAnswer): DoctorCheck {
  const code = codeOf(answer)
  if (code === 'FORBIDDEN') return fault(scope, 'the key lacks this scope: create a key that has it')
  if (code === 'EMAIL_NOT_VERIFIED') return fault(scope, 'the account is not verified: verify its e-mail')
  if (code === 'RATE_LIMITED')
    return fault(
      scope,
      'the rate limit of the key is used up: wait a minute, and check whether something else uses this key',
    )
  return fault(scope, `could not be checked: ${toldOf(answer)}`)
}

function limitsOf(answers: readonly ProbeAnswer[]): DoctorCheck {
  const told = answers.flatMap((answer) =>
    answer.type === 'answer' ? readRateHeaders(answer.headers, answer.answeredAt).buckets : [],
  )
  const last = new Map(told.map((bucket) => [bucket.name ?? 'requests', bucket]))
  if (last.size === 0)
    return warning(
      'limits',
      'the responses have no rate-limit headers: 600 requests and 30 orders per minute are assumed',
    )
  const words = [...last].map(([name, { remaining, limit, windowMs }]) => {
    const window = windowMs === undefined ? '' : ` in ${windowMs / 1000} s`
    return `${name}: ${remaining ?? '?'} of ${limit ?? '?'} left${window}`
  })
  const isShort = [...last.values()].some(({ remaining, limit }) => (remaining ?? 1) * 4 < (limit ?? 0))
  const says = words.join(', ')
  return isShort
    ? warning('limits', `${says}; the key was used just now, or something else uses it`)
    : ok('limits', says)
}

function fundsIn(answer: ProbeAnswer): readonly DoctorCheck[] {
  if (answer.type !== 'answer' || answer.status !== 200) return []
  const held = Object.entries(
    (answer.json ?? {}) as Readonly<Record<string, { readonly available?: unknown } | null>>,
  ).flatMap(([asset, balance]) =>
    /[1-9]/.test(String(balance?.available)) ? [`${asset} ${String(balance?.available)}`] : [],
  )
  return [
    held.length === 0
      ? warning('funds', 'the account has no available funds: no order can be placed')
      : ok('funds', `available: ${held.slice(0, 6).join(', ')}`),
  ]
}

async function checkPages(ask: Ask, first: ProbeAnswer): Promise<readonly DoctorCheck[]> {
  const ids = idsIn(first)
  if (ids === undefined) return []
  if (ids.length === 0)
    return [ok('pages', 'the account has no orders yet, so a cap on the page size cannot be detected')]
  const second = idsIn(await ask('GET', `/orders?limit=${PAGE}&page=2`))
  if (second === undefined)
    return [fault('pages', 'page 2 of GET /orders cannot be read: an order without a response could not be found')]
  if (second.length > 0 && second.every((id) => ids.includes(id))) {
    return [fault('pages', 'GET /orders ignores page: an order without a response could not be found')]
  }
  if (second.length === 0) return [ok('pages', `all ${ids.length} orders are on one page of ${PAGE}`)]
  const says = `a page of GET /orders has ${ids.length} rows; ${PAGE} were requested`
  return [ids.length >= PAGE ? ok('pages', says) : warning('pages', `${says}: finding an order takes more requests`)]
}

function idsIn(answer: ProbeAnswer): readonly unknown[] | undefined {
  if (answer.type !== 'answer' || answer.status !== 200 || !Array.isArray(answer.json)) return undefined
  return (answer.json as readonly ({ readonly id?: unknown } | null)[]).map((row) => row?.id)
}
