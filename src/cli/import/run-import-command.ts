/** `papertape import`, after its flags are parsed. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AbortError, InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { isoTime } from '../../domain/time.ts'
import { readableCount, readableDuration } from '../../report/readable.ts'
import { printable, wrappedText } from '../../report/terminal-text.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'
import { reportedKind } from '../../store/tapes/inspect-stored.ts'
import { type ImportPlace, importRecordings } from '../../store/transfers/import-recordings.ts'
import { version } from '../../runtime/version.ts'
import { Progress } from '../backtest/progress.ts'
import { columnsOf, io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../cli-command.ts'
import { untilSignalled } from '../until-signalled.ts'
import { type ImportRequest, requestOf } from './import-flags.ts'

/** Lines without an end. */
function importWords(manifests: readonly ImportManifest[], place: ImportPlace): readonly string[] {
  const imported = manifests.reduce((sum, each) => sum + each.imported, 0)
  const symbols = [...new Set(manifests.map(({ symbol }) => symbol))]
  const files = readableCount(manifests.length, 'file')
  const [symbol = ''] = symbols
  return [
    ...manifests.flatMap(fileWords),
    `${printable(place.file)}: ${readableCount(imported, 'row')} imported from ${files}`,
    `next: papertape backtest sma-cross ${flagsOf(manifests, symbol, place).join(' ')}`,
  ]
}

function flagsOf(manifests: readonly ImportManifest[], symbol: string, { form, file }: ImportPlace): readonly string[] {
  const isOfBook = ({ kind }: ImportManifest): boolean => kind === 'depth' || kind === 'quotes'
  const named = form === 'store' ? ` --symbol ${symbol}` : ''
  return [
    ...(manifests.every(isOfBook) ? [] : [`--tape ${printable(file)}${named}`]),
    ...(manifests.some(isOfBook) ? [`--depth ${symbol}=${printable(file)}`] : []),
  ]
}

function fileWords(manifest: ImportManifest): readonly string[] {
  const { name, dialect, symbol, rowsIn, imported, duplicate, bad, first, last, unit } = manifest
  const times = unit === 'iso' ? 'dates' : `times in ${unit}`
  const counts = `${readableCount(rowsIn, 'row')}: ${count(imported)} imported, ${count(duplicate)} duplicate, ${count(bad)} bad`
  return [
    `${printable(name)}: ${dialect}, ${symbol} ${reportedKind(manifest)}`,
    `  ${counts}`,
    `  ${isoTime(first)} to ${isoTime(last)}, ${times}`,
    `  ${gapWords(manifest)}`,
    ...manifest.notices.filter((notice) => !notice.startsWith('Read as ')).map((notice) => `  ${printable(notice)}`),
    ...badWords(manifest),
  ]
}

const count = (value: number): string => value.toLocaleString('en-US')

function gapWords({ gaps: { ids, missingIds, times, longest }, kind, markedGaps }: ImportManifest): string {
  if (kind === 'depth') return ids === 0 ? 'no missing updates' : `${readableCount(ids ?? 0, 'gap')} in the updates`
  if (kind === 'quotes') return 'missing quotes cannot be detected'
  const idWords =
    ids === null || missingIds === null
      ? []
      : [ids === 0 ? 'no missing ids' : `${readableCount(missingIds, 'id')} missing in ${readableCount(ids, 'place')}`]
  const what = kind === 'candles' ? 'period without candles' : 'period of more than an hour without trades'
  const many = what.replace('period', 'periods')
  const length =
    longest === null ? '' : `, longest ${readableDuration(longest.to - longest.from)} from ${isoTime(longest.from)}`
  const timeWords = times === 0 ? `no ${what}` : `${count(times)} ${times === 1 ? what : many}${length}`
  const marked = markedGaps === null ? [] : [`${readableCount(markedGaps, 'gap')} from the gap file`]
  return [...idWords, timeWords, ...marked].join('; ')
}

function badWords({ reasons, rejects }: ImportManifest): readonly string[] {
  return [
    ...reasons.flatMap(({ reason, count: times, first }) => [
      `  ${readableCount(times, 'bad row')}: ${printable(reason)}`,
      ...first.map(({ message }) => `    ${printable(message)}`),
    ]),
    ...(rejects === null ? [] : [`  rejected rows: ${printable(rejects)}`]),
  ]
}

// The only clock of an import.
const wallClock = Date.now
/** Exit code of a shell for a command ended by Ctrl-C. */
const INTERRUPTED = 130

/** Name of standard input in messages. */
const STDIN = '-'
/** Yargs does not accept a dash as positional argument. */
const STDIN_PATH = '/dev/stdin'

/** True for standard input. */
const isStdin = (file: string): boolean => file === STDIN || file === STDIN_PATH

interface StdinFile {
  readonly path: string
  remove(): void
}

/**
 * Standard input as a temporary private file, because a recording is read more than once.
 *
 * @throws {InputError} if it is a terminal, or cannot be stored
 */
async function stdinAsFile(): Promise<StdinFile> {
  if (io.stdin.isTTY)
    throw new InputError(STDIN, 'expected a recording on standard input, got a terminal: pipe a file into it')
  const folder = madeFolder()
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  const path = join(folder, 'stdin')
  try {
    await pipeline(io.stdin, createWriteStream(path, { mode: 0o600 }))
    return { path, remove }
  } catch (error) {
    remove()
    throw notStored(error)
  }
}

function madeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'papertape-stdin-'))
  } catch (error) {
    throw notStored(error)
  }
}

const notStored = (error: unknown): InputError =>
  new InputError(
    STDIN,
    `standard input cannot be stored in ${tmpdir()} (${thrownText(error)}): name another directory with TMPDIR`,
    { cause: error },
  )

/**
 * Imports files and prints the result.
 *
 * @returns the exit code
 * @throws {InputError} for invalid input; then nothing was imported
 */
export async function importFiles(values: FlagValues): Promise<number> {
  const request = requestOf(values)
  const progress = request.isQuiet || request.isJson || !io.stderr.isTTY ? undefined : new Progress(io.stderr)
  const stdin = request.sources.some(({ file }) => isStdin(file)) ? await stdinAsFile() : undefined
  try {
    const manifests = await imported(request, stdin?.path, progress)
    progress?.clear()
    if (request.isJson) io.stdout.write(`${JSON.stringify(manifests)}\n`)
    else if (!request.isQuiet) {
      // A command stays on one line, so that it can be copied.
      const lines = importWords(manifests, request.place).map((line) =>
        line.startsWith('next: ') ? line : wrappedText(line, columnsOf(io.stdout)),
      )
      io.stdout.write(`${lines.join('\n')}\n`)
    }
    return EXIT.done
  } catch (error) {
    progress?.clear()
    if (error instanceof InputError && stdin !== undefined) throw error.atFile(stdin.path, STDIN)
    if (!(error instanceof AbortError)) throw error
    io.stderr.write('stopped: nothing was imported\n')
    return INTERRUPTED
  } finally {
    stdin?.remove()
  }
}

async function imported(
  { sources, place, maxBad }: ImportRequest,
  stdin: string | undefined,
  progress: Progress | undefined,
): Promise<readonly ImportManifest[]> {
  const files = sources.map((source) =>
    isStdin(source.file) && stdin !== undefined ? { ...source, file: stdin } : source,
  )
  const manifests = await importRecordings(files, place, {
    signal: untilSignalled(),
    maxBad,
    // Standard input has no directory of its own, so its rejects go to the working directory.
    rejectsOf: (file) => (file === stdin ? join('.', `${basename(stdin)}.rejects.csv`) : undefined),
    importedAt: wallClock(),
    version: version(),
    onReading: (file, read, total) => progress?.read(file, read, total),
  })
  return manifests.map((manifest) => (manifest.name === stdin ? { ...manifest, name: STDIN } : manifest))
}
