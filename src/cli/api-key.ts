/**
 * The API key of a service, and other secrets: from the environment, or from `.env` in the working directory.
 *
 * Invariant: no message contains any part of it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { InputError } from '../domain/errors.ts'
import { io } from './cli-io.ts'

export const API_KEY_VARIABLE = 'PAPERTAPE_API_KEY'
export const TOKEN_VARIABLE = 'PAPERTAPE_ADMIN_TOKEN'

/** Characters allowed in a header. */
const HEADER_TEXT = /^[\x21-\x7e]+$/
const LONGEST_KEY = 4_096

/**
 * The key; undefined if none is given. The environment takes precedence over `.env`.
 *
 * @throws {InputError} for a key that cannot be a header, or an unreadable `.env`
 */
export function givenApiKey(): string | undefined {
  loadEnvironmentFile()
  const key = io.env[API_KEY_VARIABLE]?.trim() ?? ''
  if (key === '') return undefined
  if (key.length <= LONGEST_KEY && HEADER_TEXT.test(key)) return key
  throw new InputError(
    API_KEY_VARIABLE,
    'the API key is too long or contains characters that an HTTP header cannot carry',
  )
}

/** The admin token; undefined if none is given. @throws {InputError} for an unreadable `.env` */
export const givenAdminToken = (): string | undefined => givenVariable(TOKEN_VARIABLE)

/** Another variable; undefined if it is not set. @throws {InputError} for an unreadable `.env` */
export function givenVariable(name: string): string | undefined {
  loadEnvironmentFile()
  const text = io.env[name]?.trim() ?? ''
  return text === '' ? undefined : text
}

/** @throws {InputError} as above, and if none is given */
export function apiKey(): string {
  const key = givenApiKey()
  if (key !== undefined) return key
  throw new InputError(
    API_KEY_VARIABLE,
    'missing API key: set it in the environment, or write PAPERTAPE_API_KEY=... into .env in this directory',
  )
}

function loadEnvironmentFile(): void {
  const { cwd, env } = io
  for (const [name, value] of Object.entries(valuesIn(join(cwd, '.env')))) env[name] ??= value
}

function valuesIn(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(plainText(readFileSync(file)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new InputError('.env', 'cannot be read; expected lines of the form NAME=VALUE', { cause: error })
  }
}

/** Decodes UTF-16 and skips a byte order mark: Windows editors write the mark, and PowerShell UTF-16. */
function plainText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}
