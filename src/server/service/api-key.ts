/**
 * API keys (section 5, decision 19): `pt_`, 8 characters of public id, `_`, 32 random bytes in base64url.
 *
 * Only the public id and the SHA-256 of the whole key are stored; the key itself is shown once. Keys in use are also
 * remembered in memory, so that a key is hashed once and not with each request.
 */
import { hash } from 'node:crypto'
import type { Secrets } from './secrets.ts'

/** Every permission that an API key can have. */
export const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL'] as const

/** A permission of an API key. */
export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** Stored record of a key. */
export interface KeyRecord {
  /** Public id. */
  readonly id: string
  readonly userId: string
  readonly scopes: readonly Scope[]
  /** SHA-256 of the whole key, in hex. */
  readonly hash: string
}

/** `pt_`, 8 characters of public id, `_`, and 32 bytes in base64url. */
export const KEY_FORM = /^pt_([0-9a-z]{8})_[A-Za-z0-9_-]{43}$/
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** Text and public id of a new key. */
export function newKey(secrets: Secrets): { readonly id: string; readonly text: string } {
  const id = Array.from(secrets.bytes(8), (byte) => ID_ALPHABET[byte & 31]).join('')
  return { id, text: `pt_${id}_${secrets.bytes(32).toString('base64url')}` }
}

/** Public id in the text of a key; undefined for another format. */
export const keyIdOf = (text: string): string | undefined => KEY_FORM.exec(text)?.[1]

export const keyHash = (text: string): string => hash('sha256', text)

/** Comparison in constant time. */
export function isKeyOf(record: KeyRecord, text: string): boolean {
  const given = keyHash(text)
  // Both texts have the same length. Compared here, because crypto.timingSafeEqual needs two buffers, which cost more
  // than the hash.
  let difference = given.length ^ record.hash.length
  for (let at = 0; at < given.length; at += 1) difference |= given.charCodeAt(at) ^ record.hash.charCodeAt(at)
  return difference === 0
}
