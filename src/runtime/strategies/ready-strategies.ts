/** The folder of the built-in strategies. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Absolute, with a trailing slash. */
export const READY_FOLDER = fileURLToPath(new URL('../../../strategies/', import.meta.url))

/** Names of the built-in strategies. */
export function readyStrategies(): readonly string[] {
  return readdirSync(READY_FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}
