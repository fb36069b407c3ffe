/** Parses the lines of a journal about orders and the account. Each line is complete in itself. */
import { z } from 'zod'
import { InputError, type Place } from '../../domain/errors.ts'
import { ORDER_STATUSES, ORDER_TYPES, SIDES } from '../../domain/order.ts'
import { REFUSERS } from '../../domain/refusal.ts'

const t = z.int()
const ref = z.int()
const orderId = z.string()
const decimal = z.string().regex(/^\d+(\.\d+)?$/)
const count = z.int().min(0)
const side = z.enum(SIDES)
const type = z.enum(ORDER_TYPES)
const status = z.enum(ORDER_STATUSES)

const orderFields = z.object({
  id: orderId,
  symbol: z.string(),
  side,
  type,
  status,
  price: decimal.exactOptional(),
  qty: decimal,
  filledQty: decimal,
  averagePrice: decimal.exactOptional(),
  createdAt: t,
})

const fillFields = z.object({
  tradeId: z.string(),
  orderId,
  symbol: z.string(),
  side,
  price: decimal,
  qty: decimal,
  /** Fee in the quote asset; present in journals of every version, and needed by few readers. */
  fee: decimal.exactOptional(),
  isMaker: z.boolean(),
  createdAt: t,
  /** Only for an inferred fill, in place of matches that the exchange no longer reported. */
  isInferred: z.literal(true).exactOptional(),
  /** Only for a fill from before the session. */
  isRecovered: z.literal(true).exactOptional(),
})

/** Fields as the strategy wrote them, which may not be a valid request. */
const requestFields = z.object({
  symbol: z.string(),
  side: z.string(),
  type,
  price: z.string().exactOptional(),
  qty: z.string(),
})

const marketFields = z.object({
  symbol: z.string(),
  pricePrecision: count,
  qtyPrecision: count,
  /** Only for a market recorded as candles. */
  candleMs: count.exactOptional(),
  /** Only for a market with a recorded book: its levels, or its best prices only. */
  book: z.enum(['levels', 'quotes']).exactOptional(),
})

const balance = z.object({ available: z.string(), locked: z.string() })

/** Why a conditional order ended. */
export const WAIT_ENDS = ['done', 'cancelled', 'expired', 'excluded', 'closed', 'refused', 'ended'] as const

const LINES = {
  run: z.object({
    t,
    type: z.literal('run'),
    /** Version of the journal; absent in the first one. */
    journal: count.exactOptional(),
    markets: z.array(marketFields),
    liquidity: z.string(),
    orderLatencyMs: count,
    responseLatencyMs: count,
    staleAfterMs: count.nullable(),
  }),
  params: z.object({
    t,
    type: z.literal('params'),
    params: z.record(z.string(), z.unknown()),
    /** Those that an operator changed. */
    changed: z.record(z.string(), z.unknown()),
  }),
  'strategy-state': z.object({
    t,
    type: z.literal('strategy-state'),
    /** The value that an earlier session left. */
    isContinued: z.literal(true).exactOptional(),
    value: z.unknown(),
  }),
  credit: z.object({ t, type: z.literal('credit'), asset: z.string(), amount: z.string() }),
  /** Capital that came from other strategies of the wallet, or went to them. */
  transfer: z.object({ t, type: z.literal('transfer'), asset: z.string(), amount: z.string() }),
  place: z.object({
    t,
    type: z.literal('place'),
    ref,
    request: requestFields,
    tag: z.string().exactOptional(),
    /** The conditional order that placed it, or its bracket. */
    by: z.string().exactOptional(),
  }),
  wait: z.object({
    t,
    type: z.literal('wait'),
    id: z.string(),
    /** Only for an order in a group with others. */
    group: z.string().exactOptional(),
    kind: z.enum(['stop', 'trailing-stop', 'take-profit']),
    symbol: z.string(),
    side,
    /** Absent for everything that its bracket has open. */
    qty: decimal.exactOptional(),
    price: decimal.exactOptional(),
    distance: decimal.exactOptional(),
    percent: decimal.exactOptional(),
    limit: decimal.exactOptional(),
    tag: z.string().exactOptional(),
    /** It waits since an earlier session. */
    isKept: z.literal(true).exactOptional(),
    /** Present trigger price of a trailing order from an earlier session. */
    at: z.string().exactOptional(),
  }),
  'taken-up': z.object({
    t,
    type: z.literal('taken-up'),
    /** Id of an earlier session's group; for a single conditional order its own id. */
    id: z.string(),
    symbol: z.string(),
    /** Quantity that may still be closed, as far as the earlier session knew. */
    open: z.string(),
    /** Its orders at the exchange. */
    orders: z.array(z.object({ by: z.string(), orderId: orderId.exactOptional() })),
  }),
  triggered: z.object({ t, type: z.literal('triggered'), id: z.string(), price: decimal }),
  'wait-over': z.object({ t, type: z.literal('wait-over'), id: z.string(), why: z.enum(WAIT_ENDS) }),
  cancel: z.object({ t, type: z.literal('cancel'), ref, orderId, by: z.string().exactOptional() }),
  acknowledged: z.object({ t, type: z.literal('acknowledged'), ref, order: orderFields }),
  refused: z.object({
    t,
    type: z.literal('refused'),
    ref,
    code: z.string(),
    message: z.string(),
    by: z.enum(REFUSERS).exactOptional(),
  }),
  /** The session withdrew the request before it was sent. */
  withdrawn: z.object({ t, type: z.literal('withdrawn'), ref, reason: z.string() }),
  unknown: z.object({ t, type: z.literal('unknown'), ref, reason: z.string() }),
  adopted: z.object({ t, type: z.literal('adopted'), ref, order: orderFields }),
  absent: z.object({ t, type: z.literal('absent'), ref }),
  ambiguous: z.object({ t, type: z.literal('ambiguous'), ref, reason: z.string() }),
  order: z.object({ t, type: z.literal('order'), order: orderFields }),
  'taken-over': z.object({ t, type: z.literal('taken-over'), order: orderFields, tag: z.string().exactOptional() }),
  fill: z.object({ t, type: z.literal('fill'), fill: fillFields }),
  balances: z.object({ t, type: z.literal('balances'), balances: z.record(z.string(), balance) }),
  rested: z.object({ t, type: z.literal('rested'), orderId, crowdAhead: decimal, oursAhead: decimal }),
  met: z.object({
    t,
    type: z.literal('met'),
    orderId,
    tradeId: z.string(),
    price: decimal,
    qty: decimal,
    /** `book` for a level of the recorded book; default: a recorded trade or candle. */
    by: z.literal('book').exactOptional(),
  }),
  'met-own': z.object({ t, type: z.literal('met-own'), orderId, tradeId: z.string(), takerId: orderId }),
  left: z.object({
    t,
    type: z.literal('left'),
    orderId,
    status,
    crowdAhead: decimal.exactOptional(),
    oursAhead: decimal.exactOptional(),
    /** The crowd's lots ahead that were cancelled according to the recorded book; default: none. */
    cancelledAhead: decimal.exactOptional(),
    tradesAt: count,
    qtyAt: decimal,
    tradesThrough: count,
    qtyThrough: decimal,
    qtyToOurs: decimal,
    ofCandles: z.literal(true).exactOptional(),
    nearest: decimal.exactOptional(),
    gaps: count,
  }),
  end: z.object({ t, type: z.literal('end') }),
}

type LineType = keyof typeof LINES

export type JournalLine = { [Type in LineType]: z.output<(typeof LINES)[Type]> }[LineType]

export type LineOf<Type extends LineType> = Extract<JournalLine, { type: Type }>

/**
 * Parses a complete line; undefined for one that is not about an order or the account.
 * @param where  names the line to the user
 * @throws {InputError} for an invalid line
 */
export function readWholeLine(where: Place, line: AnyLine): JournalLine | undefined {
  const name = line.type
  if (!isLineType(name)) return undefined
  const result = LINES[name].safeParse(line)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new InputError(where, `a '${name}' line with ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'a fault'}`)
}

/** The same for a line that is as papertape wrote it, which needs no check. */
export const ownWholeLine = (line: AnyLine): JournalLine | undefined =>
  isLineType(line.type) ? (line as unknown as JournalLine) : undefined

const isLineType = (name: string): name is LineType => Object.hasOwn(LINES, name)

/** @throws {InputError} for text that is not JSON */
export function jsonOf(where: Place, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(where, 'is not JSON', { cause: error })
  }
}

const anyLine = z.looseObject({ t, type: z.string() })

export type AnyLine = z.output<typeof anyLine>

/** @throws {InputError} for text that is not a journal line */
export function parsedLine(where: Place, text: string): AnyLine {
  const result = anyLine.safeParse(jsonOf(where, text))
  if (result.success) return result.data
  throw new InputError(where, 'is not a line of a journal')
}
