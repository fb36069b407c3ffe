/**
 * Reads the portfolio of an account (section 2, Portfolio).
 */
import { Fields, readArray } from './read-fields.ts'
import type { WirePortfolio, WirePosition } from './wire-portfolio.ts'

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
