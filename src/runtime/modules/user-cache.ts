/** Location of this user's cache, which can be rebuilt whenever it is deleted. */
import { isAbsolute, join } from 'node:path'
import { userHome } from '../../store/state/data-directory.ts'

/**
 * Path of a folder, which need not exist. Undefined if the user has no home directory.
 * @param name  of the cache
 */
export function userCacheFolder(name: string): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME
  if (named !== undefined && isAbsolute(named)) return join(named, 'papertape', name)
  const home = userHome()
  return home === undefined ? undefined : join(home, '.cache', 'papertape', name)
}
