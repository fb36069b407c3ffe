/**
 * The window of a trading session: its status and its chart every second, its equity since the start, and operator
 * commands.
 *
 * A command needs the token of the window, which is in the fragment of the printed address: a browser sends it nowhere
 * by itself, and another page cannot read it.
 */
import { randomBytes } from 'node:crypto'
import { InputError } from '../../domain/errors.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import type { ChartedCandle, ChartedMarket, ChartedSession } from '../../runtime/live/session-chart.ts'
import type { OperatorAnswer, OperatorCommand } from '../../store/state/live/operator-command.ts'
import { METRICS_TYPE } from '../http/metric-family.ts'
import { servePage, type PageServer } from './page-server.ts'
import { sessionMetrics } from './session-metrics.ts'

/** Unix milliseconds and equity. */
export type EquityDot = readonly [time: number, equity: number]

export interface SessionHello {
  readonly kind: 'live' | 'paper'
  readonly version: string
  /** Equity curves by session name, oldest point first. */
  readonly curves: Readonly<Record<string, readonly EquityDot[]>>
  readonly takesCommands: boolean
}

/** A fill of a session; decimal strings. */
export interface WindowFill {
  /** Unix milliseconds. */
  readonly time: number
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly qty: string
}

/** Candles of a market that a page does not have yet. */
export interface WindowMarket extends ChartedMarket {
  /** True if they replace all earlier ones; otherwise the first may update one that was sent before. */
  readonly isWhole: boolean
}

export interface WindowChart extends Omit<ChartedSession, 'markets'> {
  readonly markets: readonly WindowMarket[]
}

/** Changes since the last message. */
export interface SessionNews {
  readonly status: LiveStatus
  /** Charts by session name. */
  readonly charts: Readonly<Record<string, WindowChart>>
  /** Newer fills by session name, oldest first. */
  readonly fills: Readonly<Record<string, readonly WindowFill[]>>
}

export interface SessionWindowOptions {
  readonly port: number
  readonly kind: SessionHello['kind']
  readonly version: string
  /** Executes an operator command; undefined for a session that accepts none. */
  readonly report?: ((command: OperatorCommand) => Promise<OperatorAnswer>) | undefined
}

/** Maximum number of points of a curve; above it, every other point of the older half is dropped. */
const MAX_DOTS = 4_000
/** Maximum number of fills of a session, the newest ones. */
const MAX_FILLS = 2_000
/** Time that flattening by the window may take, as of `papertape live flatten`. */
const FLATTEN_MS = 120_000

const WORDS = ['halt', 'reduce', 'resume', 'flatten', 'plan'] as const
const isWord = (word: unknown): word is (typeof WORDS)[number] => WORDS.some((each) => each === word)

export class SessionWindow {
  readonly #options: SessionWindowOptions
  readonly #curves = new Map<string, EquityDot[]>()
  /** The newest fills of each session, and the count of all. */
  readonly #fills = new Map<string, { readonly all: WindowFill[]; count: number }>()
  readonly #charts = new Map<string, () => ChartedSession>()
  readonly #token: string | undefined
  #status: LiveStatus | undefined
  #statusText = ''
  #server: PageServer | undefined

  constructor(options: SessionWindowOptions) {
    this.#options = options
    this.#token = options.report === undefined ? undefined : randomBytes(16).toString('base64url')
  }

  /** @returns the address of the page @throws {InputError} if the port is in use, or the pages were not built */
  async open(): Promise<string> {
    const { port } = this.#options
    this.#server = await servePage({
      port,
      page: 'session',
      token: this.#token,
      hello: () => this.#hello(),
      news: (reported) => this.#news(reported),
      calls: { 'POST command': (_, body) => this.#command(body) },
      texts: { '/metrics': { type: METRICS_TYPE, text: () => this.#metrics() } },
    })
    return this.#token === undefined ? this.#server.url : `${this.#server.url}#token=${this.#token}`
  }

  /** Shows the chart of a session from now on. @param look  called once a second while a page is open */
  chart(owner: string, look: () => ChartedSession): void {
    this.#charts.set(owner, look)
  }

  onFill(owner: string, fill: WindowFill): void {
    const fills = this.#fills.get(owner) ?? { all: [], count: 0 }
    this.#fills.set(owner, fills)
    fills.count += 1
    fills.all.push(fill)
    if (fills.all.length > MAX_FILLS) fills.all.shift()
  }

  /** Fast and free of side effects, because it may be called at any time. */
  readonly onStatus = (status: LiveStatus): void => {
    this.#status = status
    this.#statusText = JSON.stringify(status)
    for (const { owner, equity } of status.strategies) {
      if (equity === undefined) continue
      const curve = this.#curves.get(owner) ?? []
      curve.push([status.time, Number(equity)])
      this.#curves.set(owner, curve.length > MAX_DOTS ? thinned(curve) : curve)
    }
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  #metrics(): string {
    const { kind, version } = this.#options
    const fills = new Map(Array.from(this.#fills, ([owner, { count }]) => [owner, count]))
    return sessionMetrics({ status: this.#status, kind, version, fills })
  }

  #hello(): SessionHello {
    const { kind, version, report } = this.#options
    const curves = Object.fromEntries(this.#curves)
    return { kind, version, curves, takesCommands: report !== undefined }
  }

  #news(reported: Map<string, string>): SessionNews | undefined {
    if (this.#status === undefined || reported.get('status') === this.#statusText) return undefined
    reported.set('status', this.#statusText)
    const charts = Array.from(this.#charts, ([owner, look]) => {
      const { markets, ...rest } = look()
      return [owner, { ...rest, markets: markets.map((market) => newCandles(market, owner, reported)) }] as const
    })
    const fills = Array.from(this.#fills, ([owner, { all, count }]) => {
      const key = `fills ${owner}`
      const known = Number(reported.get(key) ?? 0)
      reported.set(key, String(count))
      return [owner, known === count ? [] : all.slice(known - count)] as const
    })
    return { status: this.#status, charts: Object.fromEntries(charts), fills: Object.fromEntries(fills) }
  }

  async #command(body: unknown): Promise<OperatorAnswer> {
    const { report } = this.#options
    if (report === undefined) throw new InputError('command', 'this session takes no commands of an operator')
    const fields = typeof body === 'object' && body !== null ? (body as { kind?: unknown; symbol?: unknown }) : {}
    const { kind, symbol } = fields
    if (!isWord(kind)) throw new InputError('command', `expected one of ${WORDS.join(', ')}`)
    if (symbol !== undefined && typeof symbol !== 'string') throw new InputError('symbol', 'expected a symbol')
    if (kind === 'resume') return report({ kind, symbol })
    if (kind === 'halt' || kind === 'reduce') return report({ kind })
    return report({ kind: 'flatten', wholeAccount: false, isDry: kind === 'plan', withinMs: FLATTEN_MS })
  }
}

/** @param reported  time and length of the last candle that the page has, by session and market */
function newCandles(market: ChartedMarket, owner: string, reported: Map<string, string>): WindowMarket {
  const { symbol, intervalMs, candles } = market
  const key = `candles ${owner} ${symbol}`
  const [length, time] = (reported.get(key) ?? '').split(' ').map(Number)
  reported.set(key, `${intervalMs} ${candles.at(-1)?.time ?? 0}`)
  const isWhole = length !== intervalMs
  const isNew = (candle: ChartedCandle): boolean => isWhole || candle.time >= (time ?? 0)
  return { ...market, isWhole, candles: candles.filter(isNew) }
}

/** Drops every other point of the older half: recent points stay dense. */
function thinned(curve: readonly EquityDot[]): EquityDot[] {
  const middle = Math.floor(curve.length / 2)
  return curve.filter((_, index) => index >= middle || index % 2 === 0)
}
