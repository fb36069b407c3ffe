/** Removes a file that was not written whole. */
import { rmSync } from 'node:fs'

/** Never throws: why it could not be written is the fault to report, and often the same. */
export function removePartial(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Nothing was written, or the place is not writable.
  }
}
