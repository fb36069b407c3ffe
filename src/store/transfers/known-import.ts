/**
 * Files that a database has already: one with the same bytes, read in the same way by the same papertape, is not read
 * again.
 *
 * Invariant: such a file adds nothing, and its manifest has the figures that reading it again would give. A file with
 * bad rows is always read, because its rejected rows are written to a file.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { throwIfAborted } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { pathInArchive } from '../../import/formats/recording-bytes.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { fileStatus } from '../file-status.ts'
import type { TapeDatabase } from '../tapes/database/tape-database.ts'
import { readGapFile } from '../tapes/gap-file.ts'
import type { ImportManifest } from '../tapes/imports/manifest.ts'
import type { StagingOptions } from '../tapes/imports/staged-recording.ts'

/** A manifest as stored, with the hash of all except the bytes of the file that its figures depend on. */
export type StoredManifest = ImportManifest & { request?: string }

/** A file that is not read again. */
export interface KnownFile {
  /** Stored when the file was imported. */
  readonly known: StoredManifest
  readonly manifest: ImportManifest
}

/** Hash of all except the bytes of a file that its import depends on. @param version  of papertape */
export async function importRequest({ file, ...reading }: TapeSource, version: string): Promise<string> {
  const [archive, entry] = pathInArchive(file)
  const gaps = await readGapFile(file)
  const settings = Object.entries(reading).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const request = [version, basename(archive), entry ?? null, settings, gaps?.info.sha256 ?? null]
  return createHash('sha256').update(JSON.stringify(request)).digest('hex')
}

/** Manifests of the files in a database that need not be read again. */
export function knownImports(store: TapeDatabase): readonly StoredManifest[] {
  return store.markets().flatMap(({ id, entries }) => {
    const rows = entries.reduce((sum, entry) => sum + entry.rows, 0)
    const manifests = store.manifests(id) as readonly StoredManifest[]
    return manifests.filter(({ request, bad, imported }) => request !== undefined && bad === 0 && imported <= rows)
  })
}

/** The manifest of a file that was imported before; undefined if it has to be read. */
export async function knownFile(
  { file }: TapeSource,
  request: string,
  imports: readonly StoredManifest[],
  options: Pick<StagingOptions, 'signal' | 'onBytesRead'> & { readonly importedAt: number },
): Promise<KnownFile | undefined> {
  const [path] = pathInArchive(file)
  const alike = imports.filter((each) => each.request === request && each.bytes === fileStatus(path)?.size)
  const sha256 = alike.length === 0 ? undefined : await fileHash(path, options)
  const known = alike.findLast((each) => each.sha256 === sha256)
  if (known === undefined) return undefined
  const manifest = { ...known }
  delete manifest.request
  const { rowsIn, importedAt, notices } = known
  const notice = `Imported before, at ${isoTime(importedAt)}, with the same settings: the file was not read again.`
  return {
    known,
    manifest: {
      ...manifest,
      name: file,
      imported: 0,
      duplicate: rowsIn,
      importedAt: options.importedAt,
      notices: [notice, ...notices],
    },
  }
}

async function fileHash(
  path: string,
  { signal, onBytesRead }: Pick<StagingOptions, 'signal' | 'onBytesRead'>,
): Promise<string> {
  const hash = createHash('sha256')
  const size = fileStatus(path)?.size ?? 0
  let read = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    throwIfAborted(signal)
    hash.update(chunk)
    onBytesRead?.((read += chunk.length), size)
  }
  return hash.digest('hex')
}

const CHUNK_BYTES = 256 * 1024
