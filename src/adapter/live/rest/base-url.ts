/**
 * The address of a service, such as `https://api.example.com/v1`.
 */
import { InputError, type Place } from '../../../domain/errors.ts'

export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** The path's beginning, without a slash at its end: `/v1`, or empty. */
  readonly prefix: string
}

/** @throws {InputError} for what is no http or https URL, or holds a user, a query or a fragment; its text is not in the error */
export function parseBaseUrl(text: string, where: Place = 'url'): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InputError(where, 'expected an http or https URL such as http://127.0.0.1:8080/v1')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(where, 'expected a URL without a user and password; the key goes into PAPERTAPE_API_KEY')
  }
  if (url.search !== '' || url.hash !== '') throw new InputError(where, 'expected a URL without a query or a fragment')
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}
