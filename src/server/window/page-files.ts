/** The files of the pages from the build, and response headers that restrict them to their purpose. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'

const FOLDER = new URL('../../../dist/pages/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const policy = (...sources: readonly string[]): string =>
  ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ')

/** No script and no style that this server did not give, no other host, no frame around it, no form that leaves it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policy(
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
  ),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

/** The same for a page without scripts, with one style sheet inside. */
export const plainPageHeaders = (style: string): Readonly<Record<string, string>> => ({
  ...PAGE_HEADERS,
  'content-security-policy': policy(`style-src 'sha256-${hash('sha256', style, 'base64')}'`),
})

export const pageType = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''

const texts = new Map<string, string>()

/**
 * @param name  of a file of the build, such as `emulator.html`
 * @throws {InputError} when the pages were not built
 */
export function pageFile(name: string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  try {
    const text = readFileSync(new URL(name, FOLDER), 'utf8')
    texts.set(name, text)
    return text
  } catch (error) {
    throw new InputError(`dist/pages/${name}`, 'is missing: run npm run build', { cause: error })
  }
}
