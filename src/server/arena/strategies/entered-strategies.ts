/**
 * The strategies that an arena runs: each is a player with a key, in a process of its own, at the address of all.
 *
 * Invariant: whatever a strategy does, the server goes on. A strategy that fails, does not respond or takes too much
 * memory is ended, with its reason on the board.
 *
 * Known limit: the code has the rights of the server, so it could read its files. Only the operator names it.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InputError, invariant } from '../../../domain/errors.ts'
import { WatchedProcess } from '../../../run/watched-process.ts'
import { DEFAULT_MARKETS } from '../../emulator/emulator-config.ts'
import { ServiceError } from '../../envelope/service-error.ts'
import { MACHINE_CLOCK } from '../../service/machine-clock.ts'
import type { SeasonFiles, SeasonHost } from '../season-host.ts'
import { strategiesOf, type Season, type StrategyTerms } from '../season.ts'
import type { StrategyCommand, StrategyJob, StrategyMessage } from './strategy-messages.ts'

const LOOK_MS = 1_000
/** Longest silence while the program and the strategy are loaded, also on a busy machine. */
const MAX_LOADING_S = 60
const MAX_END_MS = 10_000
/** Memory of a process beyond its heap: code, buffers, and what is freed late. */
const BESIDES_HEAP_MB = 384
/** Longest output of a process, which goes to its log. */
const MAX_LOG_MB = 20
const PAGE_BYTES = 4_096
const MIB = 2 ** 20

/** The exchange at which they trade. */
interface Venue {
  readonly host: SeasonHost
  /** Base URL of the REST API. */
  readonly baseUrl: string
  /** Receives warnings. */
  readonly onNotice?: ((message: string) => void) | undefined
}

export class EnteredStrategies {
  readonly #season: Season
  readonly #all: readonly RunningStrategy[]
  #timer: NodeJS.Timeout | undefined

  /** Starts to load them. @throws {InputError} for files of another season */
  constructor(season: Season, { where, journal }: SeasonFiles) {
    this.#season = season
    const isOver = MACHINE_CLOCK.now() >= season.end
    const folder = `${journal.replace(/\.journal$/, '')}-strategies`
    const [{ symbol } = { symbol: '' }] = season.terms.markets ?? DEFAULT_MARKETS
    const all = isOver ? [] : strategiesOf(season).map((terms) => ({ terms, folder: join(folder, terms.name) }))
    const used = all.find((each) => existsSync(join(each.folder, 'state')))
    if (used !== undefined && !existsSync(journal)) {
      throw new InputError(used.folder, 'has the files of another season: remove them, or use another --journal')
    }
    this.#all = all.map(({ terms, folder: own }, index) => {
      const isFile = /\.[cm]?[jt]s$/.test(terms.strategy)
      const strategy = isFile ? resolve(dirname(where), terms.strategy) : terms.strategy
      const place = `${where} strategies.${index}`
      return new RunningStrategy(terms, place, { strategy, params: terms.params, symbol, folder: own })
    })
    if (all.length === 0) return
    this.#timer = setInterval(() => {
      for (const each of this.#all) each.look()
    }, LOOK_MS)
  }

  /** Waits until all are loaded. @throws {InputError} before the start of the season, for one that cannot be loaded */
  async loaded(): Promise<void> {
    const faults = await Promise.all(this.#all.map((each) => each.loaded))
    const fault = faults.find((each) => each !== undefined)
    // Later, a restart must not depend on it: the season goes on without it.
    if (fault !== undefined && MACHINE_CLOCK.now() < this.#season.start) throw fault
  }

  /** Lets them trade from the start of the season to its end. */
  enter({ host, baseUrl, onNotice = () => undefined }: Venue): void {
    const { start } = this.#season
    const [market] = host.journal.fold.exchange.markets
    invariant(market !== undefined, 'an exchange has a market')
    const { symbol, makerFeeBps, takerFeeBps } = market
    const url = baseUrl.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
    const entered = host.enterStrategies()
    for (const each of this.#all) {
      const trading = entered.find(({ terms }) => terms.name === each.name)
      if (trading === undefined) {
        const { result, players } = host.journal.fold
        const isKnown = result !== undefined || players.some(({ name }) => name === each.name)
        if (!isKnown) onNotice(`${each.name} does not trade: the season had begun before it could join`)
        each.kill()
        continue
      }
      const { account, key: apiKey } = trading
      each.onLost = (why) => {
        try {
          host.stopStrategy(account, why)
        } catch (error) {
          // The server has failed, and reports that itself.
          if (!(error instanceof ServiceError)) throw error
        }
      }
      each.onLook = () => {
        if (host.journal.fold.result !== undefined) each.stop()
        else if (MACHINE_CLOCK.now() >= start)
          each.begin({ type: 'begin', url, apiKey, symbol, fees: { makerFeeBps, takerFeeBps } })
      }
    }
  }

  /** Stops them, and leaves their orders. */
  async close(): Promise<void> {
    const closing = this.#all.map((each) => each.close())
    await Promise.all(closing)
    clearInterval(this.#timer)
  }
}

class RunningStrategy {
  readonly name: string
  /** Undefined for one that can run. */
  readonly loaded: Promise<InputError | undefined>
  /** Called once a second while it runs. */
  onLook: () => void = () => undefined
  readonly #process: WatchedProcess<StrategyJob | StrategyCommand, StrategyMessage>
  readonly #ended: Promise<void>
  readonly #place: string
  readonly #maxMb: number
  readonly #log: string
  readonly #turnSeconds: number
  #finishLoading: (fault?: InputError) => void = () => undefined
  #finish: () => void = () => undefined
  #isLoaded = false
  #isBegun = false
  #isStopping = false
  #why: string | undefined
  #onLost: ((why: string) => void) | undefined

  constructor({ name, memoryMb, turnSeconds }: StrategyTerms, place: string, job: StrategyJob) {
    this.name = name
    this.#place = place
    this.#turnSeconds = turnSeconds
    this.#maxMb = memoryMb + BESIDES_HEAP_MB
    this.loaded = new Promise((resolve) => {
      this.#finishLoading = resolve
    })
    this.#ended = new Promise((resolve) => {
      this.#finish = resolve
    })
    mkdirSync(job.folder, { recursive: true })
    this.#log = join(job.folder, 'strategy.log')
    const output = openSync(this.#log, 'a', 0o600)
    try {
      const url = import.meta.url.replace(/entered-strategies(\.[jt]s)$/, 'strategy-entry$1')
      const listener = { onMessage: this.#hear, onLost: this.#lose }
      this.#process = new WatchedProcess(url, { output, heapMb: memoryMb }, listener)
    } finally {
      closeSync(output)
    }
    this.#process.send(job)
  }

  /** Receives the reason of an early end, also of an earlier one. */
  set onLost(onLost: (why: string) => void) {
    this.#onLost = onLost
    if (this.#why !== undefined) onLost(this.#why)
  }

  look(): void {
    this.#process.look(this.#isLoaded ? this.#turnSeconds : Math.max(MAX_LOADING_S, this.#turnSeconds))
    const usedMb = residentMb(this.#process.pid)
    if (usedMb > this.#maxMb) this.#process.lose(`it took ${Math.round(usedMb)} MB of memory`)
    if ((statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_MB * MIB) {
      this.#process.lose(`it printed more than ${MAX_LOG_MB} MB`)
    }
    this.onLook()
  }

  begin(command: StrategyCommand): void {
    if (!this.#isBegun) this.#process.send(command)
    this.#isBegun = true
  }

  stop(): void {
    if (!this.#isStopping) this.#process.send({ type: 'stop' })
    this.#isStopping = true
  }

  kill(): void {
    this.#process.kill()
    this.#finish()
  }

  async close(): Promise<void> {
    this.stop()
    const timer = setTimeout(() => {
      this.kill()
    }, MAX_END_MS)
    await this.#ended
    clearTimeout(timer)
  }

  readonly #hear = (message: StrategyMessage): void => {
    if (message.type === 'loaded') {
      this.#isLoaded = true
      this.#finishLoading()
    } else if (message.type === 'failed') this.#process.lose(message.why)
    else if (message.type === 'ended') {
      this.#process.end()
      this.#finish()
    }
  }

  readonly #lose = (why: string): void => {
    this.#finishLoading(new InputError(this.#place, why))
    this.#finish()
    this.#why = why
    // What happens to it while it is stopped is no failure.
    if (!this.#isStopping) this.#onLost?.(why)
  }
}

/** Memory that a process has; 0 if the system does not show it. */
function residentMb(pid: number | undefined): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * PAGE_BYTES) / MIB
  } catch {
    // Linux alone has it, while the process runs.
    return 0
  }
}
