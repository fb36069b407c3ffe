/** A store as the place of an import: all files in one transaction. */
import type { TapeDatabase } from '../database/tape-database.ts'
import type { MergeCounts } from '../order/merge-rows.ts'
import type { ImportManifest } from './manifest.ts'
import { mergeMarket, type IncomingMarket } from './merge-market.ts'
import type { StagedRecording } from './staged-recording.ts'

/** @returns the rows that were not there. @throws {InputError} for a row that contradicts a stored one */
export function mergeIntoStore(store: TapeDatabase, staged: StagedRecording, importedAt: number): ImportManifest {
  const { market, gaps, manifest, request } = staged
  const stored = store.ensure(market.head)
  const { id } = stored
  const counts = mergeRowsIntoStore(store, manifest.name, market)
  if (gaps !== undefined) store.addGaps(id, gaps)
  const done: ImportManifest = {
    ...manifest,
    imported: counts.imported,
    duplicate: manifest.duplicate + counts.duplicates,
    importedAt,
  }
  if (counts.imported > 0 || gaps !== undefined || stored.entries.length === 0) {
    store.addManifest(id, { ...done, request })
  }
  return done
}

/**
 * Merges rows into the same market of the store. If all are there already, nothing changes.
 *
 * @param name  of the source of the rows, for errors
 * @throws {InputError} for a row that contradicts a stored one
 */
export function mergeRowsIntoStore(store: TapeDatabase, name: string, market: IncomingMarket): MergeCounts {
  return store.attempt(() => {
    const { id } = store.ensure(market.head)
    // New rows may come after those still being recorded.
    store.sealNewest(id)
    const stored = store.ensure(market.head)
    const merged = mergeMarket(name, stored, market, {
      keep: () => undefined,
      drop: (index) => {
        store.dropBlock(stored.blockIds[index] ?? -1)
      },
      add: (rows) => store.addBlock(id, rows),
      addEncoded: (entry, encoded) => {
        store.addEncoded(id, entry, encoded)
      },
    })
    return { result: merged, isCommitted: merged.imported > 0 }
  })
}
