/**
 * The paths of files on another machine: as they lie to each other here, below the nearest folder that has them all.
 */
import { dirname, relative, sep } from 'node:path'
import { InputError } from '../../../domain/errors.ts'

/**
 * @param reference  what the user named, for whose sake they travel
 * @param paths      absolute
 * @returns by each path, the one below the folder, with `/` between folders
 * @throws {InputError} for one in a package, which is installed and does not travel, or on another drive
 */
export function travellingPaths(reference: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const inPackage = paths.find((path) => path.split(sep).includes('node_modules'))
  if (inPackage !== undefined) {
    const what = `imports '${inPackage}' from a package that must be compiled`
    throw new InputError(reference, `${what}; workers load only packages that Node runs unchanged`)
  }
  const folder = commonFolder(paths.map(dirname))
  if (folder === undefined)
    throw new InputError(reference, 'imports files from several drives, which cannot be sent to other machines')
  return new Map(paths.map((path) => [path, relative(folder, path).split(sep).join('/')]))
}

function commonFolder(folders: readonly string[]): string | undefined {
  let common = folders[0]
  for (const folder of folders) {
    while (common !== undefined && folder !== common && !folder.startsWith(withEnd(common))) {
      const above = dirname(common)
      common = above === common ? undefined : above
    }
  }
  return common
}

const withEnd = (folder: string): string => (folder.endsWith(sep) ? folder : `${folder}${sep}`)
