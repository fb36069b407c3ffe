/**
 * A live session whose strategy has one bracket at a time, made to be killed: `node --import ./bench/loader.mjs
 * scripts/crash-live.mjs
 * --waits JSON`. Reports `ready`, `bought` at each of its buys, at its end by SIGTERM `done`, and `flat` when it holds nothing and nothing of it waits or rests.
 */
import { writeSync } from 'node:fs'
import { map, merge, timer } from 'rxjs'
import { z } from 'zod'
import { MACHINE_CLOCKS } from '../../../../src/adapter/live/machine-clocks.ts'
import { openAccount } from '../../../../src/run/live.ts'
import { runLive } from '../../../../src/run/run-live.ts'
import { buyLimit, buyMarket } from '../../../../src/strategy/orders.ts'
import { defineStrategy, type Strategy } from '../../../../src/strategy/strategy.ts'
import { bracket } from '../../../../src/strategy/waiting.ts'
import { Chance } from '../../../exchange/rig/chance.ts'

export interface WaitingBotSettings {
  readonly url: string
  readonly apiKey: string
  /** Directory of its state. */
  readonly state: string
  /** Directory of this life's run. */
  readonly out: string
  readonly settleMs: number
  readonly seed: number
  /** Names this life. */
  readonly session: string
  /** It begins no bracket. */
  readonly isLast: boolean
}

export const WAITING_SYMBOL = 'BTC_USD'
/** Of one bracket. */
export const MAX_LOTS = 4
const LOOK_MS = 50
const PLENTY = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 60 }

const report = (line: string): void => {
  writeSync(1, `${line}\n`)
}

export async function runWaitingBot({ seed, isLast, ...settings }: WaitingBotSettings): Promise<void> {
  const { url, apiKey, state, out, settleMs, session } = settings
  const end = new AbortController()
  process.once('SIGTERM', () => {
    end.abort()
  })
  await runLive(
    {
      strategies: [{ strategy: oneBracket(new Chance(seed), isLast) }],
      url,
      apiKey,
      state,
      out,
      reconcileMs: settleMs,
      signal: end.signal,
      symbol: WAITING_SYMBOL,
      listener: {
        onStart: () => {
          report('ready')
        },
        onLog: (_, __, message) => {
          report(message)
        },
        onFill: (_, { side }) => {
          if (side === 'BUY') report('bought')
        },
        onRefusal: (_, code) => {
          report(`refused ${code}`)
        },
        onWarning: (text) => {
          report(`warning ${text}`)
        },
      },
    },
    {
      clocks: MACHINE_CLOCKS,
      session,
      dataDirectory: state,
      openAccount: (opening) => openAccount({ ...opening, limits: PLENTY }),
    },
  )
  report('done')
}

function oneBracket(chance: Chance, isLast: boolean): Strategy {
  return defineStrategy({
    name: 'one-bracket',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, position, openOrders, waitingOrders, trades, outcomes$, orders$, log }) => {
      let price: number | undefined
      /** Of a bracket that was asked for, and whose order is not known to be over. */
      let isAsked = false
      let isFlat = false
      const prices$ = trades(symbol).pipe(map((trade): undefined => void (price = trade.priceNumber)))
      const answers$ = outcomes$.pipe(
        map(({ type }): undefined => {
          if (type === 'refused' || type === 'absent') isAsked = false
        }),
      )
      const ends$ = orders$.pipe(
        map(({ status }): undefined => {
          if (status === 'FILLED' || status === 'CANCELLED') isAsked = false
        }),
      )
      const asks$ = timer(LOOK_MS, LOOK_MS).pipe(
        map(() => {
          const isBusy = !position(symbol).qty.isZero() || openOrders().length > 0 || waitingOrders().length > 0
          if (isBusy || isAsked || price === undefined) return undefined
          if (isLast) {
            if (!isFlat) log('flat')
            isFlat = true
            return undefined
          }
          isAsked = true
          const qty = chance.between(1, MAX_LOTS)
          const entry = chance.oneIn(2) ? buyMarket(symbol, qty) : buyLimit(symbol, price, qty)
          const stop = chance.oneIn(2) ? { stop: price - 2 } : { trail: { distance: 2 } }
          return bracket(entry, chance.oneIn(3) ? stop : { ...stop, target: price + 3 })
        }),
      )
      return merge(prices$, answers$, ends$, asks$)
    },
  })
}
