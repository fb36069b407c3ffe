/**
 * The version of papertape, from its package.json.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageJson = z.object({ version: z.string() })

export const version = (): string =>
  packageJson.parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
