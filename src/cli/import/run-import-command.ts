/**
 * `papertape import`, once its flags are read.
 */
import { basename, join } from 'node:path'
import { AbortError, InputError } from '../../domain/errors.ts'
import { importRecordings } from '../../store/transfers/import-recordings.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'
import { Progress } from '../backtest/progress.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../flag-values.ts'
import { untilSignalled } from '../until-signalled.ts'
import { requestOf, type ImportWish } from './import-flags.ts'
import { importWords } from './import-words.ts'
import { isStdin, STDIN, stdinAsFile } from './stdin-file.ts'

// Taken here: nothing else of an import looks at the clock.
const wallClock = Date.now
/** As a shell tells a command that Ctrl-C has ended. */
const INTERRUPTED = 130

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
