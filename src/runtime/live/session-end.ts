/**
 * The end of a session: nothing new goes out, what is unknown is settled, and its open orders are cancelled until a read shows none.
 */
import { ExchangeError } from '../../domain/errors.ts'
import type { LiveLoop } from './live-loop.ts'
import type { LiveSession } from './live-session.ts'
import type { TradingAccount } from './trading-account.ts'

/** An order may be refused a cancel because it was filled, which the next read shows. */
const MOST_ROUNDS = 8
const FIRST_PAUSE_MS = 250

export interface SessionEndOptions {
  readonly loop: LiveLoop
  readonly account: TradingAccount
  /** False when open orders stay where they are. */
  readonly cancels: boolean
}

/** What an end has left behind. */
export interface SessionEnd {
  /** Ids of orders that are open; as far as is known when they could not be read. */
  readonly openOrders: readonly string[]
  /** Why they could not be cancelled and read; undefined when they could. */
  readonly fault: ExchangeError | undefined
}

/** Ends a session but for its last lines. Never rejects for what the service does. */
export async function endSession(session: LiveSession, options: SessionEndOptions): Promise<SessionEnd> {
  const { loop, account, cancels } = options
  const { owner } = session.options
  loop.enter(() => {
    session.stopIntake()
    account.dropWaiting(owner)
  })
  try {
    await account.settled()
    await account.audited()
    if (cancels) await cancelAll(session, options)
    return { openOrders: account.openOrderIds(owner), fault: undefined }
  } catch (error) {
    if (error instanceof ExchangeError) return { openOrders: account.openOrderIds(owner), fault: error }
    throw error
  }
}

async function cancelAll(session: LiveSession, { loop, account }: SessionEndOptions): Promise<void> {
  const { owner } = session.options
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = account.openOrderIds(owner)
    if (open.length === 0) return
    if (round > 0) await pause(loop, FIRST_PAUSE_MS * 2 ** (round - 1))
    await Promise.all(open.map((orderId) => cancelled(session, loop, orderId)))
    await account.audited()
  }
}

/** Resolves when the cancel was answered, whatever the answer is. */
const cancelled = (session: LiveSession, loop: LiveLoop, orderId: string): Promise<void> =>
  new Promise((resolve) => {
    loop.enter(() => {
      session.cancel(orderId, () => {
        resolve()
      })
    })
  })

const pause = (loop: LiveLoop, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    loop.after(delayMs, resolve)
  })
