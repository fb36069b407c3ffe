/**
 * A file that several processes of a machine want at once: one of them fetches it, the others wait for it.
 *
 * Known limit: who is in another container is not waited for, since nobody can tell from here whether he is still at it.
 */
import { mkdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { FolderLock } from '../../../store/locks/folder-lock.ts'

const LOOK_MS = 300

export interface Fetching {
  /** Of the file or folder that is fetched; what stands beside it begins with its name. */
  readonly path: string
  /** Whether it is there, and what it should be. */
  readonly isThere: () => boolean | Promise<boolean>
  readonly fetch: () => Promise<void>
}

export async function fetchedOnce({ path, isThere, fetch }: Fetching): Promise<void> {
  const folder = `${path}.lock`
  const make = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 })
  while (!(await isThere())) {
    const lock = FolderLock.take(folder, { make, waitMs: 0 })
    if (!(lock instanceof FolderLock) && lock.isSeen) {
      await pause(LOOK_MS)
      continue
    }
    try {
      if (!(await isThere())) await fetch()
      return
    } finally {
      if (lock instanceof FolderLock) lock.release()
    }
  }
}
