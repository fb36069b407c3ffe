/**
 * The recordings of one run, kept for the next of the same process: read again only once their files are others than
 * they were.
 */
import { statSync } from 'node:fs'
import type { BacktestSettings } from '../settings/backtest-settings.ts'
import { inspectMarkets, type InspectedMarkets, type PreparationWatch } from './inspected-markets.ts'

type Sources = Pick<BacktestSettings, 'tapes' | 'books'>

export class KeptRecordings {
  #key = ''
  #markets: InspectedMarkets | undefined

  /** @throws {InputError | AbortError} as `inspectMarkets` does; nothing is kept then */
  async of(sources: Sources, watch: PreparationWatch): Promise<InspectedMarkets> {
    const key = keyOf(sources)
    if (this.#markets !== undefined && key === this.#key) return this.#markets
    this.#markets = undefined
    const markets = await inspectMarkets(sources, watch)
    this.#key = key
    this.#markets = markets
    return markets
  }
}

/** What is said of the files, and what the system tells of them. */
const keyOf = ({ tapes, books }: Sources): string =>
  JSON.stringify([tapes, books, [...tapes, ...books].map(({ file }) => stateOf(file))])

/** Null for one that is not there, which is told when it is read. */
function stateOf(file: string): readonly number[] | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? null : [found.dev, found.ino, found.size, found.mtimeMs]
}
