/**
 * `papertape import`, once its flags are read.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AbortError, InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { importRecordings } from '../../store/transfers/import-recordings.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'
import { Progress } from '../backtest/progress.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../flag-values.ts'
import { untilSignalled } from '../until-signalled.ts'
import { requestOf, type ImportWish } from './import-flags.ts'
import { importWords } from './import-words.ts'

// Taken here: nothing else of an import looks at the clock.
const wallClock = Date.now
/** As a shell tells a command that Ctrl-C has ended. */
const INTERRUPTED = 130

/** The name by which it is told. */
const STDIN = '-'
/** Yargs takes no positional argument that is a dash. */
const STDIN_PATH = '/dev/stdin'

/** Whether a file is it. */
const isStdin = (file: string): boolean => file === STDIN || file === STDIN_PATH

interface StdinFile {
  readonly path: string
  remove(): void
}

/**
 * The standard input as a private file, because a recording is read more than once; removed when the command ends.
 *
 * @throws {InputError} when it is a terminal, or cannot be stored
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
 * Imports, and tells what came of it.
 *
 * @returns the exit code
 * @throws {InputError} for anything that the user has to mend; then nothing was imported
 */
export async function importFiles(values: FlagValues): Promise<number> {
  const request = requestOf(values)
  const progress = request.isQuiet || request.isJson || !io.stderr.isTTY ? undefined : new Progress((text) => io.stderr.write(text)) // prettier-ignore
  const stdin = request.sources.some(({ file }) => isStdin(file)) ? await stdinAsFile() : undefined
  try {
    const manifests = await imported(request, stdin?.path, progress)
    progress?.clear()
    if (request.isJson) io.stdout.write(`${JSON.stringify(manifests)}\n`)
    else if (!request.isQuiet) io.stdout.write(`${importWords(manifests, request.place).join('\n')}\n`)
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
  { sources, place, maxBad }: ImportWish,
  stdin: string | undefined,
  progress: Progress | undefined,
): Promise<readonly ImportManifest[]> {
  const files = sources.map((source) =>
    isStdin(source.file) && stdin !== undefined ? { ...source, file: stdin } : source,
  )
  const manifests = await importRecordings(files, place, {
    signal: untilSignalled(),
    maxBad,
    // Beside what has no place of its own there is the working directory.
    rejectsOf: (file) => (file === stdin ? join('.', `${basename(stdin)}.rejects.csv`) : undefined),
    importedAt: wallClock(),
    onReading: (file, read, total) => progress?.read(file, read, total),
  })
  return manifests.map((manifest) => (manifest.name === stdin ? { ...manifest, name: STDIN } : manifest))
}
