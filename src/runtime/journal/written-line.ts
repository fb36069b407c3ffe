/**
 * Lines of a journal as written since version 2, which omit data that other lines contain.
 *
 * Lines with a complete order or fill are not defined here.
 */
import { z } from 'zod'
import { ORDER_STATUSES } from '../../domain/order.ts'

/** Version in the first line. A journal without it is of the first version, whose lines are all complete. */
export const JOURNAL_VERSION = 2

const t = z.int()
const decimal = z.string().regex(/^\d+(\.\d+)?$/)

/** State that neither an answer nor the fills contain; an average price of null means none. */
const state = {
  status: z.enum(ORDER_STATUSES).exactOptional(),
  filledQty: decimal.exactOptional(),
  averagePrice: decimal.nullable().exactOptional(),
}

export const WRITTEN = {
  acknowledged: z.object({
    t,
    type: z.literal('acknowledged'),
    ref: z.int(),
    /** Only in the answer to a placement. */
    orderId: z.string().exactOptional(),
    /** Default: the time of the line. */
    createdAt: t.exactOptional(),
    ...state,
  }),
  order: z.object({ t, type: z.literal('order'), orderId: z.string(), ...state }),
  fill: z.object({
    t,
    type: z.literal('fill'),
    orderId: z.string(),
    tradeId: z.string(),
    price: decimal,
    qty: decimal,
    /** Default: none. */
    fee: decimal.exactOptional(),
    /** Default: false. */
    isMaker: z.boolean().exactOptional(),
    /** Default: the time of the line. */
    createdAt: t.exactOptional(),
  }),
}

type WrittenType = keyof typeof WRITTEN

export type Written<Type extends WrittenType> = z.output<(typeof WRITTEN)[Type]>

export const isWrittenType = (name: string): name is WrittenType => Object.hasOwn(WRITTEN, name)

const NOTHING_AHEAD = { crowdAhead: '0', oursAhead: '0' }
const NOTHING_TRADED = { tradesAt: 0, qtyAt: '0', tradesThrough: 0, qtyThrough: '0', qtyToOurs: '0', gaps: 0 }

const NOTHING_LEFT = { ...NOTHING_AHEAD, ...NOTHING_TRADED }

/** Defaults of the fields that a line omits if they are empty; undefined if it omits none. */
export function defaultsOf({ type, status }: { readonly type: string; readonly status?: unknown }): object | undefined {
  if (type === 'rested') return NOTHING_AHEAD
  if (type !== 'left') return undefined
  return status === 'FILLED' ? NOTHING_TRADED : NOTHING_LEFT
}
