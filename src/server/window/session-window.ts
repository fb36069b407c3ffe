/** The window of a trading session: its status every second, its equity since the start, and operator commands. */
import { InputError } from '../../domain/errors.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import type { OperatorAnswer, OperatorCommand } from '../../store/state/live/operator-command.ts'
import { servePage, type PageServer } from './page-server.ts'

/** Unix milliseconds and equity. */
export type EquityDot = readonly [time: number, equity: number]

export interface SessionHello {
  readonly kind: 'live' | 'paper'
  readonly version: string
  /** Equity curves by session name, oldest point first. */
  readonly curves: Readonly<Record<string, readonly EquityDot[]>>
  readonly canBeTold: boolean
}

export interface SessionWindowOptions {
  readonly port: number
  readonly kind: SessionHello['kind']
  readonly version: string
  /** Executes an operator command; undefined for a session that accepts none. */
  readonly tell?: ((command: OperatorCommand) => Promise<OperatorAnswer>) | undefined
}

/** Maximum number of points of a curve; above it, every other point of the older half is dropped. */
const MAX_DOTS = 4_000

const isWord = (word: unknown): word is 'halt' | 'reduce' | 'resume' =>
  word === 'halt' || word === 'reduce' || word === 'resume'

export class SessionWindow {
  readonly #options: SessionWindowOptions
  readonly #curves = new Map<string, EquityDot[]>()
  #status: LiveStatus | undefined
  #statusText = ''
  #server: PageServer | undefined

  constructor(options: SessionWindowOptions) {
    this.#options = options
  }

  /** @returns the address of the page @throws {InputError} if the port is in use, or the pages were not built */
  async open(): Promise<string> {
    const { port } = this.#options
    this.#server = await servePage({
      port,
      page: 'session',
      hello: () => this.#hello(),
      news: (told) => {
        if (this.#status === undefined || told.get('status') === this.#statusText) return undefined
        told.set('status', this.#statusText)
        return { status: this.#status }
      },
      calls: { 'POST command': (_, body) => this.#command(body) },
    })
    return this.#server.url
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

  #hello(): SessionHello {
    const { kind, version, tell } = this.#options
    return { kind, version, curves: Object.fromEntries(this.#curves), canBeTold: tell !== undefined }
  }

  async #command(body: unknown): Promise<OperatorAnswer> {
    const { tell } = this.#options
    if (tell === undefined) throw new InputError('command', 'this session takes no commands of an operator')
    const fields = typeof body === 'object' && body !== null ? (body as { kind?: unknown; symbol?: unknown }) : {}
    const { kind, symbol } = fields
    if (!isWord(kind)) throw new InputError('command', 'expected halt, reduce or resume')
    if (symbol !== undefined && typeof symbol !== 'string') throw new InputError('symbol', 'expected a symbol')
    const answer = await tell(kind === 'resume' ? { kind, symbol } : { kind })
    if (!answer.isDone) throw new InputError('command', answer.message)
    return answer
  }
}

/** Drops every other point of the older half: recent points stay dense. */
function thinned(curve: readonly EquityDot[]): EquityDot[] {
  const middle = Math.floor(curve.length / 2)
  return curve.filter((_, index) => index >= middle || index % 2 === 0)
}
