/** The addresses of a service, as `--url` and `--stream-url` give them. */
import { InputError } from '../domain/errors.ts'
import { serviceUrlForm } from '../runtime/settings/live-settings.ts'

/** @throws {InputError} for an invalid URL, or one with forbidden parts */
export function serviceUrl(text: string | undefined): string {
  if (text !== undefined) return serviceUrlForm.ofText('--url', text)
  throw new InputError(
    '--url',
    'missing or invalid: pass the base URL of the service, such as --url http://127.0.0.1:8080/v1',
  )
}

/** @throws {InputError} for one that is none */
export function streamUrl(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol))) return text
  throw new InputError('--stream-url', 'expected a ws:// or wss:// URL')
}
