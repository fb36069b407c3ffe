/**
 * Serialization of an intent with its checksum.
 *
 * Validated by hand, because it delays every order: the schema takes longer than the rest of the write.
 * Invariant: the schema accepts every written row.
 */
import { crc32 } from 'node:zlib'
import { invariant } from '../../../domain/errors.ts'
import { ORDER_TYPES, SIDES } from '../../../domain/order.ts'
import { INTENT_STATES, type PersistedIntent, type PersistedReport } from './persisted-intent.ts'

/** Row with null for undefined, which JSON lacks. */
type Row = { readonly [Name in keyof PersistedIntent]: Exclude<PersistedIntent[Name], undefined> | null }

export function writtenIntent(intent: PersistedIntent): [body: string, crc: number] {
  const row = rowOf(intent)
  const body = JSON.stringify(row)
  invariant(isReadable(row), `a row can be read again: ${body}`)
  return [body, crc32(body)]
}

const rowOf = (intent: PersistedIntent): Row => ({
  id: intent.id,
  owner: intent.owner,
  session: intent.session,
  reference: intent.reference,
  tag: intent.tag ?? null,
  symbol: intent.symbol,
  side: intent.side,
  type: intent.type,
  price: intent.price ?? null,
  qty: intent.qty,
  state: intent.state,
  watermark: intent.watermark ?? null,
  watermarkAt: intent.watermarkAt ?? null,
  knownCount: intent.knownCount,
  orderId: intent.orderId ?? null,
  filledQty: intent.filledQty,
  isFinished: intent.isFinished,
  report: intent.report ?? null,
  sentAt: intent.sentAt,
  changedAt: intent.changedAt,
})

const TEXTS = ['owner', 'session', 'symbol'] as const
const OPTIONAL_TEXTS = ['tag', 'watermark', 'orderId'] as const
const INTEGERS = ['id', 'reference', 'qty', 'knownCount', 'filledQty'] as const
const NUMBERS = ['sentAt', 'changedAt'] as const

function isReadable(row: Row): boolean {
  return (
    TEXTS.every((name) => typeof row[name] === 'string') &&
    OPTIONAL_TEXTS.every((name) => row[name] === null || typeof row[name] === 'string') &&
    INTEGERS.every((name) => Number.isSafeInteger(row[name])) &&
    NUMBERS.every((name) => Number.isFinite(row[name])) &&
    isIn(SIDES, row.side) &&
    isIn(ORDER_TYPES, row.type) &&
    isIn(INTENT_STATES, row.state) &&
    (row.id ?? 0) >= 1 &&
    (row.price === null || Number.isSafeInteger(row.price)) &&
    (row.watermarkAt === null || Number.isFinite(row.watermarkAt)) &&
    typeof row.isFinished === 'boolean' &&
    (row.report === null || isReadableReport(row.report))
  )
}

const isReadableReport = ({ qty, notional, inferredQty, tradeIds }: PersistedReport): boolean =>
  Number.isSafeInteger(qty) &&
  qty >= 0 &&
  /^\d+$/.test(notional) &&
  Number.isSafeInteger(inferredQty) &&
  inferredQty >= 0 &&
  tradeIds.every((id) => typeof id === 'string')

const isIn = (words: readonly unknown[], word: unknown): boolean => words.includes(word)
