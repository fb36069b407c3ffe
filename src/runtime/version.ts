/** The version of papertape, from its package.json. */
import { readFileSync } from 'node:fs'
import { InvariantError } from '../domain/errors.ts'

/** Parsed by hand: a schema would load zod for every command. */
export function version(): string {
  const json: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  if (typeof json === 'object' && json !== null && 'version' in json && typeof json.version === 'string') {
    return json.version
  }
  throw new InvariantError('package.json has no version')
}
