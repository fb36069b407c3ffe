/**
 * Kills a live account in mid-order, or the service under it, again and again, and lays the orders of the service
 * beside the intents that are on the account's disk.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LiveState } from '../../../../src/store/state/live/live-state.ts'
import type { PersistedIntent } from '../../../../src/store/state/live/persisted-intent.ts'
import { startEmulator } from '../../../../src/server/emulator/emulator.ts'
import { Chance } from '../../../exchange/rig/chance.ts'
import { BOT_CONFIG } from './crash-live-settings.ts'
import { KillableProcess } from './killable-process.ts'

export interface CrashLiveSettings {
  readonly rounds: number
  /** A 32-bit integer. */
  readonly seed: number
  /** Empty, or not there yet. */
  readonly folder: string
  readonly progress?: (line: string) => void
}

export interface CrashLiveReport {
  readonly faults: readonly string[]
  /** On the service at the end. */
  readonly orders: number
  /** Creations that were under way at a kill, or had no answer. */
  readonly cut: number
  /** Those of them whose order was there. */
  readonly adopted: number
}

interface Service {
  readonly url: string
  readonly apiKey: string
}

const SETTLE_MS = 1_500
const LONGEST_LIFE_MS = 700
const LONGEST_START_MS = 1_500
const LONGEST_OUTAGE_MS = 300
/** Kills for one that was asked for, while none has cut a creation off. */
const MAX_TIMES = 6

/** Kills the account, before one service. */
export async function killBots({ rounds, seed, folder, progress }: CrashLiveSettings): Promise<CrashLiveReport> {
  const chance = new Chance(seed)
  let posts = 0
  const emulator = await startEmulator({
    config: BOT_CONFIG,
    onAnswer: ({ method, route }) => {
      if (method === 'POST' && route?.endsWith('/orders') === true) posts += 1
    },
  })
  const bots = new Bots({ url: emulator.baseUrl, apiKey: emulator.users[0]?.keys[0] ?? '' }, folder, seed)
  try {
    for (let kills = 1; isToGoOn(bots, kills, rounds, bots.cut); kills += 1) {
      const bot = bots.start()
      if (chance.oneIn(6)) await sleep(chance.below(LONGEST_START_MS))
      else {
        await bot.reported('ready')
        await sleep(chance.below(LONGEST_LIFE_MS))
      }
      await bots.kill(bot)
      progress?.(`${kills} of ${rounds} kills, ${posts} POSTs`)
    }
    const report = await bots.compare()
    const intents = bots.intents()
    const extra = posts > intents.length ? [`${posts} POSTs for ${intents.length} intents`] : []
    return { ...report, faults: [...report.faults, ...extra] }
  } finally {
    await bots.close()
    await emulator.close()
  }
}

/** Kills the service, under one account. */
export async function killServices({ rounds, seed, folder, progress }: CrashLiveSettings): Promise<CrashLiveReport> {
  const chance = new Chance(seed)
  mkdirSync(folder, { recursive: true })
  const state = join(folder, 'service.db')
  const serve = async (port: number): Promise<{ process: KillableProcess; port: number; key: string }> => {
    const process = new KillableProcess('--serve', { state, port })
    return { process, ...(JSON.parse(await process.reported('{')) as { port: number; key: string }) }
  }
  const first = await serve(0)
  const { port, key } = first
  let service = first.process
  const bots = new Bots({ url: `http://127.0.0.1:${port}/v1`, apiKey: key }, folder, seed)
  try {
    const bot = bots.start()
    await bot.reported('ready')
    for (let kills = 1; isToGoOn(bots, kills, rounds, unansweredOf(bot)); kills += 1) {
      const heard = bot.lines.length
      // Until it trades again: one side of the market may wait for what is settled.
      while (bot.lines.length < heard + 5) await sleep(20)
      await sleep(chance.below(LONGEST_LIFE_MS))
      await service.kill()
      if (service.complaints !== '') bots.faults.push(service.complaints)
      await sleep(chance.below(LONGEST_OUTAGE_MS))
      service = (await serve(port)).process
      progress?.(`${kills} of ${rounds} kills, ${bot.lines.length} answers`)
    }
    return await bots.compare(bot)
  } finally {
    await bots.close()
    await service.kill()
  }
}

/**
 * Whether another kill follows: after the last one too while none has cut a creation off, for the moments are chance.
 */
const isToGoOn = ({ faults }: Bots, kills: number, rounds: number, cut: number): boolean =>
  faults.length === 0 && (kills <= rounds || (cut === 0 && kills <= MAX_TIMES * rounds))

const unansweredOf = ({ lines }: KillableProcess): number => lines.filter((line) => line === 'unknown').length

/** The lives of one account. */
class Bots {
  readonly faults: string[] = []
  readonly #service: Service
  readonly #folder: string
  readonly #seed: number
  readonly #running = new Set<KillableProcess>()
  readonly #acknowledged: string[] = []
  #lives = 0
  #cut = 0

  constructor(service: Service, folder: string, seed: number) {
    this.#service = service
    this.#folder = join(folder, 'account')
    this.#seed = seed
  }

  /** Creations that were under way at a kill of the account. */
  get cut(): number {
    return this.#cut
  }

  start(): KillableProcess {
    this.#lives += 1
    const settings = { ...this.#service, state: this.#folder, settleMs: SETTLE_MS, seed: this.#seed + this.#lives }
    const bot = new KillableProcess('--bot', { ...settings, session: `life ${this.#lives}` })
    this.#running.add(bot)
    return bot
  }

  async kill(bot: KillableProcess): Promise<void> {
    await bot.kill()
    this.#cut += this.intents().filter(({ state }) => state === 'SENDING' || state === 'UNKNOWN').length
    this.#hear(bot)
  }

  /** As they are on disk; none before there is a disk. */
  intents(): readonly PersistedIntent[] {
    const state = LiveState.openOrMake(join(this.#folder, 'live.db'))
    try {
      return state.intents()
    } finally {
      state.close()
    }
  }

  /** Lets a life end by itself, and compares the two sides. */
  async compare(bot: KillableProcess = this.start()): Promise<CrashLiveReport> {
    await bot.reported('ready')
    bot.end()
    await bot.reported('done')
    this.#hear(bot)
    const [intents, orders] = [this.intents(), await this.#orders()]
    this.faults.push(...compareSets(intents, orders, this.#acknowledged))
    const cut = this.#cut + unansweredOf(bot)
    const orderIds = new Set(this.#acknowledged)
    const adopted = intents.filter(({ orderId }) => orderId !== undefined && !orderIds.has(orderId)).length
    return { faults: this.faults, orders: orders.length, cut, adopted }
  }

  async close(): Promise<void> {
    for (const bot of this.#running) await bot.kill()
  }

  #hear(bot: KillableProcess): void {
    this.#running.delete(bot)
    if (bot.complaints !== '') this.faults.push(bot.complaints)
    for (const line of bot.lines) {
      if (/placed by another program|halted \(/.test(line)) this.faults.push(line)
      if (line.startsWith('acknowledged ')) this.#acknowledged.push(line.slice('acknowledged '.length))
      if (line.startsWith('refused ') && !line.endsWith('the session ends')) this.faults.push(line)
    }
  }

  async #orders(): Promise<readonly ServedOrder[]> {
    const { url, apiKey } = this.#service
    const orders = new Map<string, ServedOrder>()
    for (let page = 1; ; page += 1) {
      const answer = await fetch(`${url}/orders?limit=500&page=${page}`, { headers: { 'x-api-key': apiKey } })
      const rows = (await answer.json()) as readonly ServedOrder[]
      if (rows.length === 0) return [...orders.values()]
      for (const row of rows) orders.set(row.id, row)
    }
  }
}

interface ServedOrder {
  readonly id: string
  readonly side: string
  readonly status: string
  readonly price: string
  readonly qty: string
  readonly filledQty: string
}

function compareSets(
  intents: readonly PersistedIntent[],
  orders: readonly ServedOrder[],
  acknowledged: readonly string[],
): readonly string[] {
  const faults: string[] = []
  const ordersById = new Map(orders.map((order) => [order.id, order]))
  const intentsByOrder = new Map<string, PersistedIntent>()
  for (const intent of intents) {
    const { id, orderId, state } = intent
    if (state === 'QUARANTINED' && orderId === undefined) continue
    const order = ordersById.get(orderId ?? '')
    if (state !== 'PLACED' || orderId === undefined || order === undefined) {
      faults.push(`intent ${id} is ${state}, and its order ${orderId} is ${order?.status}`)
    } else if (!isSame(intent, order)) {
      faults.push(`intent ${id} is not its order: ${JSON.stringify([intent, order])}`)
    }
    if (orderId !== undefined && intentsByOrder.has(orderId)) faults.push(`order ${orderId} has two intents`)
    if (orderId !== undefined) intentsByOrder.set(orderId, intent)
  }
  for (const { id, status } of orders) {
    if (!intentsByOrder.has(id)) faults.push(`order ${id} is nobody's`)
    if (status !== 'FILLED' && status !== 'CANCELLED') faults.push(`order ${id} is left ${status}`)
  }
  for (const id of acknowledged) {
    if (!intentsByOrder.has(id)) faults.push(`order ${id} was acknowledged, and is lost`)
  }
  return faults
}

const isSame = ({ side, price, qty, filledQty, isFinished }: PersistedIntent, order: ServedOrder): boolean =>
  side === order.side &&
  price === Number(order.price) &&
  qty === Number(order.qty) &&
  filledQty === Number(order.filledQty) &&
  isFinished
