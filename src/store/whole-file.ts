/** Files that are replaced whole: after a kill or a power loss, there is the former one or the new one. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file under another name first, and gives it its name once it is on disk.
 *
 * @param mode  of a new file; default: that of the process
 * @throws the error of the file system, with the unfinished file left behind
 */
export function writeWhole(file: string, text: string, mode?: number): void {
  const unfinished = `${file}.new`
  const descriptor = openSync(unfinished, 'w', mode)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(unfinished, file)
  syncFolder(dirname(file))
}

/** A new name is durable once its folder is synced. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and need not.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
