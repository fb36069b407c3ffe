/**
 * The liquidity models by name.
 */
import { IdealLiquidity } from './ideal.ts'
import type { LiquidityModel } from './liquidity-model.ts'

interface LiquidityEntry {
  /** A fresh model for one market. */
  readonly create: () => LiquidityModel
  /** What whoever reads a result under this model must know; a full sentence, or nothing. */
  readonly caution: string
}

const ENTRIES = {
  ideal: {
    create: () => new IdealLiquidity(),
    caution:
      'Liquidity ideal fills any quantity at the last price without a spread: for comparing tools, not for believing.',
  },
} as const satisfies Record<string, LiquidityEntry>

export type LiquidityName = keyof typeof ENTRIES

export const LIQUIDITY_NAMES = Object.keys(ENTRIES) as readonly LiquidityName[]

export const DEFAULT_LIQUIDITY: LiquidityName = 'ideal'

export const liquidity = (name: LiquidityName): LiquidityEntry => ENTRIES[name]
