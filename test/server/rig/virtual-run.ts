/**
 * Ends an emulator under a virtual clock at random moments, most times by a kill, while its time is moved and keys come
 * and go.
 */
import { setTimeout } from 'node:timers/promises'
import { invariant } from '../../../src/domain/errors.ts'
import type { OrderJson } from '../../../src/domain/order.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { KillableServer } from './killable-server.ts'
import { VirtualWitness } from './virtual-witness.ts'

export interface VirtualRunSettings {
  readonly rounds: number
  /** A 32-bit integer. */
  readonly seed: number
  /** Is made by the first start. */
  readonly file: string
  readonly progress?: (line: string) => void
}

const LONGEST_LIFE_MS = 600
const LOOKED_AT = 60
const SCOPES = ['ACCOUNT_READ', 'ORDER_CREATE']
const JSON_TYPE = { 'content-type': 'application/json' }

export type VirtualRunReport = VirtualWitness['counts'] & {
  readonly kills: number
  readonly faults: readonly string[]
}

export async function virtualRun({ rounds, seed, file, progress }: VirtualRunSettings): Promise<VirtualRunReport> {
  const run = new VirtualRun(seed, file)
  let kills = 0
  while (kills < rounds && run.witness.faults.length === 0) {
    if (await run.round()) kills += 1
    progress?.(`${kills} of ${rounds} kills, ${run.witness.counts.keys} keys`)
  }
  await run.lookAtAll()
  return { kills, faults: run.witness.faults, ...run.witness.counts }
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Asked {
  readonly body?: object
  readonly key?: string
  readonly method?: string
}

class VirtualRun {
  readonly witness = new VirtualWitness()
  readonly #chance: Chance
  readonly #file: string
  #user: { readonly id: string; readonly key: string } | undefined

  constructor(seed: number, file: string) {
    this.#chance = new Chance(seed)
    this.#file = file
  }

  /** One life, and its end. @returns whether it was killed */
  async round(): Promise<boolean> {
    const isKilled = !this.#chance.oneIn(5)
    await this.#live(async (baseUrl, server) => {
      await this.#look(baseUrl)
      const { keys } = this.witness.counts
      const life = new AbortController()
      const order = () => this.#order(baseUrl)
      const callers = [() => this.#moveTime(baseUrl), order, order, () => this.#changeKeys(baseUrl)].map((caller) =>
        this.#until(life.signal, caller),
      )
      await setTimeout(this.#chance.below(LONGEST_LIFE_MS))
      await this.#untilKeys(keys + 1)
      await (isKilled ? server.kill() : server.stop())
      life.abort()
      await Promise.all(callers)
    })
    return isKilled
  }

  lookAtAll(): Promise<void> {
    return this.#live((baseUrl) => this.#look(baseUrl))
  }

  async #live(live: (baseUrl: string, server: KillableServer) => Promise<void>): Promise<void> {
    const server = new KillableServer(this.#file, 'unlimited', '--serve-virtual')
    try {
      await live(await server.listening(), server)
    } finally {
      await server.kill()
    }
    if (server.complaints !== '') this.witness.faults.push(server.complaints)
  }

  /** A machine that has no time for us is waited for, within reason. */
  async #untilKeys(count: number): Promise<void> {
    for (let turn = 0; turn < 1_000 && this.witness.counts.keys < count; turn += 1) await setTimeout(5)
  }

  /** No one knows what became of the last call; the next life will report. */
  async #until(signal: AbortSignal, call: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await call()
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        return
      }
    }
  }

  async #ask(baseUrl: string, path: string, { body, key, method }: Asked = {}): Promise<Answer> {
    const response = await fetch(path.startsWith('/emulator') ? new URL(path, baseUrl) : baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(body === undefined ? {} : JSON_TYPE), ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    this.witness.answered(response.headers.get('x-request-id'))
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async #moveTime(baseUrl: string): Promise<void> {
    const before = this.witness.time
    const { status, body } = await this.#ask(baseUrl, '/emulator/clock', {
      body: { advanceMs: this.#chance.below(100_000) },
    })
    if (status === 200) this.witness.reported((body as { now: number }).now, before, 'the clock')
  }

  async #order(baseUrl: string): Promise<void> {
    const before = this.witness.time
    const order = {
      symbol: 'BTC_USD',
      side: this.#chance.pick(['BUY', 'SELL']),
      type: 'LIMIT',
      price: String(this.#chance.between(95, 105)),
      qty: '1',
    }
    const { status, body } = await this.#ask(baseUrl, '/orders', { body: order, key: this.#known.key })
    const { id, createdAt } = body as OrderJson
    if (status === 201) this.witness.ordered(Number(id), Date.parse(createdAt), before)
    else if (status !== 503) this.witness.faults.push(JSON.stringify(body))
  }

  async #changeKeys(baseUrl: string): Promise<void> {
    const made = await this.#ask(baseUrl, `/emulator/users/${this.#known.id}/keys`, { body: { scopes: SCOPES } })
    const { id, key } = made.body as { id: string; key: string }
    if (made.status !== 201) return
    this.witness.madeKey(id, key)
    if (this.#chance.oneIn(2)) return
    this.witness.revoking(id)
    const { status } = await this.#ask(baseUrl, `/emulator/keys/${id}`, { method: 'DELETE' })
    if (status === 204) this.witness.revoked(id)
  }

  async #look(baseUrl: string): Promise<void> {
    const before = this.witness.time
    const { body } = await this.#ask(baseUrl, '/emulator/clock')
    this.witness.reported((body as { now: number }).now, before, 'the clock')
    for (const [id, key] of this.witness.knownKeys(LOOKED_AT)) {
      this.witness.lookAtKey(id, key, (await this.#ask(baseUrl, '/balances', { key: key.text })).status)
    }
    const audit = await this.#ask(baseUrl, '/emulator/audit')
    if (!(audit.body as { ok: boolean }).ok) this.witness.faults.push('the audit does not come out')
    if (this.#user === undefined) await this.#makeUser(baseUrl)
  }

  /** Made once: every later life must still know the key. */
  async #makeUser(baseUrl: string): Promise<void> {
    const made = await this.#ask(baseUrl, '/emulator/users', { body: { email: 'ann@example.com', verified: true } })
    const { id } = made.body as { id: string }
    for (const asset of ['USD', 'BTC']) {
      await this.#ask(baseUrl, `/emulator/users/${id}/credits`, { body: { asset, amount: '1000000000' } })
    }
    const { body } = await this.#ask(baseUrl, `/emulator/users/${id}/keys`, { body: { scopes: SCOPES } })
    const { id: keyId, key } = body as { id: string; key: string }
    this.witness.madeKey(keyId, key)
    this.#user = { id, key }
  }

  get #known(): { readonly id: string; readonly key: string } {
    invariant(this.#user !== undefined, 'the first look makes a user')
    return this.#user
  }
}
