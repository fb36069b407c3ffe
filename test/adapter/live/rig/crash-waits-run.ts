/**
 * Kills a live session again and again while a bracket waits in it, before a market that moves, and adds up what it
 * bought and sold.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmulator, type Emulator } from '../../../../src/server/emulator/emulator.ts'
import { Chance } from '../../../exchange/rig/chance.ts'
import type { CrashLiveSettings } from './crash-live-run.ts'
import { BOT_CONFIG } from './crash-live-settings.ts'
import { KillableProcess } from './killable-process.ts'
import { MAX_LOTS, WAITING_SYMBOL } from './waiting-bot.ts'

export interface CrashWaitsReport {
  readonly faults: readonly string[]
  /** Fills of the account. */
  readonly fills: number
  /** Lots that it bought. */
  readonly bought: number
  /** Lives that went on with what waited. */
  readonly resumed: number
}

const PLENTY = '1000000000000'
const SETTLE_MS = 1_500
const LONGEST_LIFE_MS = 1_500
const LONGEST_START_MS = 2_500
const STEP_MS = 20
const SCOPES = BOT_CONFIG.users.flatMap(({ keys }) => keys).flatMap(({ scopes }) => scopes)

const user = (email: string, credits: Readonly<Record<string, string>>) => ({
  email,
  credits,
  keys: [{ scopes: SCOPES }],
})

const CONFIG = {
  ...BOT_CONFIG,
  users: [
    user('bot@example.com', { USD: PLENTY, BTC: '0' }),
    user('maker@example.com', { USD: PLENTY, BTC: PLENTY }),
    user('taker@example.com', { USD: PLENTY, BTC: PLENTY }),
  ],
}

/** Kills the session, before one service whose price goes up and down. */
export async function killWaits({ rounds, seed, folder, progress }: CrashLiveSettings): Promise<CrashWaitsReport> {
  const chance = new Chance(seed)
  const emulator = await startEmulator({ config: CONFIG })
  const market = new MovingMarket(emulator, new Chance(seed + 1))
  const faults: string[] = []
  const lives: KillableProcess[] = []
  const start = (isLast: boolean): KillableProcess => {
    const number = lives.length + 1
    const bot = new KillableProcess('--waits', {
      url: emulator.baseUrl,
      apiKey: keyOf(emulator, 0),
      settleMs: SETTLE_MS,
      isLast,
      seed: seed + number,
      state: join(folder, 'account'),
      out: join(folder, `run-${number}`),
      session: `life ${number}`,
    })
    lives.push(bot)
    return bot
  }
  const moving = market.move()
  try {
    // On a slow machine a life may buy nothing, and the next see nothing that waits: then there are more, and longer ones.
    for (
      let kills = 1;
      kills <= rounds || (kills <= 4 * rounds && (resumedOf(lives) === 0 || !hasBought(lives)));
      kills += 1
    ) {
      const bot = start(false)
      if (kills <= rounds && chance.oneIn(6)) await sleep(chance.below(LONGEST_START_MS))
      else {
        await bot.reported('ready')
        if (kills > rounds) await bot.reported('bought')
        await sleep(chance.below(LONGEST_LIFE_MS))
      }
      await bot.kill()
      progress?.(`${kills} of ${rounds} kills`)
    }
    market.isFalling = true
    const last = start(true)
    await last.reported('flat')
    last.end()
    await last.reported('done')
    faults.push(...lives.flatMap(({ complaints }) => (complaints === '' ? [] : [complaints])))
    const reported = lives.flatMap(({ lines }) => lines)
    // Its market has no one for a moment, and an order may be filled before its cancel comes.
    const odd = /placed by another program|halted \(|refused (?!NO_LIQUIDITY|ORDER_NOT_CANCELLABLE)/
    faults.push(...reported.filter((line) => odd.test(line)))
    const fills = await fillsOf(emulator)
    faults.push(...positionFaults(fills))
    const bought = fills.filter(({ side }) => side === 'BUY').reduce((sum, { qty }) => sum + Number(qty), 0)
    return { faults, fills: fills.length, bought, resumed: resumedOf(lives) }
  } finally {
    market.stop()
    await moving
    for (const bot of lives) await bot.kill()
    await emulator.close()
  }
}

const resumedOf = (lives: readonly KillableProcess[]): number =>
  lives.filter(({ lines }) => lines.some((line) => line.startsWith('continues conditional orders'))).length

const hasBought = (lives: readonly KillableProcess[]): boolean => lives.some(({ lines }) => lines.includes('bought'))

const keyOf = ({ users }: Emulator, index: number): string => users[index]?.keys[0] ?? ''

interface ServedFill {
  readonly side: 'BUY' | 'SELL'
  readonly qty: string
}

/** Oldest first. */
async function fillsOf(emulator: Emulator): Promise<readonly ServedFill[]> {
  const headers = { 'x-api-key': keyOf(emulator, 0) }
  const answer = await fetch(`${emulator.baseUrl}/trades?limit=500`, { headers })
  return ((await answer.json()) as readonly ServedFill[]).toReversed()
}

function positionFaults(fills: readonly ServedFill[]): readonly string[] {
  let position = 0
  const faults: string[] = []
  for (const { side, qty } of fills) {
    position += side === 'BUY' ? Number(qty) : -Number(qty)
    if (position < 0 || position > MAX_LOTS) faults.push(`a position of ${position}`)
  }
  return position === 0 ? faults : [...faults, `a position of ${position} is left`]
}

/** A price that goes a step up or down, with somebody to trade with on both sides. */
class MovingMarket {
  readonly #emulator: Emulator
  readonly #chance: Chance
  #price = 1_000
  #isOn = true
  /** Through every stop. */
  isFalling = false

  constructor(emulator: Emulator, chance: Chance) {
    this.#emulator = emulator
    this.#chance = chance
  }

  stop(): void {
    this.#isOn = false
  }

  async move(): Promise<void> {
    let quotes: readonly string[] = []
    while (this.#isOn) {
      for (const id of quotes) await this.#ask('DELETE', `/orders/${id}`, 1)
      this.#price += this.isFalling ? -1 : this.#chance.pick([-1, 1])
      const bid = await this.#place(1, 'BUY', 1_000, this.#price - 1)
      const offer = await this.#place(1, 'SELL', 1_000, this.#price + 1)
      quotes = [bid, offer]
      await this.#place(2, this.#chance.pick(['BUY', 'SELL'] as const), 1)
      await sleep(STEP_MS)
    }
  }

  async #place(by: number, side: string, qty: number, price?: number): Promise<string> {
    const order = { symbol: WAITING_SYMBOL, side, type: price === undefined ? 'MARKET' : 'LIMIT', qty: String(qty) }
    const body = price === undefined ? order : { ...order, price: String(price) }
    return ((await this.#ask('POST', '/orders', by, body)) as { readonly id: string }).id
  }

  async #ask(method: string, path: string, by: number, body?: object): Promise<unknown> {
    const headers = { 'x-api-key': keyOf(this.#emulator, by), 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${this.#emulator.baseUrl}${path}`, { method, headers, ...sent })
    return await answer.json()
  }
}
