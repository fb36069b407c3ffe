/**
 * A polite client: quotes around the market, takes now and then, cancels, and reads what it has.
 */
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { Chance } from '../../../exchange/rig/chance.ts'
import { arePlanned } from './soak-faults.ts'
import type { SoakLog } from './soak-log.ts'
import type { SoakServer } from './soak-server.ts'

const PAUSE_MS = 25
/** Of which the oldest are cancelled. */
const MAX_OPEN = 20
/**
 * Of what is refused to a polite client: the book may be empty for a moment, an order may be filled before it is
 * cancelled.
 */
const EXPECTED = new Set(['NO_LIQUIDITY', 'ORDER_NOT_CANCELLABLE'])

interface Answer {
  readonly status: number
  readonly json: { readonly id?: string; readonly lastPrice?: string; readonly error?: { readonly code: string } }
}

export async function trade(
  served: SoakServer,
  key: string,
  seed: number,
  log: SoakLog,
  signal: AbortSignal,
): Promise<void> {
  const chance = new Chance(seed + 1)
  const agent = new Agent({ pipelining: 1, connections: 1 })
  const open: string[] = []
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer | undefined> => {
    const start = performance.now()
    const calmBefore = !arePlanned()
    try {
      const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const options = { method, headers, dispatcher: agent, body: body === undefined ? null : JSON.stringify(body) }
      const answer = await request(served.baseUrl + path, options)
      const text = await answer.body.text()
      const isCalm = calmBefore && !arePlanned()
      if (isCalm) log.time(performance.now() - start)
      const json = text === '' ? {} : (JSON.parse(text) as Answer['json'])
      const code = json.error?.code
      if (isCalm && code !== undefined && !EXPECTED.has(code))
        log.fault(`${method} ${path}: ${answer.statusCode} ${text}`)
      return { status: answer.statusCode, json }
    } catch (error) {
      if (calmBefore && !arePlanned()) log.fault(`${method} ${path}: ${String(error)}`)
      return undefined
    }
  }
  while (!signal.aborted) {
    const lastPrice = Number((await ask('GET', '/markets/BTC_USD/ticker'))?.json.lastPrice ?? 42_000)
    const side = chance.below(2) === 0 ? 'BUY' : 'SELL'
    const away = (side === 'BUY' ? -1 : 1) * chance.below(30)
    const isMarket = chance.below(8) === 0
    const terms = isMarket ? { type: 'MARKET' } : { type: 'LIMIT', price: (lastPrice + away).toFixed(2) }
    const placed = await ask('POST', '/orders', { symbol: 'BTC_USD', side, qty: '0.0100', ...terms })
    if (placed?.status === 201) {
      log.orders += 1
      if (!isMarket && placed.json.id !== undefined) open.push(placed.json.id)
    }
    if (open.length > MAX_OPEN) await ask('DELETE', `/orders/${open.shift() ?? ''}`)
    if (chance.below(10) === 0) await ask('GET', '/orders/open')
    if (chance.below(10) === 0) await ask('GET', '/portfolio')
    await setTimeout(PAUSE_MS)
  }
  await agent.destroy()
}
