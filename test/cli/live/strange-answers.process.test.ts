/**
 * Answers that do not come from the service, rows that cannot be read, and the way through a proxy.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ForwardProxy } from './rig/forward-proxy.ts'
import type { HttpAnswer } from './rig/hostile-proxy.ts'
import { LAST_PRICE, liveCases, RESTS, WATCHES } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'
import { CERTIFICATE, TlsFront } from './rig/tls-front.ts'

const inCase = liveCases()

const html = (status: number): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html>The service is not here</html>',
})

it.concurrent.each([
  ['a gateway answers with a page and 404', html(404)],
  ['a page of maintenance with status 200', html(200)],
  ['a captive portal redirects', { status: 302, headers: { location: 'http://login.invalid/' }, body: '' }],
])('%s: it is reported once, and the session goes on', (_name, page) =>
  inCase({}, async ({ venue, proxy, start }) => {
    const session = start(RESTS)
    await session.started()
    await eventually(
      async () => (await venue.openOrders()).length > 0,
      () => session.output,
    )
    const before = proxy.requests.length
    proxy.hooks = { onRequest: () => page }
    // Orders and fills are read side by side, each five times before it counts as failed.
    const reads = (): number =>
      proxy.requests.slice(before).filter(({ path }) => /^\/(?:orders|trades)/.test(path)).length
    await eventually(
      () => reads() > 10,
      () => session.output,
    )
    proxy.hooks = {}
    await session.until('the account can be read again')
    expect(session.output.match(/; retrying/g)).toHaveLength(1)
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  }),
)

it.concurrent('a row of an answer cannot be read: it is left out, and own orders are cancelled', () =>
  inCase({}, async ({ venue, proxy, start }) => {
    const foreign = { id: '9999', userId: 'u', symbol: 'BTC_USD', side: 'SELL', type: 'STOP_LIMIT', status: 'OPEN' }
    const session = start(RESTS)
    await session.started()
    await eventually(
      async () => (await venue.openOrders()).length > 0,
      () => session.output,
    )
    proxy.hooks = {
      onAnswer: (answer, { path }) => {
        if (answer.status !== 200 || !/^\/orders(?:\?|\/open)/.test(path)) return undefined
        const rows = JSON.parse(answer.body.toString()) as { readonly qty: string }[]
        const body = JSON.stringify([foreign, null, ...rows.map((row) => ({ ...row, qty: Number(row.qty) }))])
        return { ...answer, body }
      },
    }
    await session.until(/order 9999 cannot be read and is left out/)
    expect(session.end).toBeUndefined()
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  }),
)

it.concurrent('a body is compressed although plain bytes were requested: it is read', () =>
  inCase({}, async ({ venue, proxy, start }) => {
    proxy.hooks = {
      onAnswer: ({ status, headers, body }) => ({
        status,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(body),
      }),
    }
    const session = start(RESTS)
    await session.started()
    await eventually(
      async () => (await venue.openOrders()).length > 0,
      () => session.output,
    )
    expect(proxy.requests.every(({ headers }) => headers['accept-encoding'] === 'identity')).toBe(true)
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  }),
)

it.concurrent('a proxy of the environment carries every request and the stream, and NO_PROXY goes around it', () =>
  inCase({}, async ({ venue, start, folder }) => {
    await using office = new ForwardProxy('jo:s3cret')
    const port = await office.open()
    const env = { HTTP_PROXY: `http://jo:s3cret@127.0.0.1:${port}`, NO_PROXY: 'example.org' }
    const session = start(WATCHES, { env })
    await session.started()
    await repeating(() => venue.trade(LAST_PRICE), session.until('trade 42000.00'))
    expect(office.seen.some((line) => line.includes('/v1/balances'))).toBe(true)
    expect(office.seen.some((line) => line.startsWith('CONNECT 127.0.0.1:'))).toBe(true)
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(session.output).not.toContain('s3cret')
    const before = office.seen.length
    const direct = start(WATCHES, { env: { ...env, NO_PROXY: '127.0.0.0/8' }, out: `${folder}/direct` })
    await direct.started()
    expect(await direct.stop('SIGTERM')).toBe(0)
    expect(office.seen).toHaveLength(before)
    expect(office.refused).toEqual([])
  }),
)

it.concurrent('a service of https is reached through a tunnel of the proxy, its stream as well', () =>
  inCase({}, async ({ venue, start, folder }) => {
    await using office = new ForwardProxy('jo:s3cret')
    await using front = new TlsFront(Number(new URL(venue.emulator.baseUrl).port))
    const tlsPort = await front.open()
    const proxyPort = await office.open()
    const certificate = join(folder, 'certificate.pem')
    writeFileSync(certificate, CERTIFICATE)
    const env = { HTTPS_PROXY: `http://jo:s3cret@127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: certificate }
    const session = start(RESTS, { env, url: `https://127.0.0.1:${tlsPort}/v1` })
    await session.started()
    await repeating(() => venue.trade(LAST_PRICE), eventually(async () => (await venue.openOrders()).length > 0, () => session.output)) // prettier-ignore
    expect(await session.stop('SIGTERM')).toBe(0)
    expect(await venue.openOrders()).toEqual([])
    expect(office.seen.length).toBeGreaterThan(1)
    expect(new Set(office.seen)).toEqual(new Set([`CONNECT 127.0.0.1:${tlsPort}`]))
    expect(session.output).not.toContain('s3cret')
    // Without the certificate it is not trusted, and says so.
    const distrustful = start(RESTS, { env: { HTTPS_PROXY: env.HTTPS_PROXY }, url: `https://127.0.0.1:${tlsPort}/v1` })
    expect(await distrustful.ended).toMatchObject({ code: 3 })
    expect(distrustful.output).toContain('self-signed certificate')
  }),
)
