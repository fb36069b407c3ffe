/**
 * The number of the last acknowledged write of a state file, in a small file next to it while the state is open. It
 * reveals a log that lost its end, which otherwise looks complete.
 *
 * Invariant: it is never ahead of the disk. Known limit: it is not flushed, so it may lag after a power failure.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'

const FORM = /^papertape (\d+) *\n$/
const LENGTH = 32

const beside = (file: string): string => `${file}-acknowledged`

export class AcknowledgedWrites {
  readonly #path: string
  readonly #descriptor: number

  constructor(file: string, lastWrite: number) {
    this.#path = beside(file)
    this.#descriptor = openSync(this.#path, 'w', 0o600)
    this.note(lastWrite)
  }

  /** @param lastWrite  number of a write that is on the disk */
  note(lastWrite: number): void {
    writeSync(this.#descriptor, `papertape ${lastWrite}`.padEnd(LENGTH - 1) + '\n', 0)
  }

  /** When there is no log any more. */
  remove(): void {
    closeSync(this.#descriptor)
    rmSync(this.#path, { force: true })
  }
}

/**
 * Compares the last write in a state with the last acknowledged one, if that is known.
 *
 * @throws {InputError} naming the log if its end is missing
 */
export function checkAcknowledged(file: string, lastWrite: number): void {
  const acknowledged = acknowledgedIn(beside(file))
  if (acknowledged <= lastWrite) return
  const lost = `ends at write ${lastWrite}, and write ${acknowledged} was acknowledged`
  const remedy = `restore its log, or delete '${beside(file)}' to continue without the lost part`
  throw new InputError(`${file}-wal`, `is damaged or gone (${file} ${lost}): ${remedy}`)
}

/** 0 if unknown. */
function acknowledgedIn(path: string): number {
  try {
    return Number(FORM.exec(readFileSync(path, 'latin1'))?.[1] ?? 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw new InputError(path, 'cannot be read', { cause: error })
  }
}
