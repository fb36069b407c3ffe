/** The gap of a session as plain values. Every amount of money is an exact decimal string. */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import type { TwinGap } from './twin-gap.ts'
import { TWIN_PARTS, type TwinPart } from './twin-part.ts'
import type { TwinOrder } from './twin-trace.ts'

/** An amount of each part, a decimal string; positive if the session did better than its twin. */
export type TwinAmounts = Readonly<Record<TwinPart, string>>

/** The strategies that are valued in one asset, together. */
export interface TwinTotal {
  /** Asset of all amounts. */
  readonly quoteAsset: string
  /** End equity of the session less that of its twin. */
  readonly gap: string
  /** Amount of each cause; they add up to the gap. */
  readonly parts: TwinAmounts
}

/** A request in one of the two runs. */
export interface TwinRequest {
  /** Number of the request in its journal. */
  readonly ref: number
  /** Null for an order that the exchange did not take. */
  readonly orderId: string | null
  /** Unix milliseconds of the decision. */
  readonly time: number
}

/** An order that contributes to the gap. */
export interface TwinOrderReport {
  /** Null for an order that only the twin placed. */
  readonly session: TwinRequest | null
  /** Null for an order that only the session placed. */
  readonly twin: TwinRequest | null
  /** The request, such as `buy 1 A_USD at market`. */
  readonly words: string
  /** Its amounts, each with its part and its reason. */
  readonly pieces: readonly { readonly part: TwinPart; readonly amount: string; readonly why: string }[]
}

/** A strategy of a session and its twin. */
export interface TwinReport extends TwinTotal {
  /** Name of the strategy. */
  readonly name: string
  /** Run directory of the session. */
  readonly session: string
  /** Run directory of the twin; null if it was not kept. */
  readonly out: string | null
  /** Orders that contribute, in their order. */
  readonly orders: readonly TwinOrderReport[]
  /** Warnings about the run of the twin. */
  readonly notes: readonly string[]
}

interface TwinFacts extends Pick<TwinReport, 'name' | 'session' | 'quoteAsset' | 'notes'> {
  readonly out: string | undefined
  readonly gap: TwinGap
}

export function twinReport({ gap, out, name, session, quoteAsset, notes }: TwinFacts): TwinReport {
  return {
    ...{ name, session, out: out ?? null, quoteAsset },
    gap: gap.gap.toFixed(),
    parts: amountsOf((part) => gap.parts[part]),
    orders: gap.orders.map((order) => ({
      session: requestOf(order.session),
      twin: requestOf(order.twin),
      words: (order.session ?? order.twin)?.words ?? 'fills of orders from before the run',
      pieces: order.pieces
        .filter(({ amount }) => !amount.isZero())
        .map(({ part, amount, why }) => ({ part, amount: amount.toFixed(), why })),
    })),
    notes,
  }
}

export function totalsOf(reports: readonly TwinTotal[]): readonly TwinTotal[] {
  return [...new Set(reports.map(({ quoteAsset }) => quoteAsset))].map((quoteAsset) => {
    const all = reports.filter((report) => report.quoteAsset === quoteAsset)
    const sumOf = (amount: (total: TwinTotal) => string): Decimal =>
      all.reduce((sum, total) => sum.plus(amount(total)), toDecimal(0))
    const gap = sumOf((total) => total.gap).toFixed()
    return { quoteAsset, gap, parts: amountsOf((part) => sumOf(({ parts }) => parts[part])) }
  })
}

const amountsOf = (amountOf: (part: TwinPart) => Decimal): TwinAmounts =>
  Object.fromEntries(TWIN_PARTS.map((part) => [part, amountOf(part).toFixed()])) as Record<TwinPart, string>

const requestOf = (order: TwinOrder | undefined): TwinRequest | null =>
  order === undefined ? null : { ref: order.ref, orderId: order.orderId ?? null, time: order.t }
