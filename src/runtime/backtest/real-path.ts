/** The path of a file with links resolved, to detect two names of one file. */
import { realpathSync } from 'node:fs'

/** A missing file is reported when it is read. */
export function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
