/**
 * The exchange and its naive twin: what is true of one must be true of the other.
 */
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { Exchange, ExchangeConfig } from '../../../src/exchange/exchange.ts'
import { createNaiveExchange } from '../../twin/naive-exchange.ts'

export interface Implementation {
  readonly name: string
  readonly create: (config: ExchangeConfig) => Exchange
}

export const implementations: readonly Implementation[] = [
  { name: 'exchange', create: createExchange },
  { name: 'naive twin', create: createNaiveExchange },
]
