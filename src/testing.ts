/** The exports of `papertape/testing`: strategies under test, in memory. */
export { default as fc } from 'fast-check'
export { InputError } from './domain/errors.ts'
export type { ExchangeFault } from './testing/faults/exchange-fault.ts'
export {
  someCandles,
  someFaults,
  someTerms,
  someTrades,
  type SomeTerms,
  type TapeShape,
} from './testing/generators/arbitraries.ts'
export type { TestCandle, TestTrade } from './testing/tapes/tape-rows.ts'
export type { TestSeriesRow } from './testing/tapes/memory-series.ts'
export type { TestFrame, TestLevel } from './testing/tapes/memory-book.ts'
export { candlesOf, tradesOf, type TapeTextOptions } from './testing/tapes/tape-text.ts'
export {
  testStrategy,
  type StrategyTest,
  type StrategyTestOptions,
  type TestedIntent,
  type TestedRefusal,
  type TestRows,
} from './testing/test-strategy.ts'
export { intentText } from './testing/trial/intent-text.ts'
