/**
 * A directory that is made with those above it.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Not `recursive`: in a place such as /proc, where nothing can be made, Node would try for ever.
 *
 * @param path  absolute
 * @param mode  of those that are made
 * @returns the directories that were made, the innermost last
 * @throws an error of the file system, and ENOTDIR that names the file which stands in the way
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
