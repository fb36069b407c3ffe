/** A directory that is made with those above it. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates directories. Not `recursive`, because Node would loop forever in a place such as /proc.
 *
 * @param path  absolute
 * @param mode  of new directories
 * @returns the created directories, the innermost last
 * @throws an error of the file system, and ENOTDIR naming a file in the path
 */
export function makeDirectory(path: string, mode = 0o777): readonly string[] {
  if (isDirectory(path)) return []
  const made = makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    return [...made, path]
  } catch (error) {
    // Another process may have made it just now.
    if (isDirectory(path)) return made
    throw error
  }
}

function isDirectory(path: string): boolean {
  if (!existsSync(path)) return false
  if (statSync(path).isDirectory()) return true
  throw Object.assign(new Error(`'${path}' is not a directory`), { code: 'ENOTDIR', syscall: 'mkdir' })
}
