/**
 * Files of the package that documents name, as seen from whatever folder a reader is in.
 */
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
/** Folders that the documents name files of. */
const FOLDERS = /^(?:\.\/)?(?:data|examples|strategies)\//

/** The same file of the package, from the folder of the process; undefined where there is none. @param file  as it was given */
export function inPackage(file: string): string | undefined {
  if (isAbsolute(file) || !FOLDERS.test(file)) return undefined
  const path = join(PACKAGE, file)
  return existsSync(path) ? relative(process.cwd(), path) : undefined
}
