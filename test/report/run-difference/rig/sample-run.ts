/**
 * Small runs by hand, as two of which a comparison is made: the lines of a journal, and a report of the settings that
 * were given.
 */
import type { ComparedRun, Fields } from '../../../../src/report/run-difference/run-trace.ts'
import { traceOf } from '../../../../src/report/run-difference/trace-builder.ts'
import { readJournalLines } from '../../../runtime/rig/read-journal-lines.ts'

const START = 1_700_000_000_000

export type Line = Fields

export interface Sample {
  readonly lines: readonly Line[]
  readonly config?: Fields
  readonly params?: Fields
  readonly tape?: string
  readonly failure?: string
  readonly isLive?: boolean
  /** No end and no report. */
  readonly isKilled?: boolean
}

const order = (id: string, status: string): Fields => ({
  id,
  symbol: 'A_USD',
  side: 'BUY',
  type: 'LIMIT',
  status,
  price: '100',
  qty: '1',
  filledQty: '0',
  createdAt: START,
})

export const place = (t: number, ref: number, price: string, qty = '1'): Line => ({
  t,
  type: 'place',
  ref,
  request: { symbol: 'A_USD', side: 'BUY', type: 'LIMIT', price, qty },
})
export const cancel = (t: number, ref: number, orderId: string, by?: string): Line => ({
  t,
  type: 'cancel',
  orderId,
  ref,
  ...(by !== undefined && { by }),
})
export const taken = (t: number, ref: number, id: string): Line => ({
  t,
  type: 'acknowledged',
  ref,
  order: order(id, 'OPEN'),
})
export const refused = (t: number, ref: number, code: string, by = 'exchange'): Line => ({
  t,
  type: 'refused',
  ref,
  code,
  message: 'no',
  by,
})
export const unknown = (t: number, ref: number): Line => ({ t, type: 'unknown', ref, reason: 'timed out' })
export const adopted = (t: number, ref: number, id: string): Line => ({
  t,
  type: 'adopted',
  ref,
  order: order(id, 'OPEN'),
})
export const absent = (t: number, ref: number): Line => ({ t, type: 'absent', ref })
export const cancelled = (t: number, id: string): Line => ({ t, type: 'order', order: order(id, 'CANCELLED') })
export const balances = (t: number, usd: string): Line => ({
  t,
  type: 'balances',
  balances: { USD: { available: usd, locked: '0' } },
})

export const fill = (t: number, orderId: string, price: string, more: Fields = {}): Line => ({
  t,
  type: 'fill',
  fill: {
    tradeId: `trade-${t}`,
    orderId,
    symbol: 'A_USD',
    side: 'BUY',
    price,
    qty: '1',
    fee: '0',
    isMaker: true,
    createdAt: START,
    ...more,
  },
})

const TERMS = { orderLatencyMs: 50, responseLatencyMs: 0, staleAfterMs: null }

/** Lines of times since the start. */
export function run({ lines, config = {}, params = {}, tape = 'one', ...more }: Sample): ComparedRun {
  const liquidity = more.isLive === true ? 'live' : 'tape'
  const head = {
    type: 'run',
    t: 0,
    strategy: 'sample',
    params,
    markets: [{ symbol: 'A_USD', pricePrecision: 2, qtyPrecision: 1 }],
    liquidity,
    ...TERMS,
    ...config,
  }
  const written = [head, ...lines, ...(more.isKilled === true ? [] : [{ t: 10_000, type: 'end' }])].map((line) => ({
    ...line,
    t: Number(line.t) + START,
  }))
  const read = readJournalLines(written.map((line) => JSON.stringify(line)))
  const report = {
    version: '1',
    strategy: { name: 'sample', sha256: 'code' },
    params,
    config: { credit: { USD: '1000' }, liquidity, ...TERMS, ...config },
    tapes: more.isLive === true ? [] : [{ symbol: 'A_USD', sha256: tape, reading: {} }],
    failure: more.failure === undefined ? null : { message: more.failure, time: START, place: null },
    ...(more.isLive === true && { live: { url: 'http://127.0.0.1:1' } }),
  }
  return {
    directory: 'run',
    report: more.isKilled === true ? undefined : report,
    head: written[0],
    trace: traceOf(read),
    isCut: false,
    changed: [],
  }
}
