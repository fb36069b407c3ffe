/** Status of the file at a path. */
import { statSync, type Stats } from 'node:fs'
import { writeFault } from '../domain/write-fault.ts'

/**
 * Undefined when nothing is there.
 *
 * @throws {InputError} for a path that leads through a file, or a folder without access
 */
export function fileStatus(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw writeFault(file, 'cannot be opened', error)
  }
}
