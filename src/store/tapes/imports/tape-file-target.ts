/**
 * A `.tape` file as the target of an import: a temporary file is written from the old and new blocks, then renamed over
 * it.
 */
import { existsSync } from 'node:fs'
import { InputError, invariant } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import type { StoredRows } from '../blocks/block-codec.ts'
import type { EncodedBlock } from '../blocks/sealed-block.ts'
import type { BlockEntry } from '../blocks/block-entry.ts'
import type { StoredMarket, TapeHead } from '../blocks/stored-market.ts'
import { TapeFile, TapeFileWriter } from '../blocks/tape-file.ts'
import { reportedKind } from '../inspect-stored.ts'
import type { SpoolRoom } from '../block-spool.ts'
import { SpooledMarket, RowSpool } from '../row-spool.ts'
import type { MergeCounts } from '../order/merge-rows.ts'
import type { ImportManifest } from './manifest.ts'
import { mergeMarket, type IncomingMarket } from './merge-market.ts'
import type { StagedRecording } from './staged-recording.ts'
import { asWriteFault } from '../../../domain/write-fault.ts'

/** Source of a block of the future tape. */
interface BlockRef {
  readonly market: IncomingMarket
  readonly index: number
}

/** @throws {InputError} for a row that contradicts one that is there, and for a recording of another market */
export function mergeIntoTapeFile(
  file: string,
  staged: readonly StagedRecording[],
  room: SpoolRoom,
  importedAt: number,
): ReadonlyMap<StagedRecording, ImportManifest> {
  const [first] = staged
  invariant(first !== undefined, 'an import has a file')
  const before = existsSync(file) ? new TapeFile(file) : undefined
  try {
    let refs: readonly BlockRef[] = before?.entries.map((_, index) => ({ market: before, index })) ?? []
    let head = before?.head ?? first.market.head
    let gaps = before?.gaps
    let isChanged = false
    const done = new Map<StagedRecording, ImportManifest>()
    for (const each of staged) {
      checkSame(file, head, each.market.head)
      const merged = mergedRefs({ refs, head, gaps }, each, room)
      const { imported, duplicates } = merged.counts
      const all = allGaps(gaps, each.gaps)
      isChanged ||= imported > 0 || all?.length !== gaps?.length
      refs = imported > 0 ? merged.refs : refs
      head = { ...head, hasConditions: head.hasConditions || each.market.head.hasConditions }
      gaps = all
      const { manifest } = each
      done.set(each, { ...manifest, imported, duplicate: manifest.duplicate + duplicates, importedAt })
    }
    if (isChanged) writeTape(file, refs, head, gaps)
    return done
  } finally {
    before?.close()
  }
}

interface Listed {
  readonly refs: readonly BlockRef[]
  readonly head: TapeHead
  readonly gaps: readonly MarkedGap[] | undefined
}

function mergedRefs(
  { refs, head, gaps }: Listed,
  { market, manifest }: StagedRecording,
  room: SpoolRoom,
): { readonly counts: MergeCounts; readonly refs: readonly BlockRef[] } {
  const stored: StoredMarket = {
    head,
    gaps,
    sha256: '',
    entries: refs.map(entryOf),
    read: (index) => readRef(refs[index]),
  }
  const next: BlockRef[] = []
  const spool = new RowSpool(room)
  let mergedAt: number | undefined
  let taken = 0
  const counts = mergeMarket(manifest.name, stored, market, {
    keep(index) {
      const ref = refs[index]
      if (ref !== undefined) next.push(ref)
    },
    drop: () => undefined,
    add(rows) {
      mergedAt ??= next.length
      spool.add(rows)
    },
    addEncoded() {
      next.push({ market, index: taken })
      taken += 1
    },
  })
  const spooled = spool.finish(head)
  if (spooled === undefined)
    throw new InputError(manifest.name, 'the disk for temporary files is full: use another with TMPDIR')
  const merged = new SpooledMarket(spooled)
  next.splice(mergedAt ?? 0, 0, ...merged.entries.map((_, index): BlockRef => ({ market: merged, index })))
  return { counts, refs: next }
}

function entryOf({ market, index }: BlockRef): BlockEntry {
  const entry = market.entries[index]
  invariant(entry !== undefined, 'a block of the list has an entry')
  return entry
}

function readRef(ref: BlockRef | undefined): StoredRows {
  invariant(ref !== undefined, 'a block of the list')
  return ref.market.read(ref.index)
}

function writeTape(
  file: string,
  refs: readonly BlockRef[],
  head: TapeHead,
  gaps: readonly MarkedGap[] | undefined,
): void {
  let writer: TapeFileWriter | undefined
  try {
    writer = new TapeFileWriter(file)
    for (const ref of refs) {
      const encoded: EncodedBlock | undefined = ref.market.encoded(ref.index)
      if (encoded === undefined) writer.add(readRef(ref))
      else writer.addEncoded(entryOf(ref), encoded)
    }
    writer.finish(head, gaps)
  } catch (error) {
    writer?.abandon()
    throw asWriteFault(file, error)
  }
}

function checkSame(file: string, there: TapeHead, comes: TapeHead): void {
  const reported = (head: TapeHead): string => `${reportedKind(head)} of ${head.symbol}`
  if (reported(there) === reported(comes)) return
  throw new InputError(
    file,
    `holds ${reported(there)}, so ${reported(comes)} cannot go into it: use another file, or a database`,
  )
}

/** Each once, oldest first. */
function allGaps(
  there: readonly MarkedGap[] | undefined,
  come: readonly MarkedGap[] | undefined,
): readonly MarkedGap[] | undefined {
  if (there === undefined || come === undefined) return come ?? there
  const byPlace = new Map([...come, ...there].map((gap) => [`${gap.from} ${gap.to}`, gap]))
  return [...byPlace.values()].toSorted((one, other) => one.from - other.from || one.to - other.to)
}
