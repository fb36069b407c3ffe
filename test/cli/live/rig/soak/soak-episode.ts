/**
 * One episode of the soak: a market, a proxy that does harm, sessions that are frozen, killed and started again, and
 * what must hold then.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chance } from '../../../../exchange/rig/chance.ts'
import { HostileProxy } from '../hostile-proxy.ts'
import { eventually, pause } from '../patience.ts'
import { SessionProcess } from '../session-process.ts'
import { Venue } from '../venue.ts'
import { liveMisses, paperMisses, type SessionEvidence } from './soak-checks.ts'
import { SoakFaults, TIMEOUT_MS } from './soak-faults.ts'
import { SoakMarket, SYMBOLS } from './soak-market.ts'
import { LIVE_OWNERS, LIVE_STRATEGIES, PAPER_STRATEGY } from './soak-strategies.ts'

export interface EpisodeSettings {
  readonly seed: number
  readonly isPaper: boolean
  /** A folder of its own. */
  readonly folder: string
  /** How long faults go on. */
  readonly chaosMs: number
  /** Proves that a miss is seen: drops the last row of fills.csv before it is looked at. */
  readonly dropsFill?: boolean
}

export interface EpisodeReport {
  readonly misses: readonly string[]
  /** What happened, with seconds since the start. */
  readonly explanation: readonly string[]
  readonly counts: EpisodeCounts
}

export interface EpisodeCounts {
  readonly orders: number
  readonly fills: number
  readonly requests: number
  readonly faults: number
  readonly kills: number
  readonly sleeps: number
}

const CREDITS = { USD: '1000000', BTC: '10', ETH: '100' }
const SETTLE_MS = 8000
const STOP_MS = 60_000
const CALM_MS = 8000
const EVENTS = [
  ...['cut', 'cut', 'freeze', 'silence', 'outage', 'storm', 'jump', 'jump', 'foreign', 'foreign', 'foreign gone'],
  ...['kill', 'sleep'],
] as const
type SoakEvent = (typeof EVENTS)[number]
const MAX_KILLS = 2
const MAX_SLEEPS = 1

export async function soakEpisode(settings: EpisodeSettings): Promise<EpisodeReport> {
  const venue = await Venue.start({ limits: { general: 3000, mutations: 120, windowSeconds: 60 } }, CREDITS)
  const proxy = await HostileProxy.start(venue.emulator.baseUrl)
  const episode = new Episode(settings, venue, proxy)
  try {
    return await episode.run()
  } finally {
    await episode.close()
    await proxy.close()
    await venue.close()
  }
}

class Episode {
  readonly #settings: EpisodeSettings
  readonly #venue: Venue
  readonly #proxy: HostileProxy
  readonly #faults: SoakFaults
  readonly #market: SoakMarket
  readonly #chance: Chance
  readonly #startedAt = performance.now()
  readonly #explanation: string[] = []
  readonly #sessions: SessionProcess[] = []
  readonly #killed = new Set<SessionProcess>()
  readonly #endedByThemselves = new Set<SessionProcess>()
  readonly #foreign = new Set<string>()
  #sleeps = 0

  constructor(settings: EpisodeSettings, venue: Venue, proxy: HostileProxy) {
    const { seed, folder } = settings
    this.#settings = settings
    this.#venue = venue
    this.#proxy = proxy
    this.#faults = new SoakFaults(proxy, seed)
    this.#market = new SoakMarket(venue, seed)
    this.#chance = new Chance((seed * 8 + 7) >>> 0)
    proxy.hooks = this.#faults.hooks
    mkdirSync(folder, { recursive: true })
    for (const [index, text] of LIVE_STRATEGIES.entries())
      writeFileSync(this.#path(`${LIVE_OWNERS[index] ?? ''}.ts`), text)
    writeFileSync(this.#path('both.ts'), PAPER_STRATEGY)
  }

  async run(): Promise<EpisodeReport> {
    await this.#start()
    this.#faults.isActive = true
    const { chaosMs } = this.#settings
    const over = performance.now() + chaosMs
    while (performance.now() < over && !this.#isOver()) {
      await pause(Math.min(this.#chance.between(900, 4500), over - performance.now()))
      if (performance.now() < over && !this.#isOver()) await this.#meet(this.#chance.pick(EVENTS))
    }
    const isRough = !this.#settings.isPaper && this.#chance.oneIn(3)
    if (!isRough) await this.#calm()
    await this.#end(isRough)
    return this.#report(isRough)
  }

  async close(): Promise<void> {
    await this.#market.stop().catch(() => undefined)
    for (const [index, session] of this.#sessions.entries()) {
      await session.kill()
      writeFileSync(this.#path(`output-${index + 1}.txt`), session.output)
    }
  }

  get #session(): SessionProcess {
    const session = this.#sessions.at(-1)
    if (session === undefined) throw new Error('no session was started')
    return session
  }

  #path(name: string): string {
    return join(this.#settings.folder, name)
  }

  #note(text: string): void {
    this.#explanation.push(`${((performance.now() - this.#startedAt) / 1000).toFixed(1)} ${text}`)
  }

  /** Whether the session has ended, which no one reported it to. */
  #isOver(): boolean {
    if (this.#session.end === undefined) return false
    this.#endedByThemselves.add(this.#session)
    return true
  }

  async #start(): Promise<void> {
    const { isPaper, folder } = this.#settings
    const number = this.#sessions.length + 1
    const credit = Object.entries(CREDITS).flatMap(([asset, amount]) => ['--credit', `${amount}:${asset}`])
    const waits = ['--reconcile-ms', String(SETTLE_MS), '--timeout-ms', String(TIMEOUT_MS)]
    const session = new SessionProcess({
      ...(isPaper
        ? { command: 'paper', strategies: ['both.ts'] }
        : { strategies: LIVE_OWNERS.map((name) => `${name}.ts`) }),
      url: this.#proxy.url,
      key: isPaper ? undefined : this.#venue.key,
      cwd: folder,
      out: this.#path(`out-${number}`),
      state: this.#path('state'),
      // Each session has quantities of its own.
      args: [...(isPaper ? credit : waits), '--param', `base=${1000 * number}`],
    })
    this.#sessions.push(session)
    this.#note(`start ${number}`)
    await session.started().catch((error: unknown) => {
      this.#note(String(error).slice(0, 300))
      this.#endedByThemselves.add(session)
    })
  }

  async #meet(event: SoakEvent): Promise<void> {
    const { isPaper } = this.#settings
    if (isPaper && ['kill', 'foreign', 'foreign gone'].includes(event)) return
    if (event === 'kill' && this.#killed.size >= MAX_KILLS) return
    if (event === 'sleep' && this.#sleeps >= MAX_SLEEPS) return
    this.#note(event)
    this.#faults.count(event)
    await this.#happen(event)
  }

  async #happen(event: SoakEvent): Promise<void> {
    const chance = this.#chance
    switch (event) {
      case 'cut':
        this.#proxy.cutStreams(chance.pick(['none', 1001, 1011]))
        return
      case 'freeze':
        this.#proxy.freezeStreams()
        await pause(chance.between(500, 9000))
        this.#proxy.thawStreams()
        return
      case 'silence':
        await this.#silence(chance.between(3000, 9000))
        return
      case 'outage':
        this.#proxy.isDown = true
        this.#proxy.cutAll()
        await pause(chance.between(500, 4500))
        this.#proxy.isDown = false
        return
      case 'storm':
        this.#faults.stormUntil = performance.now() + chance.between(500, 4500)
        return
      case 'jump':
        this.#market.jump(chance.pick(SYMBOLS), (chance.oneIn(2) ? 1 : -1) * (0.0008 + chance.fraction() * 0.003))
        return
      case 'foreign':
        await this.#placeForeign()
        return
      case 'foreign gone':
        for (const id of [...this.#foreign].slice(-1)) await this.#venue.cancel(id).catch(() => undefined)
        return
      case 'kill':
        await this.#kill()
        return
      case 'sleep':
        this.#sleeps += 1
        this.#session.signal('SIGSTOP')
        await pause(chance.between(1500, 15_000))
        this.#session.signal('SIGCONT')
    }
  }

  /** The stream is connected and carries no data. */
  async #silence(ms: number): Promise<void> {
    this.#proxy.hooks = { ...this.#faults.hooks, onFrame: (frame) => (frame.includes('"stream"') ? [] : undefined) }
    await pause(ms)
    this.#proxy.hooks = this.#faults.hooks
  }

  async #placeForeign(): Promise<void> {
    const chance = this.#chance
    const symbol = chance.pick(SYMBOLS)
    const isBuy = chance.oneIn(2)
    const away = chance.oneIn(2) ? 0.05 : 0.0005
    const price = (this.#market.priceOf(symbol) * (1 + (isBuy ? -away : away))).toFixed(2)
    const qty = `0.0${700 + this.#foreign.size}`
    const order = await this.#venue
      .foreignOrder({ symbol, side: isBuy ? 'BUY' : 'SELL', price, qty })
      .catch(() => undefined)
    if (order !== undefined) this.#foreign.add(order.id)
  }

  /** Kills the session beside the next order that it sends, or at once when none comes. */
  async #kill(): Promise<void> {
    const session = this.#session
    const sent = (): number => this.#proxy.sent('POST', /^\/orders$/).length
    const before = sent()
    await eventually(() => sent() > before || session.end !== undefined, () => '', 4000).catch(() => undefined) // prettier-ignore
    await pause(this.#chance.between(0, 60))
    if (this.#isOver()) return
    this.#killed.add(session)
    await session.kill()
    await pause(this.#chance.between(100, 4000))
    await this.#start()
  }

  async #calm(): Promise<void> {
    this.#note('calm')
    this.#faults.isActive = false
    this.#faults.stormUntil = 0
    await pause(CALM_MS)
  }

  async #end(isRough: boolean): Promise<void> {
    const session = this.#session
    if (!this.#isOver()) {
      const signal = this.#chance.pick(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      this.#note(`${signal}${isRough ? ' while faults go on' : ''}`)
      session.signal(signal)
      await eventually(() => session.end, () => '', STOP_MS).catch(() => undefined) // prettier-ignore
      this.#note(`exit code ${String(session.end?.code)}`)
      if (session.end === undefined) await session.kill()
    }
    this.#faults.isActive = false
    await this.#faults.settled()
    await this.#market.stop()
  }

  async #report(isRough: boolean): Promise<EpisodeReport> {
    const { isPaper } = this.#settings
    const sessions = this.#evidence()
    const common = { sessions, credits: CREDITS, isRough }
    const [orders, fills] = isPaper ? [[], []] : [await this.#venue.allOrders(), await this.#venue.fills()]
    const cancelled = new Set(
      this.#proxy.sent('DELETE', /^\/orders\//).map(({ path }) => path.slice('/orders/'.length)),
    )
    const { requests } = this.#proxy
    const isPrivate = ({ method, headers }: (typeof requests)[number]): boolean => method !== 'GET' || headers['x-api-key'] !== undefined // prettier-ignore
    const misses = isPaper
      ? paperMisses({ ...common, balances: this.#paperBalances(), privateRequests: requests.filter(isPrivate).map(({ path }) => path) }) // prettier-ignore
      : liveMisses({ ...common, orders, fills, cancelled, foreign: this.#foreign, balances: await this.#venue.balances() }) // prettier-ignore
    const rows = sessions.flatMap((session) => (isPaper ? session.orders : []))
    const counts = {
      orders: isPaper ? rows.length : orders.length - this.#foreign.size,
      fills: sessions.reduce((sum, session) => sum + session.fills.length, 0),
      requests: requests.length,
      faults: [...this.#faults.counts.values()].reduce((sum, count) => sum + count, 0),
      kills: this.#killed.size,
      sleeps: this.#sleeps,
    }
    return { misses, explanation: this.#explanation, counts }
  }

  #evidence(): readonly SessionEvidence[] {
    const owners = this.#settings.isPaper ? [''] : LIVE_OWNERS
    let drops = this.#settings.dropsFill === true
    return this.#sessions.map((session) => {
      const fills = owners.flatMap((owner) => session.rows('fills.csv', owner))
      const isDropped = drops && fills.length > 0
      drops &&= !isDropped
      return {
        exitCode: this.#killed.has(session) ? undefined : (session.end?.code ?? null),
        endedByItself: this.#endedByThemselves.has(session),
        hasReports: owners.every((owner) => session.hasReport(owner)),
        output: session.output,
        fills: isDropped ? fills.slice(0, -1) : fills,
        orders: owners.flatMap((owner) => session.rows('orders.csv', owner)),
      }
    })
  }

  #paperBalances(): Readonly<Record<string, { available: string; locked: string }>> {
    return this.#session.hasReport() ? this.#session.report().balances : {}
  }
}
