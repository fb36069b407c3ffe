/**
 * Files of the package that documents name, as seen from whatever folder a reader is in.
 */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { io } from './cli-io.ts'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
/** Files of the folders that the documents name files of. */
const NAMED = /(?<![\w/\\.-])(?:data|examples|strategies)\/[\w.-]+/

/**
 * Where the package has the file that a text names, from the folder of the process; undefined where it names none, where the process has
 * it as well, or where the package has none.
 */
export function inPackage(text: string): string | undefined {
  const [file] = NAMED.exec(text) ?? []
  if (file === undefined || existsSync(file)) return undefined
  const path = join(PACKAGE, file)
  return existsSync(path) ? relative(io.cwd, path) : undefined
}
