/**
 * The folder of the strategies that come with papertape.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Absolute, with a slash at its end. */
export const READY_FOLDER = fileURLToPath(new URL('../../../strategies/', import.meta.url))

/** Names of the strategies that come with papertape. */
export function readyStrategies(): readonly string[] {
  return readdirSync(READY_FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}
