/**
 * A service that is asked for its rules: every answer is kept, and a read is asked once however many rules look at it.
 *
 * Invariant: what was created here is known by its id until it is cancelled, and nothing else is ever cancelled.
 */
import type { Market } from '../../domain/market.ts'
import type { ProbedAnswer, ProbeRequest, ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { bodyOf, idOf, rowsOf, told, tradesPath } from './answer-reading.ts'
import { NotShown } from './verdict.ts'

/** The longest wait that a 429 is given. */
const MOST_WAIT_MS = 61_000
const UNAVAILABLE = new Set([429, 503, 504])

export interface WatchedServiceOptions {
  readonly probe: ServiceProbe
  readonly key: string | undefined
  readonly streamUrl: string
}

export class WatchedService {
  readonly probe: ServiceProbe
  readonly streamUrl: string
  /** In the order in which they came. */
  readonly answers: ProbedAnswer[] = []
  /** Ids of our own orders that may still be open. */
  readonly created = new Set<string>()
  /** Creations whose outcome is not known, in words. */
  readonly unknown: string[] = []
  readonly #key: string | undefined
  readonly #reads = new Map<string, Promise<ProbedAnswer>>()
  readonly #shared = new Map<string, Promise<unknown>>()

  constructor({ probe, key, streamUrl }: WatchedServiceOptions) {
    this.probe = probe
    this.streamUrl = streamUrl
    this.#key = key
  }

  /** @throws {NotShown} without one */
  get key(): string {
    if (this.#key === undefined) throw new NotShown('no key was given')
    return this.#key
  }

  /**
   * An answer, whatever it says. After a 429, which has done nothing, it waits and asks once more.
   *
   * @throws {NotShown} when none came, or one that says to come later
   */
  async ask(request: ProbeRequest): Promise<ProbedAnswer> {
    let answer = await this.#send(request)
    if (answer.status === 429) {
      await this.probe.pause(Math.min(MOST_WAIT_MS, 1000 * Math.max(1, Number(answer.headers['retry-after']) || 60)))
      answer = await this.#send(request)
    }
    if (UNAVAILABLE.has(answer.status)) throw new NotShown(`the service answered ${told(answer)}`)
    return answer
  }

  /** A public read. */
  open(path: string): Promise<ProbedAnswer> {
    return this.#once(`open ${path}`, () => this.ask({ method: 'GET', path }))
  }

  /** A protected read. @throws {NotShown} for a key that may not */
  read(path: string): Promise<ProbedAnswer> {
    return this.#once(path, () => this.readNow(path))
  }

  /** As `read`, and never an answer of before. */
  async readNow(path: string): Promise<ProbedAnswer> {
    const answer = await this.ask({ method: 'GET', path, key: this.key })
    if (answer.status === 401 || answer.status === 403) throw new NotShown(`the key is not allowed to: ${told(answer)}`)
    return answer
  }

  /** What several rules look at, made once. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(name) as Promise<T> | undefined
    const made = known ?? make()
    this.#shared.set(name, made)
    return made
  }

  /** The market that is looked at: the first one with trades, or the first one. */
  market(): Promise<Market> {
    return this.shared('market', async () => {
      const listed = rowsOf(bodyOf(await this.open('/markets'), 200, 'data')) as unknown as readonly Market[]
      const [first] = listed
      if (first === undefined) throw new NotShown('the service lists no markets')
      for (const market of listed.slice(0, 5)) {
        const { json } = await this.open(tradesPath(market.symbol))
        if (Array.isArray(json) && json.length > 0) return market
      }
      return first
    })
  }

  #once(name: string, ask: () => Promise<ProbedAnswer>): Promise<ProbedAnswer> {
    const answer = this.#reads.get(name) ?? ask()
    this.#reads.set(name, answer)
    return answer
  }

  async #send(request: ProbeRequest): Promise<ProbedAnswer> {
    const answer = await this.probe.send(request)
    const isCreation = request.method === 'POST' && request.path === '/orders'
    if (answer.type === 'no-answer') {
      if (isCreation) this.unknown.push(request.body ?? '')
      throw new NotShown(`${request.method} ${request.path}: ${answer.reason}`)
    }
    this.answers.push(answer)
    if (isCreation) this.#remember(answer, request)
    return answer
  }

  #remember({ status, json }: ProbedAnswer, { body = '' }: ProbeRequest): void {
    if (status >= 400 && status < 500) return
    const id = idOf(json)
    if (id === undefined) this.unknown.push(body)
    else this.created.add(id)
  }
}
