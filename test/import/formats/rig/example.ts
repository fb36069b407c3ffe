/**
 * Small recordings in the formats of exchanges, brokers and collectors, made up here: all of them report the same three
 * trades, or the same three candles.
 */
import type { TapeSource } from '../../../../src/import/tape-source.ts'

export interface Example {
  /** Whose it is. */
  readonly format: string
  /** The file's name where it matters. */
  readonly name?: string
  readonly content: string | Buffer
  /** What the user says of it. */
  readonly said?: Omit<Partial<TapeSource>, 'file'>
  /** As the user is reported. */
  readonly dialect: string
  /** Without it, those that are listed with candles hold them. */
  readonly isCandles?: true
  /** First and last row, where they are not those of THREE_TRADES or THREE_CANDLES. */
  readonly rows?: readonly [string, string]
}

/** Time, price, quantity and side of the taker. */
export const THREE_TRADES = [
  '2024-01-01T00:00:00.000Z 42000.1 0.5 sell',
  '2024-01-01T00:00:01.000Z 42000.2 0.125 buy',
  '2024-01-01T00:00:02.000Z 41999 0.25 buy',
] as const

/** Time, open, high, low, close and volume. */
export const THREE_CANDLES = [
  '2024-01-01T00:00:00.000Z 42000.1 42010 41990 42005.5 12.5',
  '2024-01-01T00:01:00.000Z 42005.5 42020 42000 42001 3.25',
  '2024-01-01T00:02:00.000Z 42001 42001 41950 41960.25 7',
] as const

/** Of the first and the last trade, where a format does not report the side. */
export const WITHOUT_SIDES = ['2024-01-01T00:00:00.000Z 42000.1 0.5', '2024-01-01T00:00:02.000Z 41999 0.25'] as const

export const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')
