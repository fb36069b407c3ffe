/**
 * The journal of a season in its file, and the season as followed from it.
 *
 * Invariants: an entry is durable before it is answered; one process at a time writes; an incomplete last line, as a
 * kill leaves it, is cut at the next start. After the result nothing is written.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { InputError, InvariantError } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { FolderLock } from '../../store/locks/folder-lock.ts'
import { lineTexts } from '../../store/runs/line-reader.ts'
import { syncFolder } from '../../store/whole-file.ts'
import type { EntryJournal } from '../state/journaled-exchange.ts'
import type { StateEntry } from '../state/state-entry.ts'
import { StateJournal } from '../state/state-journal.ts'
import { LineChain } from './chained-lines.ts'
import { readJournal } from './read-journal.ts'
import { writeSeasonEntry, type PlayerEntry, type SeasonEntry, type SeasonHead } from './season-entry.ts'
import { SeasonFold } from './season-fold.ts'
import type { SeasonResult } from './season-result.ts'

/** Begins every journal, even one whose first line is incomplete. */
const FIRST_LINE = '[{"type":"season","papertape":'
/** The journal has others' orders until the season is over. */
const OWN = 0o600

export class SeasonJournal implements EntryJournal {
  readonly fold: SeasonFold
  readonly chain: LineChain
  readonly #journal: StateJournal<SeasonEntry>
  readonly #close: () => void

  private constructor(
    file: JournalFile,
    read: Pick<SeasonJournal, 'fold' | 'chain'>,
    onFailure: (error: unknown) => void,
  ) {
    this.fold = read.fold
    this.chain = read.chain
    this.#close = () => {
      file.close()
    }
    const noSnapshot = (): never => {
      throw new InvariantError('a season has no snapshots')
    }
    this.#journal = new StateJournal({
      store: {
        append: (lines) => {
          file.append(lines)
        },
        isInOneFile: true,
        replace: noSnapshot,
        replaceBeside: noSnapshot,
      },
      write: (entry) => this.chain.add(writeSeasonEntry(entry)),
      join: (lines) => lines.join(''),
      snapshot: noSnapshot,
      entriesBehind: 0,
      checkpointEntries: Infinity,
      onFailure,
    })
  }

  /**
   * Opens the journal of a season, or begins it.
   *
   * @param hear  called with each entry after the first
   * @throws {InputError} for a damaged file, one of another season, or one in use
   */
  static open(
    path: string,
    head: SeasonHead,
    hear: (entry: SeasonEntry) => void,
    onFailure: (error: unknown) => void,
  ): SeasonJournal {
    const file = new JournalFile(path)
    try {
      const read = existsSync(path) ? readJournal(path, hear) : undefined
      if (read === undefined) checkIsEmpty(path)
      else checkIsSame(path, read.fold, head)
      file.open(read?.bytes ?? 0)
      if (read !== undefined) return new SeasonJournal(file, read, onFailure)
      const chain = new LineChain()
      const fold = new SeasonFold(head)
      file.append(chain.add(writeSeasonEntry(head)))
      return new SeasonJournal(file, { fold, chain }, onFailure)
    } catch (error) {
      file.close()
      throw error
    }
  }

  checkIsOpen(): void {
    this.#journal.checkIsOpen()
  }

  /** Once the result is written, whatever happens is no part of the season. */
  add(entry: StateEntry | PlayerEntry | SeasonResult): void {
    this.checkIsOpen()
    if (this.fold.result !== undefined) return
    this.fold.apply(entry, this.chain.lines + 1)
    this.#journal.add(entry)
  }

  abandon(): void {
    this.#journal.abandon()
  }

  durable(): Promise<void> | undefined {
    return this.#journal.durable()
  }

  close(): void {
    try {
      this.#journal.close()
    } finally {
      this.#close()
    }
  }
}

/** @throws {InputError} for a file without a line that is no begun first line of a journal, and would be overwritten */
function checkIsEmpty(path: string): void {
  if (!existsSync(path)) return
  const { size } = statSync(path)
  const [text = ''] = lineTexts(path, FIRST_LINE.length)
  if (size === 0 || text === FIRST_LINE) return
  throw new InputError(path, 'is not the journal of a season: use another --journal')
}

function checkIsSame(path: string, { season, exchange }: SeasonFold, head: SeasonHead): void {
  const { markets, quoteAsset } = head.exchange
  const isSame =
    JSON.stringify([season.terms, exchange.markets]) === JSON.stringify([head.season, markets]) && quoteAsset !== ''
  if (isSame) return
  throw new InputError(
    path,
    `is the journal of another season, '${season.terms.name}', or its file was changed since: use another --journal`,
  )
}

/** The file, locked by a folder of its name with `-lock`. */
class JournalFile {
  readonly #path: string
  readonly #lock: FolderLock
  #descriptor: number | undefined

  /** @throws {InputError} if another process has it */
  constructor(path: string) {
    this.#path = path
    const folder = `${path}-lock`
    this.#lock = this.#safely(() => {
      const taken = FolderLock.take(folder, { make: () => mkdirSync(folder, { recursive: true }), waitMs: 0 })
      if (taken instanceof FolderLock) return taken
      throw new InputError(path, 'is in use by another process')
    })
  }

  /** @param bytes  of its whole lines; the rest is cut */
  open(bytes: number): void {
    this.#safely(() => {
      const descriptor = openSync(this.#path, 'a', OWN)
      this.#descriptor = descriptor
      ftruncateSync(descriptor, bytes)
      fdatasyncSync(descriptor)
      syncFolder(dirname(this.#path))
    })
  }

  append(lines: string): void {
    const descriptor = this.#descriptor
    if (descriptor === undefined) throw new InvariantError('the journal is open')
    this.#safely(() => {
      writeFileSync(descriptor, lines)
      fdatasyncSync(descriptor)
    })
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#lock.release()
  }

  #safely<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      throw error instanceof InputError ? error : writeFault(this.#path, 'cannot be written', error)
    }
  }
}
