/**
 * A live account that places and cancels as fast as it may, made to be killed: `node --import ./bench/loader.mjs
 * scripts/crash-live.mjs --bot JSON`.
 *
 * Reports on stdout, a line each and written before anything else happens: `ready`, `acknowledged ORDER`, at its end by
 * SIGTERM `done`. Few prices and quantities, so that its orders look alike.
 */
import { writeSync } from 'node:fs'
import type { RequestOutcome } from '../../../../src/adapter/exchange-adapter.ts'
import type { LiveExchange } from '../../../../src/adapter/live/live-exchange.ts'
import { MACHINE_CLOCKS } from '../../../../src/adapter/live/machine-clocks.ts'
import { openLiveAccount, type OpenedAccount } from '../../../../src/adapter/live/open-live-account.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { LiveLoop } from '../../../../src/runtime/live/live-loop.ts'
import { Chance } from '../../../exchange/rig/chance.ts'

export interface LiveBotSettings {
  readonly url: string
  readonly apiKey: string
  /** Directory of its state. */
  readonly state: string
  readonly settleMs: number
  readonly seed: number
  /** Names this life. */
  readonly session: string
}

const SYMBOL = 'BTC_USD'
const OWNER = 'bot'
/** Requests on their way at once. */
const AT_ONCE = 4
const MAX_OPEN = 30
/** From an answer to the next request, at most. */
const LONGEST_PAUSE_MS = 10
const PLENTY = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 60 }

const report = (line: string): void => {
  writeSync(1, `${line}\n`)
}

const fail = (error: unknown): never => {
  console.error(error)
  process.exit(70)
}

export async function runLiveBot(settings: LiveBotSettings): Promise<void> {
  const loop = new LiveLoop(MACHINE_CLOCKS, {
    onJump: () => undefined,
    onSetBack: () => undefined,
    onError: fail,
  })
  const opened = await openLiveAccount({
    ...settings,
    time: loop,
    fees: { makerFeeBps: '0', takerFeeBps: '0' },
    timeoutMs: 5_000,
    uniqueQty: false,
    limits: PLENTY,
    auditMs: 1_000,
    onWarning: (text) => {
      report(`warning ${text}`)
    },
    onError: fail,
  })
  const bot = new LiveBot(opened, loop, new Chance(settings.seed))
  await opened.account.begin([SYMBOL])
  process.once('SIGTERM', () => {
    bot.end().then(() => {
      loop.stop()
      report('done')
    }, fail)
  })
  report('ready')
  bot.start()
}

class LiveBot {
  readonly #exchange: LiveExchange
  readonly #opened: OpenedAccount
  readonly #loop: LiveLoop
  readonly #chance: Chance
  #references = 0
  #isEnding = false

  constructor(opened: OpenedAccount, loop: LiveLoop, chance: Chance) {
    this.#opened = opened
    this.#loop = loop
    this.#chance = chance
    this.#exchange = opened.account.exchangeOf(OWNER, 'wait')
  }

  start(): void {
    for (let count = 0; count < AT_ONCE; count += 1) this.#goOn()
  }

  /** Nothing of it is open when it resolves. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#exchange.close()
    const { account } = this.#opened
    for (let left = 1; left > 0; left = account.openOrderIds(OWNER).length) {
      await account.settled()
      this.#loop.enter(() => {
        for (const id of account.openOrderIds(OWNER)) this.#exchange.cancel(id, () => undefined)
      })
      await new Promise((resolve) => setTimeout(resolve, 300))
      await account.audited().catch(() => undefined)
    }
    await account.close()
  }

  #goOn(): void {
    if (this.#isEnding) return
    this.#loop.after(this.#chance.below(LONGEST_PAUSE_MS), () => {
      if (this.#isEnding) return
      const open = this.#exchange.openOrders()
      const isFull = open.length >= MAX_OPEN
      if (open.length > 0 && (isFull || this.#chance.oneIn(3))) this.#cancel(this.#chance.pick(open).id)
      else this.#place()
    })
  }

  #place(): void {
    this.#references += 1
    const side = this.#chance.pick(['BUY', 'SELL'])
    const price = side === 'BUY' ? this.#chance.between(90, 101) : this.#chance.between(100, 110)
    const request: OrderRequest = { symbol: SYMBOL, side, type: 'LIMIT', price, qty: this.#chance.between(1, 3) }
    this.#exchange.place({ request, reference: this.#references }, (outcome) => {
      this.#hear(outcome)
    })
  }

  #cancel(orderId: string): void {
    this.#exchange.cancel(orderId, () => {
      this.#goOn()
    })
  }

  #hear(outcome: RequestOutcome): void {
    if (outcome.type === 'acknowledged') report(`acknowledged ${outcome.order.id}`)
    else if (outcome.type === 'refused') report(`refused ${outcome.refusal.code} ${outcome.refusal.message}`)
    else report(outcome.type)
    this.#goOn()
  }
}
