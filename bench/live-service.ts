/**
 * A service that reports a trade and times the order that answers it: from the writing of the frame to the first byte
 * of the POST.
 *
 * Every order of it ends at once, so that nothing grows. It runs in the process that measures, and the client
 * that is measured in another.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

const MARKET = {
  ...{ id: 'BTC_USD', name: 'Bitcoin', symbol: 'BTC_USD', baseAsset: 'BTC', quoteAsset: 'USD' },
  ...{ pricePrecision: 2, qtyPrecision: 4 },
}
const BALANCES = {
  USD: { available: '1000000000.00', locked: '0.00' },
  BTC: { available: '1000.0000', locked: '0.0000' },
}
const MAX_LISTED = 500

export class LiveService {
  readonly #now: () => number
  readonly #http = createServer((request, response) => this.#onRequest(request, response))
  readonly #streams = new WebSocketServer({ server: this.#http })
  #trades: object[] = []
  #orders: object[] = []
  #count = 0
  #stream: WebSocket | undefined
  #onSubscribed: () => void = () => undefined
  #onPost: (at: number) => void = () => undefined

  /** @param now  Unix milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#streams.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const { streams, id } = JSON.parse(data.toString()) as { streams: string[]; id: number }
        socket.send(JSON.stringify({ op: 'subscribed', streams, id }))
        if (streams[0] !== 'trade:BTC_USD') return
        this.#stream = socket
        this.#onSubscribed()
      })
    })
  }

  async listen(): Promise<string> {
    this.#http.listen(0, '127.0.0.1')
    await once(this.#http, 'listening')
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/v1`
  }

  /** Resolves when the next client listens to trades. */
  subscribed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSubscribed = resolve
    })
  }

  /** Reports a trade. @returns milliseconds until it was answered */
  async measure(): Promise<number> {
    const posted = new Promise<number>((resolve) => {
      this.#onPost = resolve
    })
    const emittedAt = this.tell()
    return (await posted) - emittedAt
  }

  /** Reports a trade, whether it is answered or not. @returns when, as `performance.now()` */
  tell(): number {
    const frame = JSON.stringify({ stream: 'trade:BTC_USD', data: this.#trade() })
    const sentAt = performance.now()
    this.#stream?.send(frame)
    return sentAt
  }

  async close(): Promise<void> {
    this.#stream?.terminate()
    this.#streams.close()
    this.#http.closeAllConnections()
    this.#http.close()
    await once(this.#http, 'close')
  }

  #trade(): object {
    this.#count += 1
    const trade = {
      ...{
        id: String(this.#count),
        symbol: 'BTC_USD',
        price: '20000.00',
        qty: '0.0100',
        isBuyerMaker: this.#count % 2 === 0,
      },
      ...{ buyOrderId: `b${this.#count}`, sellOrderId: `s${this.#count}`, buyerId: 'ann', sellerId: 'bob' },
      createdAt: this.#now(),
    }
    this.#trades = [trade, ...this.#trades.slice(0, MAX_LISTED - 1)]
    return trade
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '' } = request
    if (method === 'POST') {
      this.#onPost(performance.now())
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => answer(response, 201, this.#order(JSON.parse(body) as object)))
      return
    }
    const path = url.slice('/v1'.length).replace(/\?.*/, '')
    const isFirstPage = !/[?&]page=(?!1\b)/.test(url)
    if (path === '/markets') answer(response, 200, { data: [MARKET] })
    else if (path === '/markets/BTC_USD/trades') answer(response, 200, this.#trades)
    else if (path === '/orders') answer(response, 200, isFirstPage ? this.#orders : [])
    else if (path === '/balances') answer(response, 200, BALANCES)
    else answer(response, 200, [])
  }

  #order(request: object): object {
    this.#count += 1
    const order = {
      ...{ id: `o${this.#count}`, userId: 'me', ...request, status: 'CANCELLED', filledQty: '0.0000' },
      createdAt: new Date(this.#now()).toISOString(),
    }
    this.#orders = [order, ...this.#orders.slice(0, MAX_LISTED - 1)]
    return order
  }
}

function answer(response: ServerResponse, status: number, json: object): void {
  const body = JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
