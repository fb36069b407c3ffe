/**
 * The standard input as a file, for a recording is read more than once: private, and gone when the command is.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { io } from '../cli-io.ts'

/** The name by which it is told. */
export const STDIN = '-'
/** Yargs takes no positional argument that is a dash. */
const STDIN_PATH = '/dev/stdin'

/** Whether a file is it. */
export const isStdin = (file: string): boolean => file === STDIN || file === STDIN_PATH

export interface StdinFile {
  readonly path: string
  remove(): void
}

/** @throws {InputError} when there is nobody to type it in, or no room for it */
export async function stdinAsFile(): Promise<StdinFile> {
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
