/**
 * The addresses of a service, as `--url` and `--stream-url` give them.
 */
import { InputError } from '../domain/errors.ts'

const EXAMPLE = 'such as http://127.0.0.1:8080/v1'

/**
 * Without a slash at its end.
 *
 * @throws {InputError} for one that is none, or that holds what has no place in it; no message repeats it, as it may hold a key
 */
export function serviceUrl(text: string | undefined): string {
  if (text === undefined) throw new InputError('--url', `expected the base URL of a service, ${EXAMPLE}`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InputError('--url', `expected an http:// or https:// URL, ${EXAMPLE}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError('--url', 'expected no user and no password in it; the key goes into PAPERTAPE_API_KEY')
  }
  if (url.search !== '' || url.hash !== '')
    throw new InputError('--url', `expected nothing behind its path, ${EXAMPLE}`)
  return url.href.replace(/\/+$/, '')
}

/** @throws {InputError} for one that is none */
export function streamUrl(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol))) return text
  throw new InputError('--stream-url', 'expected a ws:// or wss:// URL')
}
