/** Read access to the books of an emulator: the audit of all accounts, and the resting orders of a market. */
import { z } from 'zod'
import { auditDifference } from '../../domain/audit.ts'
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import { depthText } from '../../wire/depth-text.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Call, Route } from '../service/route.ts'

const levels = z.array(z.array(z.string()).length(2).meta({ description: 'price and quantity' }))
const assetAudit = z.strictObject({ credited: z.string(), held: z.string(), fees: z.string(), difference: z.string() })

/** Totals of one asset over all accounts, as decimal strings. */
export interface AssetAuditJson {
  /** Credits minus debits. */
  readonly credited: string
  /** Balances of all accounts, available and locked. */
  readonly held: string
  /** Fees paid to the exchange. */
  readonly fees: string
  /** `credited - held - fees`, which is '0' if the books balance. */
  readonly difference: string
}

/** Audit of all assets: credited = held + fees. */
export interface AuditJson {
  /** Totals by asset. */
  readonly assets: Readonly<Record<string, AssetAuditJson>>
  /** True if every difference is 0. */
  readonly ok: boolean
}

/** Order book of a market, its recorded book included: `[price, qty]` as decimal strings, best first. */
export interface BookJson {
  /** Highest price first. */
  readonly bids: readonly (readonly [string, string])[]
  /** Lowest price first. */
  readonly asks: readonly (readonly [string, string])[]
}

export function audit({ service }: Call): AuditJson {
  const lines = service.exchange.audit()
  const rows = lines.map((line) => {
    const amount = (units: bigint): string => formatTrimmed(units, line.scale)
    const { credited, held, fees } = line
    return [
      line.asset,
      {
        credited: amount(credited),
        held: amount(held),
        fees: amount(fees),
        difference: amount(auditDifference(line)),
      },
    ] as const
  })
  return { assets: Object.fromEntries(rows), ok: lines.every((line) => auditDifference(line) === 0n) }
}

/** Market of a path. @throws {ServiceError} MARKET_NOT_FOUND */
export function marketOf({ service, params: { symbol = '' } }: Call): MarketConfig {
  const market = service.market(symbol)
  if (market === undefined) throw new ServiceError('MARKET_NOT_FOUND', `no market '${symbol.slice(0, 40)}'`)
  return market
}

export function book(call: Call): BookJson {
  const { service } = call
  const market = marketOf(call)
  const { symbol } = market
  const { bids, asks } = service.simulated.depth(symbol)
  const side = (depth: typeof bids): readonly (readonly [string, string])[] =>
    depth.map(({ price, qty }) => [formatUnits(price, market.pricePrecision), formatTrimmed(qty, market.qtyPrecision)])
  return { bids: side(bids), asks: side(asks) }
}

function bookText(call: Call): Buffer {
  const market = marketOf(call)
  return depthText(call.service.simulated.depth(market.symbol), market)
}

export const BOOK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/audit',
    operationId: 'getAudit',
    tag: 'Books',
    summary: 'credited = held + fees, by asset',
    access: 'emulator',
    status: 200,
    answer: z.strictObject({ assets: z.record(z.string(), assetAudit), ok: z.boolean() }),
    handle: audit,
  },
  {
    method: 'GET',
    path: '/markets/{symbol}/book',
    operationId: 'getBook',
    tag: 'Books',
    summary: 'the order book of a market, best first',
    access: 'emulator',
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: z.strictObject({ bids: levels, asks: levels }),
    handle: book,
    handleAsText: bookText,
  },
]
