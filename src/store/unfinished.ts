/** Files and folders that are being written under another name, to be removed when a signal ends the process first. */
import { rmSync } from 'node:fs'

const paths = new Set<string>()

/**
 * Notes a path for `removeUnfinished`. It stays noted once it has its own name: then nothing is left at the path.
 *
 * @param path  of this process alone
 * @returns the path
 */
export function unfinished(path: string): string {
  paths.add(path)
  return path
}

/** Never throws: the process is ending. */
export function removeUnfinished(): void {
  for (const path of paths) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // The place is not writable any more.
    }
  }
}
