/** A service with one market, which sends over REST and its stream whatever a test gives it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'

export interface FakeSource {
  readonly url: string
  /** Lines of all requests. */
  readonly requests: readonly string[]
  /** Body of `GET /trades`. */
  trades: unknown
  /** Rows of `GET /candles`; undefined for none. */
  candles: readonly object[] | undefined
  /** Sends a message to every subscriber. */
  send(message: string | Uint8Array): void
}

const MARKET = { name: 'Bitcoin', baseAsset: 'BTC', quoteAsset: 'USD', pricePrecision: 2, qtyPrecision: 4 }

/** Starts sources that are closed after the test. */
export function fakeSources(): () => Promise<FakeSource> {
  const closings: (() => void)[] = []
  afterEach(() => {
    for (const close of closings.splice(0)) close()
  })
  return async () => {
    const requests: string[] = []
    const clients = new Set<WebSocket>()
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      const { pathname } = new URL(request.url ?? '', 'http://source')
      const body = pathname.endsWith('/markets')
        ? { data: [{ id: '1', symbol: 'BTC_USD', ...MARKET }] }
        : pathname.endsWith('/trades')
          ? source.trades
          : source.candles && { data: source.candles }
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
    })
    const streams = new WebSocketServer({ server })
    streams.on('connection', (client) => {
      clients.add(client)
      client.on('message', (text: Buffer) => {
        const { streams: names, id } = JSON.parse(text.toString()) as { streams: string[]; id: number }
        client.send(JSON.stringify({ op: 'subscribed', streams: names, id }))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closings.push(() => {
      for (const client of clients) client.terminate()
      server.close()
      server.closeAllConnections()
    })
    const source: FakeSource = {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      requests,
      trades: [],
      candles: undefined,
      send: (message) => {
        for (const client of clients) client.send(message)
      },
    }
    return source
  }
}
