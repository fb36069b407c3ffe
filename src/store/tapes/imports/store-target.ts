/**
 * A store as the place of an import: all files in one transaction.
 */
import type { TapeDatabase } from '../database/tape-database.ts'
import type { ImportManifest } from './manifest.ts'
import { mergeMarket } from './merge-market.ts'
import type { StagedRecording } from './staged-recording.ts'

/** @returns the rows that were not there. @throws {InputError} for a row that contradicts a stored one */
export function mergeIntoStore(store: TapeDatabase, staged: StagedRecording, importedAt: number): ImportManifest {
  const { market, gaps, manifest } = staged
  const stored = store.ensure(market.head)
  const { id, blockIds } = stored
  const counts = store.attempt(() => {
    const merged = mergeMarket(manifest.name, stored, market, {
      keep: () => undefined,
      drop: (index) => {
        store.dropBlock(blockIds[index] ?? -1)
      },
      add: (rows) => store.addBlock(id, rows),
      addEncoded: (entry, encoded) => {
        store.addEncoded(id, entry, encoded)
      },
    })
    return { result: merged, isKept: merged.imported > 0 }
  })
  if (gaps !== undefined) store.addGaps(id, gaps)
  const done: ImportManifest = {
    ...manifest,
    imported: counts.imported,
    duplicate: manifest.duplicate + counts.duplicates,
    importedAt,
  }
  if (counts.imported > 0 || gaps !== undefined || stored.entries.length === 0) store.addManifest(id, done)
  return done
}
