/**
 * What every exchange adapter must do, whatever is behind it.
 *
 * Known limit: it asks for the order of what one client is reported, not for the order in which an exchange executes
 * two requests that are on their way together, which no network promises.
 */
import { describe } from 'vitest'
import { describeAccount } from './account.contract.ts'
import { describeBooks } from './books.contract.ts'
import type { ContractSubject } from './contract-stage.ts'
import { describeMarketData } from './market-data.contract.ts'
import { describeReportedAll } from './reported-all.contract.ts'

/** Declares the tests of one adapter. */
export function describeExchangeAdapter(subject: ContractSubject): void {
  describe(`exchange adapter: ${subject.name}`, () => {
    describeAccount(subject)
    describeMarketData(subject)
    describeBooks(subject)
    describeReportedAll(subject)
  })
}
