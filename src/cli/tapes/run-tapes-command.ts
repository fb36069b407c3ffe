/** `papertape tapes` and its subcommands, after their arguments are parsed. */
import { createInterface } from 'node:readline/promises'
import { openSync, closeSync, readSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { readInterval } from '../../runtime/settings/form.ts'
import { TAPE_FILE_START } from '../../store/tapes/blocks/block-file.ts'
import { BookFile, isBookFile } from '../../store/tapes/blocks/book-file.ts'
import type { StoredBook } from '../../store/tapes/blocks/stored-book.ts'
import type { StoredMarket } from '../../store/tapes/blocks/stored-market.ts'
import { TapeFile } from '../../store/tapes/blocks/tape-file.ts'
import { checkBook } from '../../store/tapes/checks/check-book.ts'
import { checkMarket, type MarketCheck } from '../../store/tapes/checks/check-market.ts'
import { TapeDatabase } from '../../store/tapes/database/tape-database.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'
import { rowGapsOf } from '../../store/tapes/imports/row-gaps.ts'
import { reportedKind } from '../../store/tapes/inspect-stored.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { printJson, storeOf } from '../shared-flags.ts'
import { several, single, type FlagText } from '../option-values.ts'
import { priceLine, tapeJson, tapesTable, type DrawnTape, type ListedTape } from './tapes-table.ts'

interface OpenTape extends ListedTape {
  readonly market: StoredMarket
}

/** A recorded book, or quotes. */
interface OpenBook {
  readonly file: string
  readonly book: StoredBook
}

const listed = ({ file, book }: OpenBook): ListedTape => {
  const { head, entries } = book
  const gaps = head.kind === 'depth' ? entries.reduce((sum, entry) => sum + entry.gaps, 0) : null
  return { file, market: { head: { ...head, intervalMs: null }, entries }, gaps }
}

/** Calls back for every tape and book, and closes the files. */
function eachTape(
  db: unknown,
  given: unknown,
  onTape: (tape: OpenTape) => void,
  onBook: (book: OpenBook) => void,
): void {
  const files = several('tapes', given as FlagText)
  if (files.length > 0 && db !== undefined)
    throw new InputError('--db', 'cannot be combined with files; pass one of them')
  for (const file of files.length === 0 ? [storeOf(db)] : files) {
    const opened = isTapeFile(file) ? openFile(file) : TapeDatabase.read(file)
    try {
      for (const tape of opened instanceof BookFile ? [] : tapesIn(file, opened)) onTape(tape)
      for (const book of booksIn(opened)) onBook({ file, book })
    } finally {
      opened.close()
    }
  }
}

const openFile = (file: string): TapeFile | BookFile => (isBookFile(file) ? new BookFile(file) : new TapeFile(file))

function booksIn(opened: TapeFile | BookFile | TapeDatabase): readonly StoredBook[] {
  if (opened instanceof BookFile) return [opened]
  return opened instanceof TapeDatabase ? opened.books.list() : []
}

function tapesIn(file: string, opened: TapeFile | TapeDatabase): readonly OpenTape[] {
  if (opened instanceof TapeFile) return [{ file, market: opened, gaps: opened.gaps?.length ?? null }]
  return opened.markets().map((market) => ({ file, market, gaps: gapsOf(opened, market) }))
}

function gapsOf(store: TapeDatabase, market: ReturnType<TapeDatabase['markets']>[number]): number | null {
  if (market.gaps !== undefined) return market.gaps.length
  const manifests = store.manifests(market.id) as readonly ImportManifest[]
  return manifests.reduce((sum, { gaps }) => sum + (gaps.ids ?? gaps.times), 0)
}

function isTapeFile(file: string): boolean {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const start = Buffer.alloc(TAPE_FILE_START.length)
      return readSync(descriptor, start, 0, start.length, 0) === start.length && start.equals(TAPE_FILE_START)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    // Reported when it is opened as a database.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

export function showTapes(db: unknown, files: unknown, isJson: boolean): void {
  const tapes: DrawnTape[] = []
  eachTape(
    db,
    files,
    (tape) => tapes.push({ ...tape, line: isJson ? '' : priceLine(tape.market) }),
    (book) => tapes.push({ ...listed(book), line: '' }),
  )
  if (isJson) io.stdout.write(`${JSON.stringify(tapes.map(tapeJson))}\n`)
  else if (tapes.length === 0) io.stdout.write('no tapes yet: import some with papertape import FILE\n')
  else io.stdout.write(tapesTable(tapes))
}

/** @returns the exit code */
export function checkTapes(db: unknown, files: unknown, isJson: boolean): number {
  const reported: object[] = []
  let faults = 0
  const report = (
    file: string,
    head: ListedTape['market']['head'],
    check: MarketCheck,
    gaps: ReturnType<typeof rowGapsOf> | null,
  ): void => {
    faults += check.faults
    reported.push({ file, symbol: head.symbol, kind: head.kind, ...check, gaps })
    if (!isJson) io.stdout.write(`${checkWords(file, `${head.symbol} ${reportedKind(head)}`, check, gaps)}\n`)
  }
  eachTape(
    db,
    files,
    ({ file, market }) => {
      const check = checkMarket(market)
      report(file, market.head, check, check.faults === 0 ? rowGapsOf(market) : null)
    },
    ({ file, book }) => report(file, { ...book.head, intervalMs: null }, checkBook(file, book), null),
  )
  if (isJson) io.stdout.write(`${JSON.stringify(reported)}\n`)
  return faults === 0 ? EXIT.done : EXIT.failed
}

function checkWords(
  file: string,
  what: string,
  { blocks, rows, findings, count, faults }: MarketCheck,
  gaps: ReturnType<typeof rowGapsOf> | null,
): string {
  const verdict = faults === 0 ? 'sound' : readableCount(faults, 'fault')
  const ids = gaps?.ids ?? null
  const missing = ids === null ? '' : `, ${readableCount(ids, 'gap')} in the ids`
  const quiet = gaps === null ? '' : `, ${readableCount(gaps.times, 'gap')} in time`
  const size = `${readableCount(blocks, 'block')}, ${readableCount(rows, 'row')}`
  const lines = findings.map(({ what: kind, block, time, message }) => {
    const when = time === null ? '' : ` at ${isoTime(time)}`
    return `  ${kind}: block ${block}${when}: ${printable(message)}`
  })
  const more = count > findings.length ? [`  and ${count - findings.length} more`] : []
  return [`${printable(file)}: ${what}: ${verdict}; ${size}${missing}${quiet}`, ...lines, ...more].join('\n')
}

/** A tape of a database. */
type RemovedTape = ListedTape['market'] & { readonly id: number }

interface RemoveRequest {
  readonly interval: unknown
  readonly isSure: boolean
  readonly isJson: boolean
}

/** @throws {InputError} if there is no such tape, or without confirmation */
export async function removeTape(db: unknown, symbol: string, request: RemoveRequest): Promise<void> {
  const { interval, isSure, isJson } = request
  const file = storeOf(db)
  const length = single('--candle-interval', interval as FlagText)
  const intervalMs = length === undefined ? undefined : readInterval(setting('candleInterval'), length)
  const chosen = (store: TapeDatabase): readonly RemovedTape[] => {
    const books = store.books
      .list()
      .map(({ id, head, entries }) => ({ id, head: { ...head, intervalMs: null }, entries }))
    const found = [...store.markets(), ...books].filter(
      ({ head }) => head.symbol === symbol && (intervalMs === undefined || head.intervalMs === intervalMs),
    )
    if (found.length > 0) return found
    throw new InputError(file, `has no tape of ${symbol}${length === undefined ? '' : ` of ${length}`}`)
  }
  const removed = closing(TapeDatabase.read(file), chosen).map(({ head, entries }) => ({
    kind: reportedKind(head),
    rows: entries.reduce((sum, { rows }) => sum + rows, 0),
  }))
  const reported = removed.map(({ kind, rows }) => `${kind} (${readableCount(rows, 'row')})`).join(', ')
  if (!isSure) await ask(`remove ${reported} of ${symbol} from ${printable(file)}? [y/N] `)
  closing(TapeDatabase.write(file), (store) => {
    for (const { id } of chosen(store)) store.dropMarket(id)
    store.commit()
    store.giveSpaceBack()
  })
  if (isJson) printJson({ file, symbol, removed })
  else io.stderr.write(`${printable(file)}: removed ${reported} of ${symbol}\n`)
}

function closing<T>(store: TapeDatabase, use: (store: TapeDatabase) => T): T {
  try {
    return use(store)
  } finally {
    store.close()
  }
}

async function ask(question: string): Promise<void> {
  if (!io.stdin.isTTY) throw new InputError('--yes', 'required, because there is no terminal to confirm on')
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  try {
    if (/^y(?:es)?$/i.test(await lines.question(question))) return
  } finally {
    lines.close()
  }
  throw new InputError('tapes rm', 'nothing was removed')
}
