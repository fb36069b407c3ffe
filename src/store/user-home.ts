/**
 * Home directory of the user who runs this process.
 */
import { homedir } from 'node:os'

/** Undefined for a user without one, such as a container's numeric user that has no account. */
export function userHome(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
