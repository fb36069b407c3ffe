/**
 * The place of what is kept for this user, and can be made anew whenever it is gone.
 */
import { isAbsolute, join } from 'node:path'
import { userHome } from '../../store/user-home.ts'

/**
 * Path of a folder, which need not exist. Undefined when the user has no home directory.
 *
 * @param name  of what is kept there
 */
export function userCacheFolder(name: string): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME
  if (named !== undefined && isAbsolute(named)) return join(named, 'papertape', name)
  const home = userHome()
  return home === undefined ? undefined : join(home, '.cache', 'papertape', name)
}
