/**
 * The place of a file behind links, by which two names of one file are told to be one.
 */
import { realpathSync } from 'node:fs'

/** One that is not there is told when it is read. */
export function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
