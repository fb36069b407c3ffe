/**
 * Client of the tested service: stores every answer, and sends each read only once for all rules.
 *
 * Invariant: the id of every created order is known until it is cancelled, and no other order is ever cancelled.
 */
import type { Market } from '../../domain/market.ts'
import type { ProbedAnswer, ProbeRequest, ServiceProbe } from '../../adapter/live/probe/service-probe.ts'
import { bodyOf, idOf, rowsOf, reported, tradesPath } from './answer-reading.ts'
import { NotShown } from './verdict.ts'

/** Longest wait after a 429. */
const MAX_WAIT_MS = 61_000
const UNAVAILABLE = new Set([429, 503, 504])

export interface WatchedServiceOptions {
  readonly probe: ServiceProbe
  readonly key: string | undefined
  readonly streamUrl: string
}

export class WatchedService {
  readonly probe: ServiceProbe
  readonly streamUrl: string
  /** Answers in order of arrival. */
  readonly answers: ProbedAnswer[] = []
  /** Ids of our own orders that may still be open. */
  readonly created = new Set<string>()
  /** Order requests with an unknown outcome, as text. */
  readonly unknown: string[] = []
  readonly #key: string | undefined
  readonly #reads = new Map<string, Promise<ProbedAnswer>>()
  readonly #shared = new Map<string, Promise<unknown>>()

  constructor({ probe, key, streamUrl }: WatchedServiceOptions) {
    this.probe = probe
    this.streamUrl = streamUrl
    this.#key = key
  }

  /** @throws {NotShown} without a key */
  get key(): string {
    if (this.#key === undefined) throw new NotShown('no key was given')
    return this.#key
  }

  /**
   * The answer of the service. After a 429, which has no effect, it waits and retries once.
   *
   * @throws {NotShown} without an answer, or if the service is unavailable
   */
  async ask(request: ProbeRequest): Promise<ProbedAnswer> {
    let answer = await this.#send(request)
    if (answer.status === 429) {
      await this.probe.pause(Math.min(MAX_WAIT_MS, 1000 * Math.max(1, Number(answer.headers['retry-after']) || 60)))
      answer = await this.#send(request)
    }
    if (UNAVAILABLE.has(answer.status)) throw new NotShown(`the service answered ${reported(answer)}`)
    return answer
  }

  /** A public read. */
  open(path: string): Promise<ProbedAnswer> {
    return this.#once(`open ${path}`, () => this.ask({ method: 'GET', path }))
  }

  /** A protected read. @throws {NotShown} if the key is not allowed to */
  read(path: string): Promise<ProbedAnswer> {
    return this.#once(path, () => this.readNow(path))
  }

  /** Like `read`, but never cached. */
  async readNow(path: string): Promise<ProbedAnswer> {
    const answer = await this.ask({ method: 'GET', path, key: this.key })
    if (answer.status === 401 || answer.status === 403)
      throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
    return answer
  }

  /** A value that several rules use, computed once. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(name) as Promise<T> | undefined
    const made = known ?? make()
    this.#shared.set(name, made)
    return made
  }

  /** The market used for the tests: the first one with trades, otherwise the first. */
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
