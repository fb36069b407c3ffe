/**
 * Requests and stream messages that are nearly right, or not at all, from a seed.
 */
import type { Chance } from '../../exchange/rig/chance.ts'

export interface FuzzedRequest {
  readonly method: string
  /** With its query. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  /** As it goes over the wire; undefined when there is none. */
  readonly body: Buffer | undefined
  readonly isChunked: boolean
}

/** Keys that work, user ids and so on, as they become known. */
export interface Known {
  readonly keys: readonly string[]
  readonly users: readonly string[]
  /** Without them every 5xx is ours, and so is every connection that ends early. */
  readonly hasFaults: boolean
}

/** Of the service, with a method that each has. */
const SERVICE_PATHS = [
  ['GET', '/markets'],
  ['GET', '/markets/tickers'],
  ['GET', '/markets/{symbol}/ticker'],
  ['GET', '/markets/{symbol}/trades'],
  ['GET', '/markets/{symbol}/candles'],
  ['POST', '/orders'],
  ['GET', '/orders'],
  ['GET', '/orders/open'],
  ['GET', '/orders/{orderId}'],
  ['DELETE', '/orders/{orderId}'],
  ['GET', '/balances'],
  ['GET', '/portfolio'],
  ['GET', '/trades'],
  ['GET', '/openapi.json'],
  ['GET', '/ws'],
] as const
const EMULATOR_PATHS = [
  ['POST', '/users'],
  ['PATCH', '/users/{id}'],
  ['POST', '/users/{id}/keys'],
  ['POST', '/users/{id}/credits'],
  ['DELETE', '/keys/{id}'],
  ['POST', '/faults'],
  ['POST', '/faults'],
  ['DELETE', '/faults'],
  ['GET', '/audit'],
  ['GET', '/clock'],
  ['POST', '/clock'],
  ['DELETE', '/clock'],
  ['GET', '/markets/{symbol}/book'],
] as const
const METHODS = [
  'GET',
  'POST',
  'DELETE',
  'PATCH',
  'PUT',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
] as const
const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e5',
  '.5',
  '+1',
  '½',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  '../..',
  '\u0000',
  '\ud800',
  '%00',
  '%',
  '9007199254740993',
  '1'.repeat(41),
  '1'.repeat(10_000),
  '00000100.00',
  '100.000',
  "' OR 1=1 --",
  '😀',
] as const
const ODD_VALUES: readonly unknown[] = [null, true, 0, -1, 1.5, 1e21, [], {}, [[]], { a: 1 }, ['BUY'], ...ODD_TEXTS]
const QUERY_NAMES = [
  'limit',
  'page',
  'symbol',
  'status',
  'asset',
  'interval',
  'from',
  'to',
  '__proto__',
  'x',
  '',
] as const
const QUERY_VALUES = ['1', '10', '500', '501', 'BTC_USD', 'OPEN', 'USD', '1m', '1735689600000', ...ODD_TEXTS] as const

export class RequestSource {
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Framed as HTTP wants it, so that there is an answer. */
  request(known: Known): FuzzedRequest {
    for (;;) {
      const request = this.#request(known)
      if (known.hasFaults || request.method !== 'POST' || !request.target.includes('/faults')) return request
    }
  }

  /** An order that will often be taken, so that there is something to see. */
  order(known: Known): FuzzedRequest {
    const key = this.#chance.pick(known.keys)
    const headers = [
      ['x-api-key', key],
      ['content-type', 'application/json'],
    ] as const
    return { method: 'POST', target: '/v1/orders', headers, body: json(this.#order()), isChunked: false }
  }

  /** A fault, planned as it should be. */
  fault(): FuzzedRequest {
    const headers = [['content-type', 'application/json']] as const
    return {
      method: 'POST',
      target: '/emulator/faults',
      headers,
      body: json(this.#bodyOf('/faults')),
      isChunked: false,
    }
  }

  /** Bytes that are no request, or one that is broken somewhere. */
  rawBytes(known: Known): Buffer {
    const chance = this.#chance
    if (chance.oneIn(4)) return this.#garbage(chance.between(1, 2_000))
    if (chance.oneIn(5)) return Buffer.from(chance.pick(BROKEN_HEADS))
    const whole = bytesOf(this.#brokenable(known))
    if (chance.oneIn(3)) return whole.subarray(0, chance.below(whole.length))
    const broken = Buffer.from(whole)
    for (let count = chance.between(1, 6); count > 0; count -= 1)
      broken[chance.below(broken.length)] = chance.below(256)
    return broken
  }

  streamMessage(): string {
    const { pick, oneIn, below } = bound(this.#chance)
    if (oneIn(5)) return this.#garbage(below(300)).toString()
    const streams = this.#chance.list(below(4), () =>
      oneIn(3) ? pick(ODD_TEXTS) : `${pick(['trade', 'ticker'])}:${pick(['BTC_USD', 'ETH_USD', 'X_USD'])}`,
    )
    return this.#jsonText({ op: pick(['subscribe', 'unsubscribe', 'subscribe', 'x']), streams, id: pick([1, 'a', 2]) })
  }

  /** Masked frames of any kind, well-formed or not. */
  streamBytes(): Buffer {
    const { oneIn, below, between } = bound(this.#chance)
    if (oneIn(2)) return this.#garbage(between(2, 200))
    const payload = this.#garbage(below(125))
    return Buffer.concat([Buffer.from([below(256), 0x80 | payload.length, 0, 0, 0, 0]), payload])
  }

  #request(known: Known): FuzzedRequest {
    const { pick, oneIn } = bound(this.#chance)
    const isService = !oneIn(4)
    const [usual, path] = isService ? pick(SERVICE_PATHS) : pick(EMULATOR_PATHS)
    const method = oneIn(6) ? pick(METHODS) : usual
    const target = this.#target((isService ? '/v1' : '/emulator') + this.#filled(path, known))
    const hasBody = method === 'POST' || method === 'PATCH' ? !oneIn(12) : oneIn(12)
    const body = hasBody ? this.#body(path) : undefined
    return { method, target, headers: this.#headers(known, body), body, isChunked: oneIn(5) }
  }

  #brokenable(known: Known): FuzzedRequest {
    for (;;) {
      const request = this.request(known)
      // What a broken plan of faults would do could not be reported from a fault of ours; of the clock nothing is to be seen.
      if (!/faults|clock/.test(request.target)) return request
    }
  }

  #filled(path: string, { users }: Known): string {
    const { pick, oneIn } = bound(this.#chance)
    return path
      .replace('{symbol}', () =>
        oneIn(5) ? encoded(pick(ODD_TEXTS)) : pick(['BTC_USD', 'ETH_USD', 'btc_usd', 'BTC%5FUSD']),
      )
      .replace('{orderId}', () => (oneIn(5) ? encoded(pick(ODD_TEXTS)) : String(this.#chance.below(3_000))))
      .replace('{id}', () => (oneIn(5) ? encoded(pick(ODD_TEXTS)) : pick(users)))
  }

  #target(path: string): string {
    const { pick, oneIn, below, between } = bound(this.#chance)
    let target = path
    if (oneIn(30))
      target = pick([
        `${path}/`,
        `/${path}`,
        path.toUpperCase(),
        `http://localhost${path}`,
        `${path}%2f`,
        '*',
        `${path}%zz`,
      ])
    if (oneIn(60)) target += `/${'a'.repeat(between(1, 9_000))}`
    if (!oneIn(3)) return target
    const query = this.#chance.list(below(4), () => `${encoded(pick(QUERY_NAMES))}=${encoded(pick(QUERY_VALUES))}`)
    return `${target}?${query.join('&')}`
  }

  #headers(known: Known, body: Buffer | undefined): readonly (readonly [string, string])[] {
    const { pick, oneIn, between } = bound(this.#chance)
    const headers: (readonly [string, string])[] = []
    if (!oneIn(8)) headers.push(['X-Api-Key', this.#key(known)])
    if (oneIn(30)) headers.push(['x-api-key', this.#key(known)])
    if (body !== undefined && !oneIn(10)) headers.push(['Content-Type', 'application/json'])
    if (oneIn(20))
      headers.push([
        'content-type',
        pick(['text/plain', 'application/json; charset=utf-16', 'x', '', ';', 'application/json;;']),
      ])
    if (oneIn(30)) headers.push(['x-many', 'y'.repeat(between(1, 9_000))])
    if (oneIn(40)) headers.push(['Expect', pick(['100-continue', '100-continue', 'x'])])
    if (oneIn(40))
      headers.push(
        ['Upgrade', pick(['h2c', 'websocket', 'x'])],
        ['Connection', pick(['Upgrade', 'upgrade, keep-alive'])],
      )
    if (oneIn(40)) headers.push(['Content-Encoding', pick(['gzip', 'identity', 'x'])])
    if (oneIn(40)) headers.push(['Authorization', `Bearer ${this.#key(known)}`])
    if (oneIn(60)) headers.push(['Connection', 'close'])
    return headers
  }

  #key({ keys }: Known): string {
    const { pick, oneIn } = bound(this.#chance)
    const key = pick(keys)
    return oneIn(6)
      ? pick([key.slice(0, -1), `${key}A`, key.toUpperCase(), 'pt_', '', 'x'.repeat(300), `${key}, ${key}`])
      : key
  }

  #body(path: string): Buffer {
    const { oneIn, between } = bound(this.#chance)
    if (oneIn(20)) return this.#garbage(between(0, 500))
    if (oneIn(60)) return Buffer.alloc(between(16_000, 17_000), '[')
    return Buffer.from(this.#jsonText(this.#bodyOf(path)))
  }

  #bodyOf(path: string): Readonly<Record<string, unknown>> {
    const { pick, oneIn, below, between } = bound(this.#chance)
    switch (path) {
      case '/users':
        return { email: pick(['a@example.com', 'b@example.org', 'no mail']), verified: !oneIn(3) }
      case '/users/{id}':
        // The users of the test stay verified, or soon nothing would be let through.
        return { verified: true }
      case '/users/{id}/keys':
        return { scopes: pick([['ORDER_READ'], ['ACCOUNT_READ', 'ORDER_CREATE'], []]) }
      case '/users/{id}/credits':
        return { asset: pick(['USD', 'BTC', 'ETH', 'X']), amount: String(between(-100, 1_000)) }
      case '/clock':
        return { advanceMs: pick([0, 1, 1_000, 60_000, -1]) }
      case '/faults':
        return {
          fault: pick([
            'engine-timeout-before',
            'engine-timeout-after',
            'service-unavailable',
            'rate-limited',
            'reset-after',
            'truncated-body',
            'stream-drop',
          ]),
          route: pick(['*', 'POST /orders', 'GET /markets', 'GET /ws', 'x']),
          count: between(1, 2),
          ms: below(10),
        }
      default:
        return this.#order()
    }
  }

  #order(): Readonly<Record<string, unknown>> {
    const { pick, oneIn, between } = bound(this.#chance)
    const common = {
      symbol: pick(['BTC_USD', 'ETH_USD']),
      side: pick(['BUY', 'SELL']),
      qty: (between(1, 500) / 1_000).toFixed(3),
    }
    return oneIn(5)
      ? { ...common, type: 'MARKET' }
      : { ...common, type: 'LIMIT', price: (between(9_900, 10_100) / 100).toFixed(2) }
  }

  /** As JSON, with now and then a field that is wrong, missing, strange or there twice. */
  #jsonText(body: Readonly<Record<string, unknown>>): string {
    const { pick, oneIn, below } = bound(this.#chance)
    const entries = Object.entries(body)
    const at = below(Math.max(1, entries.length))
    const name = entries[at]?.[0] ?? 'x'
    if (oneIn(4)) entries[at] = [name, pick(ODD_VALUES)]
    if (oneIn(10)) entries.splice(at, 1)
    if (oneIn(10)) entries.push([pick(['extra', '__proto__', 'constructor', '', name]), pick(ODD_VALUES)])
    const text = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
    if (oneIn(15)) return text.slice(0, below(text.length))
    return oneIn(15) ? pick([`\ufeff${text}`, `${text} `, `[${text}]`, `${text}x`, text.replaceAll('"', "'")]) : text
  }

  #garbage(length: number): Buffer {
    return Buffer.from(this.#chance.list(length, () => this.#chance.below(256)))
  }
}

const BROKEN_HEADS = [
  'GET /v1/markets HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'POST /v1/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'GET /v1/markets HTTP/1.1\r\n\r\n',
  'GET /v1/markets HTTP/1.0\r\n\r\n',
  'GET /v1/markets HTTP/0.9\r\n\r\n',
  'GET /v1/markets HTTP/2.0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /v1/markets\r\n\r\n',
  'GET  /v1/markets HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /v1/markets HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET /v1/markets HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET /v1/markets HTTP/1.1\nHost: x\n\n',
  'GET /v1/markets HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n',
  'GET /v1/markets HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  `GET /v1/markets HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET /v1/markets HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
  '\r\n\r\n\r\nGET /v1/markets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
] as const

/** A request as it goes over the wire. */
export function bytesOf({ method, target, headers, body, isChunked }: FuzzedRequest): Buffer {
  const isInParts = isChunked && body !== undefined
  const framing =
    body === undefined ? [] : [isInParts ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`]
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  const head = Buffer.from(`${[...lines, ...framing].join('\r\n')}\r\n\r\n`, 'latin1')
  if (body === undefined) return head
  if (!isInParts) return Buffer.concat([head, body])
  const half = body.length >> 1
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const chunks = parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')])
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/** As it may stand in a path or a query; what is no text becomes one. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

/** The choices of a chance, to be taken apart. */
function bound(chance: Chance): Pick<Chance, 'pick' | 'oneIn' | 'below' | 'between'> {
  return {
    pick: (list) => chance.pick(list),
    oneIn: (count) => chance.oneIn(count),
    below: (count) => chance.below(count),
    between: (min, max) => chance.between(min, max),
  }
}
