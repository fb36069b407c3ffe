/**
 * A directory that is made with those above it.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Not `recursive`: in a place such as /proc, where nothing can be made, Node would try for ever.
 *
 * @param path  absolute
 * @returns the directories that were made, the innermost last
 */
export function makeDirectory(path: string): readonly string[] {
  if (existsSync(path)) return []
  const made = makeDirectory(dirname(path))
  mkdirSync(path)
  return [...made, path]
}
