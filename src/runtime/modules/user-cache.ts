/**
 * The place of what is kept for this user, and can be made anew whenever it is gone.
 */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** @param name  of what is kept there; the folder need not be there */
export function userCacheFolder(name: string): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.cache')
  return join(base, 'papertape', name)
}
