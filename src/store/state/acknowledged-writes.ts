/**
 * The number of the last acknowledged write of a state file, in a small file beside it while the state is open: a log
 * that has lost its end reads as one that ends there, and only what stands elsewhere can tell the two apart.
 *
 * Invariant: it is never ahead of what is on the disk. Known limit: it is not flushed, so after a loss of power it may
 * be behind.
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
 * Holds what was read of a state against what was acknowledged, as far as that is known.
 *
 * @throws {InputError} naming the log, when its end is not there
 */
export function checkAcknowledged(file: string, lastWrite: number): void {
  const acknowledged = acknowledgedIn(beside(file))
  if (acknowledged <= lastWrite) return
  const lost = `ends at write ${lastWrite}, and write ${acknowledged} was acknowledged`
  const remedy = `restore its log, or delete '${beside(file)}' to continue without the lost part`
  throw new InputError(`${file}-wal`, `is damaged or gone (${file} ${lost}): ${remedy}`)
}

/** 0 where nothing is known. */
function acknowledgedIn(path: string): number {
  try {
    return Number(FORM.exec(readFileSync(path, 'latin1'))?.[1] ?? 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw new InputError(path, 'cannot be read', { cause: error })
  }
}
