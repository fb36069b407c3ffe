/** Portfolio parsed from a service's response: an account valued in one asset. */
import { Fields, readArray } from './read-fields.ts'

/** @throws {ExchangeError} SCHEMA_FAULT */
export function readPortfolio(answer: unknown): WirePortfolio {
  const fields = new Fields(answer, '')
  return {
    quoteAsset: fields.text('quoteAsset'),
    equity: fields.decimal('equity'),
    baselineEquity: fields.decimal('baselineEquity'),
    pnl: fields.signedDecimal('pnl'),
    pnlPercent: fields.signedDecimal('pnlPercent'),
    baselineAt: fields.isoTime('baselineAt'),
    asOf: fields.isoTime('asOf'),
    partial: fields.flag('partial'),
    positions: readArray(fields.value('positions'), 'positions', readPosition),
  }
}

function readPosition(item: unknown, path: string): WirePosition {
  const fields = new Fields(item, path)
  return {
    asset: fields.text('asset'),
    available: fields.decimal('available'),
    locked: fields.decimal('locked'),
    total: fields.decimal('total'),
    markPrice: fields.decimal('markPrice'),
    value: fields.decimal('value'),
  }
}

export interface WirePosition {
  readonly asset: string
  /** Decimal strings without trailing zeros, as are those below. */
  readonly available: string
  readonly locked: string
  readonly total: string
  readonly markPrice: string
  readonly value: string
}

export interface WirePortfolio {
  readonly quoteAsset: string
  readonly equity: string
  readonly baselineEquity: string
  /** Signed. */
  readonly pnl: string
  /** Signed. */
  readonly pnlPercent: string
  /** Unix milliseconds. */
  readonly baselineAt: number
  /** Unix milliseconds of the oldest price that it was valued with. */
  readonly asOf: number
  /** True if a holding could not be priced: the figures are then incomplete, and the user must be informed. */
  readonly partial: boolean
  readonly positions: readonly WirePosition[]
}
