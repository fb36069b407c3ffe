/** The WebSocket of a service (section 6, decision 24): trades and tickers of its markets for subscribers. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { refuseOnSocket } from '../envelope/bare-answer.ts'
import { shown } from '../envelope/query-values.ts'
import type { BareSockets } from '../http/bare-socket.ts'
import type { ClientAddresses } from '../http/client-address.ts'
import type { FairScheduler } from '../http/fair-scheduler.ts'
import { STREAM_ROUTE, type Fault, type Faults } from '../faults/faults.ts'
import type { Secrets } from '../service/secrets.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Service } from '../service/service.ts'
import { StreamClient, type StreamLimits } from './stream-client.ts'
import { giveBack, handshakeFault, isForStream, strikeHandshake } from './stream-handshake.ts'
import type { SideLine } from './side-line.ts'
import { StreamHub } from './stream-hub.ts'
import {
  invalid,
  readStreamRequest,
  type StreamFault,
  type StreamReading,
  type StreamRequest,
} from './stream-request.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { tickerText } from '../../wire/ticker-text.ts'
import { tradeText } from '../../wire/trade-text.ts'

export interface StreamServerOptions {
  readonly service: Service
  readonly faults: Faults
  readonly secrets: Secrets
  readonly limits: StreamLimits
  readonly sockets: BareSockets
  readonly clients: ClientAddresses
  /** Origin of web pages that may subscribe, besides those of this machine; `*` for all. */
  readonly cors: string | undefined
  /** Scheduler shared by all senders to this server. */
  readonly turns: FairScheduler
  /** Resolves when all changes so far are durable, which events wait for; undefined if they are. */
  readonly durable: () => Promise<void> | undefined
  /** True while a virtual clock moves: tickers are sent when it stops. */
  readonly isTimeMoving: () => boolean
  /** Other WebSocket endpoints of the server, closed with the streams; default: none. */
  readonly lines?: readonly SideLine[] | undefined
  /** Receives internal errors. */
  readonly onError: (error: unknown) => void
}

/** Size of a chunk after which other senders get a turn: Node would read two megabytes at a time. */
const LONG_PIECE = 16 * 1024
const BINARY: StreamReading = { fault: invalid('expected a text message') }

const GOING_AWAY = 1001
const SERVICE_RESTART = 1012
const INTERNAL_ERROR = 1011

export class StreamServer {
  readonly #options: StreamServerOptions
  readonly #hub: StreamHub
  readonly #sockets: WebSocketServer
  readonly #clients = new Set<StreamClient>()
  /** Connections whose handshake is delayed by a fault. */
  readonly #waiting = new Set<Duplex>()
  readonly #pings: NodeJS.Timeout
  #isClosing = false

  constructor(options: StreamServerOptions) {
    this.#options = options
    const { service, limits, durable, isTimeMoving, onError } = options
    this.#sockets = socketServer(options)
    const { markets } = service.exchange
    const streams = markets.flatMap(({ symbol }) => [tradeStream(symbol), tickerStream(symbol)])
    this.#hub = new StreamHub({ durable, streams, isHeld: isTimeMoving, onError })
    this.publish()
    this.#pings = setInterval(() => {
      for (const client of this.#clients) client.ping(performance.now())
    }, limits.pingMs)
    this.#pings.unref()
  }

  /** Number of open streams. */
  get connections(): number {
    return this.#clients.size
  }

  /** Total of all subscriptions. */
  get subscriptions(): number {
    return Array.from(this.#clients).reduce((sum, { streams }) => sum + streams.size, 0)
  }

  /** Publishes the market of the present life; called once per life. */
  publish(): void {
    const { service, faults } = this.#options
    for (const market of service.exchange.markets) {
      publishMarket(service, market, this.#hub, () => {
        if (faults.dropsStreams()) this.terminate()
      })
    }
  }

  /** Sends the tickers held while a virtual clock moved. */
  reportTickers(): void {
    this.#hub.release()
  }

  /** Handles the upgrade requests of a server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const { service, sockets, lines = [], clients, secrets } = this.#options
      const refusal = clients.refusalOf(request)
      const { life } = service
      sockets.afterAnswers(socket, () => {
        if (life !== service.life) socket.destroy()
        else if (refusal !== undefined) refuseOnSocket(socket, refusal, secrets.uuid())
        else if (isForStream(request)) this.#shake(request, socket, head).catch(this.#options.onError)
        else {
          const line = this.#isClosing ? undefined : lines.find((each) => each.takes(request))
          if (line === undefined) giveBack(server, request, socket, head)
          else line.take(request, socket, head)
        }
      })
    })
  }

  /** Closes every stream with 1001. */
  close(): void {
    this.#isClosing = true
    clearInterval(this.#pings)
    for (const socket of this.#waiting) socket.destroy()
    for (const client of this.#clients) client.close(GOING_AWAY, 'the server stops')
    for (const line of this.#options.lines ?? []) line.close(GOING_AWAY, 'the server stops')
    this.#sockets.close()
  }

  /** Closes every stream with 1012, because the market was replaced. */
  restart(): void {
    for (const socket of this.#waiting) socket.destroy()
    for (const client of this.#clients) {
      this.#hub.forget(client)
      client.close(SERVICE_RESTART, 'the emulator was reset')
    }
    for (const line of this.#options.lines ?? []) line.close(SERVICE_RESTART, 'the emulator was reset')
  }

  /** Terminates streams that are still open. */
  terminate(): void {
    for (const client of this.#clients) client.drop()
    for (const line of this.#options.lines ?? []) line.terminate()
  }

  async #shake(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node has removed its own error listener: without one, a reset would crash the process.
    socket.on('error', () => socket.destroy())
    const { secrets, faults, cors } = this.#options
    const refused = handshakeFault(request, cors)
    if (refused !== undefined) {
      refuseOnSocket(socket, refused.error, secrets.uuid(), refused.headers)
      return
    }
    const striking = faults.ofRequest(STREAM_ROUTE)
    if (striking.length > 0 && (await this.#strike(striking, socket))) return
    if (this.#isClosing) {
      refuseOnSocket(socket, new ServiceError('SERVICE_UNAVAILABLE', 'the server stops'), secrets.uuid())
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#open(client, socket)
      // The remaining faults end the connection after the handshake.
      if (striking.some(({ kind }) => kind !== 'delay')) client.terminate()
    })
  }

  async #strike(faults: readonly Fault[], socket: Duplex): Promise<boolean> {
    this.#waiting.add(socket)
    const isGone = await strikeHandshake(faults, socket, this.#options.secrets)
    this.#waiting.delete(socket)
    return isGone || socket.destroyed
  }

  #open(socket: WebSocket, connection: Duplex): void {
    const client = new StreamClient(socket, connection, this.#options.limits, performance.now())
    this.#clients.add(client)
    socket.on('pong', () => {
      client.heard(performance.now())
    })
    const sender = this.#options.turns.sender({
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      destroy: () => socket.terminate(),
    })
    socket.on('message', (data, isBinary) => {
      sender.run(() => {
        this.#hear(client, bytesOf(data), isBinary)
      })
    })
    connection.on('data', (bytes: Buffer) => {
      if (bytes.length >= LONG_PIECE) sender.rest()
    })
    // A broken frame: ws has already closed the connection with its code.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#hub.forget(client)
      this.#clients.delete(client)
    })
  }

  #hear(client: StreamClient, message: Uint8Array, isBinary: boolean): void {
    if (!client.isOpen) return
    try {
      const { request, fault, id } = isBinary ? BINARY : readStreamRequest(message)
      const named = id === undefined ? {} : { id }
      const { followed = [], faults } = request === undefined ? { faults: [fault] } : this.#follow(client, request)
      if (request !== undefined && followed.length > 0) {
        client.answer({ op: `${request.op}d`, streams: followed, ...named })
      }
      if (faults.length > 0) client.refuse(faults.map((error) => ({ op: 'error', error, ...named })))
    } catch (error) {
      this.#options.onError(error)
      client.close(INTERNAL_ERROR, 'the service failed')
    }
  }

  /** Subscribes or unsubscribes each valid stream once; invalid names do not affect the others. */
  #follow(client: StreamClient, { op, streams }: StreamRequest): Followed {
    // Events before a subscription are not sent to it.
    this.#options.service.begin()
    const names = [...new Set(streams)]
    const followed = names.filter((name) => this.#hub.has(name))
    const { subscriptions } = this.#options.limits
    if (op === 'subscribe' && new Set([...client.streams, ...followed]).size > subscriptions) {
      return { faults: [invalid(`streams: at most ${subscriptions} a connection`)] }
    }
    for (const name of followed) {
      if (op === 'subscribe') this.#hub.subscribe(client, name)
      else this.#hub.unsubscribe(client, name)
    }
    return { followed, faults: names.filter((name) => !this.#hub.has(name)).map(unknownStream) }
  }
}

interface Followed {
  readonly followed?: readonly string[]
  readonly faults: readonly StreamFault[]
}

function unknownStream(name: string): StreamFault {
  const [, symbol] = /^(?:trade|ticker):(.+)$/.exec(name) ?? []
  if (symbol !== undefined) {
    return { code: 'MARKET_NOT_FOUND', message: `${shown(name)}: no market '${shown(symbol)}'` }
  }
  return invalid(`streams: expected trade:SYMBOL or ticker:SYMBOL, got '${shown(name)}'`)
}

function socketServer({ limits, secrets }: StreamServerOptions): WebSocketServer {
  const options = {
    noServer: true,
    maxPayload: limits.payload,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout: limits.closingMs,
  }
  const server = new WebSocketServer(options)
  server.on('headers', (lines) => {
    lines.push(`X-Request-Id: ${secrets.uuid()}`)
  })
  server.on('wsClientError', (error, socket) => {
    refuseOnSocket(socket, new ServiceError('VALIDATION_ERROR', error.message.toLowerCase()), secrets.uuid())
  })
  return server
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

/**
 * Publishes the trades and tickers of a market to its streams.
 *
 * Every trade is published. A ticker is published once per turn of the event loop, after all its changes: an order that
 * fills against a hundred others makes a hundred trades and one ticker with the final state. The same holds for an
 * advance of the virtual clock, however many turns it takes. In a recorded market, matches that are not recorded trades
 * do not change market data.
 */
const tradeStream = (symbol: string): string => `trade:${symbol}`
const tickerStream = (symbol: string): string => `ticker:${symbol}`

/** @param onEvent  called before an event is published */
function publishMarket(service: Service, market: MarketConfig, hub: StreamHub, onEvent: () => void): void {
  const { symbol } = market
  const [trades, tickers] = [tradeStream(symbol), tickerStream(symbol)]
  const ticker = (): string => tickerText(service.exchange.ticker(symbol, service.simulated.queue.now()), market)
  service.simulated.listen(symbol, {
    onTrade: (trade) => {
      if (!hub.isWatched(trades)) return
      onEvent()
      hub.publish(trades, tradeText(trade, market))
    },
    onMarketData: () => {
      if (!hub.isWatched(tickers)) return
      onEvent()
      hub.publishLatest(tickers, ticker)
    },
  })
}
