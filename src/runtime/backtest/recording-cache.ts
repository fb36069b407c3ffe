/** Cache of a run's recordings for the next run of the same process: read again only after their files changed. */
import { statSync } from 'node:fs'
import { inspectMarkets, type InspectedMarkets, type PreparationWatch, type Recorded } from './inspected-markets.ts'

export class RecordingCache {
  #key = ''
  #markets: InspectedMarkets | undefined

  /** @throws {InputError | AbortError} as `inspectMarkets` does; nothing is cached then */
  async of(sources: Recorded, watch: PreparationWatch): Promise<InspectedMarkets> {
    const key = keyOf(sources)
    if (this.#markets !== undefined && key === this.#key) return this.#markets
    this.#markets = undefined
    const markets = await inspectMarkets(sources, watch)
    this.#key = key
    this.#markets = markets
    return markets
  }
}

/** Cache key: the settings of the files, and their state in the file system. */
const keyOf = ({ tapes, books, series = [] }: Recorded): string =>
  JSON.stringify([tapes, books, series, [...tapes, ...books, ...series].map(({ file }) => stateOf(file))])

/** Null for a missing file, which is reported when it is read. */
function stateOf(file: string): readonly number[] | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? null : [found.dev, found.ino, found.size, found.mtimeMs]
}
