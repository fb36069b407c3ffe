/**
 * Kills a service that is under load at random moments, again and again, and looks at what it shows when it is back.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { invariant } from '../../../src/domain/errors.ts'
import type { OrderJson } from '../../../src/domain/order.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { CrashWitness } from './crash-witness.ts'
import { lookAtDamagedLogs, type DamagedLogs } from './damaged-logs.ts'
import { KillableServer } from './killable-server.ts'
import { EXIT_CODE } from './state-server.ts'

export interface CrashRunSettings {
  readonly rounds: number
  /** A 32-bit integer. */
  readonly seed: number
  /** Is made by the first start. */
  readonly file: string
  /** After how many of the kills the log is damaged, in copies; default: none. */
  readonly damagedLogs?: number
  readonly progress?: (line: string) => void
}

export interface CrashRunReport {
  readonly faults: readonly string[]
  readonly kills: number
  /** Orders that were acknowledged. */
  readonly orders: number
  /** What became of copies with a damaged log. */
  readonly logs: Readonly<DamagedLogs>
  /** Milliseconds from the start of the process until it listens, shortest first. */
  readonly startsMs: readonly number[]
}

interface User {
  readonly id: string
  readonly key: string
}

const TRADERS = 8
const LONGEST_LIFE_MS = 400
const FULL_DISK_KILOBYTES = 300
const PAGE = 500
const JSON_TYPE = { 'content-type': 'application/json' }
const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL']

export async function crashRun({
  rounds,
  seed,
  file,
  damagedLogs = 0,
  progress,
}: CrashRunSettings): Promise<CrashRunReport> {
  const run = new CrashRun(seed, file)
  let kills = 0
  while (kills < rounds && run.witness.faults.length === 0) {
    await run.round()
    kills += 1
    if (kills <= damagedLogs) run.damageLogs()
    progress?.(`${kills} of ${rounds} kills, ${run.witness.acknowledged} orders acknowledged`)
  }
  await run.lookAtAll()
  return { kills, ...run.report }
}

/** Lets a service run out of disk under load, and looks at what it shows when there is room again. */
export async function fullDiskRun(seed: number, file: string): Promise<Omit<CrashRunReport, 'kills'>> {
  const run = new CrashRun(seed, file)
  await run.lookAtAll()
  await run.fillDisk()
  await run.lookAtAll()
  return run.report
}

class CrashRun {
  readonly witness = new CrashWitness()
  readonly startsMs: number[] = []
  readonly logs: DamagedLogs = { refused: 0, whole: 0 }
  readonly #chance: Chance
  readonly #file: string
  #user: User | undefined
  /** Orders before it have been looked at. */
  #from = 0

  constructor(seed: number, file: string) {
    this.#chance = new Chance(seed)
    this.#file = file
  }

  get report(): Omit<CrashRunReport, 'kills'> {
    const { faults, acknowledged } = this.witness
    return { faults, orders: acknowledged, logs: this.logs, startsMs: this.startsMs.toSorted((a, b) => a - b) }
  }

  /** One life of the service, and its end. */
  async round(): Promise<void> {
    if (this.#chance.oneIn(5)) await this.#killAtStart()
    await this.#live(async (baseUrl, user, server) => {
      await this.#look(baseUrl, user, this.#from)
      this.#from = this.witness.lastId
      await this.#tradeUntil(baseUrl, user, async () => {
        await setTimeout(this.#chance.below(LONGEST_LIFE_MS))
        await server.kill()
      })
    })
  }

  /** A life that ends by itself, when nothing more can be written. */
  async fillDisk(): Promise<void> {
    const server = new KillableServer(this.#file, FULL_DISK_KILOBYTES)
    try {
      const [baseUrl, user] = [await server.listening(), this.#user]
      invariant(user !== undefined, 'a user was made before')
      await this.#tradeUntil(baseUrl, user, async () => {
        if ((await server.ended()) !== EXIT_CODE) this.witness.faults.push('it did not end as it should')
      })
    } finally {
      await server.kill()
    }
    if (!server.complaints.includes(`${this.#file}: cannot be `)) this.witness.faults.push(server.complaints)
  }

  /** Of what the last kill left behind. */
  damageLogs(): void {
    invariant(this.#user !== undefined, 'a user was made before')
    lookAtDamagedLogs(this.#file, this.#user.id, this.#chance, this.witness, this.logs)
  }

  lookAtAll(): Promise<void> {
    return this.#live((baseUrl, user) => this.#look(baseUrl, user, 0))
  }

  async #live(live: (baseUrl: string, user: User, server: KillableServer) => Promise<void>): Promise<void> {
    const startedAt = performance.now()
    const server = new KillableServer(this.#file)
    try {
      const baseUrl = await server.listening()
      this.startsMs.push(performance.now() - startedAt)
      this.#user ??= await newUser(baseUrl)
      await live(baseUrl, this.#user, server)
    } finally {
      await server.kill()
    }
    if (server.complaints !== '') this.witness.faults.push(server.complaints)
  }

  /** Before it has read its state, while it does, or just after. */
  async #killAtStart(): Promise<void> {
    const server = new KillableServer(this.#file)
    await setTimeout(this.#chance.below(LONGEST_LIFE_MS))
    await server.kill()
  }

  async #tradeUntil(baseUrl: string, user: User, end: () => Promise<void>): Promise<void> {
    const life = new AbortController()
    const traders = Array.from({ length: TRADERS }, () => this.#trade(baseUrl, user, life.signal))
    await end()
    life.abort()
    await Promise.all(traders)
  }

  /** Sends orders and cancels until no one answers any more. */
  async #trade(baseUrl: string, { key }: User, signal: AbortSignal): Promise<void> {
    const headers = { ...JSON_TYPE, 'x-api-key': key }
    while (!signal.aborted) {
      const picked = this.#chance.oneIn(4) ? this.witness.pick(this.#chance) : undefined
      try {
        if (picked === undefined) {
          const body = JSON.stringify(this.witness.draw(this.#chance))
          const answer = await fetch(`${baseUrl}/orders`, { method: 'POST', headers, body, signal })
          const order = (await answer.json()) as OrderJson
          if (answer.status === 201) this.witness.created(order)
          else this.witness.faults.push(JSON.stringify(order))
        } else {
          const answer = await fetch(`${baseUrl}/orders/${picked.id}`, {
            method: 'DELETE',
            headers: { 'x-api-key': key },
            signal,
          })
          const order = (await answer.json()) as OrderJson
          if (answer.status === 200) this.witness.cancelled(order)
        }
      } catch {
        // No one knows what became of it; the next life will report.
        return
      }
    }
  }

  async #look(baseUrl: string, { key }: User, from: number): Promise<void> {
    const orders: OrderJson[] = []
    for (let page = 1; ; page += 1) {
      const answer = await fetch(`${baseUrl}/orders?limit=${PAGE}&page=${page}`, { headers: { 'x-api-key': key } })
      const shown = (await answer.json()) as readonly OrderJson[]
      orders.push(...shown)
      if (shown.length < PAGE || Number(shown.at(-1)?.id) <= from) break
    }
    this.witness.look(orders, from)
    const audit = await fetch(new URL('/emulator/audit', baseUrl))
    const { ok } = (await audit.json()) as { ok: boolean }
    if (!ok) this.witness.faults.push('the audit does not come out')
  }
}

/** Made once: every later life of the service must still know the key. */
async function newUser(baseUrl: string): Promise<User> {
  const post = async (path: string, body: object): Promise<User> => {
    const options = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) }
    return (await (await fetch(new URL(path, baseUrl), options)).json()) as User
  }
  const { id } = await post('/emulator/users', { email: 'ann@example.com', verified: true })
  for (const asset of ['USD', 'BTC']) await post(`/emulator/users/${id}/credits`, { asset, amount: '1000000000000' })
  const { key } = await post(`/emulator/users/${id}/keys`, { scopes: SCOPES })
  return { id, key }
}
