/** The users of the service and their keys: a fold of entries, so that it can be rebuilt from a journal. */
import { invariant } from '../../domain/errors.ts'
import { isKeyOf, keyHash, keyIdOf, newKey, type KeyRecord, type Scope } from './api-key.ts'
import type { Secrets } from './secrets.ts'

export interface User {
  readonly id: string
  readonly email: string
  readonly verified: boolean
  /** True if its orders are refused; absent otherwise. */
  readonly frozen?: true | undefined
}

export type UserEntry =
  | { readonly type: 'user'; readonly user: User }
  | { readonly type: 'key'; readonly key: KeyRecord }
  | { readonly type: 'key-revoked'; readonly id: string }
  | { readonly type: 'user-deleted'; readonly id: string; readonly email: string }

/** A user with the key in use. */
export interface Caller {
  readonly user: User
  readonly key: KeyRecord
}

/** E-mails are compared without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase()

export class UserRegistry {
  readonly #secrets: Secrets
  readonly #onEntry: (entry: UserEntry) => void
  readonly #usersById = new Map<string, User>()
  readonly #emails = new Set<string>()
  /** Ids that must not be reused. */
  readonly #deletedEmailsById = new Map<string, string>()
  readonly #keysById = new Map<string, KeyRecord>()
  /** Ids that must not be reused. */
  readonly #revokedIds = new Set<string>()
  /** Callers by the text of a key that was checked since the last change, at most one text per key. */
  readonly #callersByText = new Map<string, Caller>()

  /** @param onEntry  receives every change before it is answered */
  constructor(secrets: Secrets, onEntry: (entry: UserEntry) => void) {
    this.#secrets = secrets
    this.#onEntry = onEntry
  }

  /** Applies a change from a journal. */
  apply(entry: UserEntry): void {
    this.#callersByText.clear()
    switch (entry.type) {
      case 'user':
        this.#usersById.set(entry.user.id, entry.user)
        this.#emails.add(emailKey(entry.user.email))
        return
      case 'key':
        this.#keysById.set(entry.key.id, entry.key)
        return
      case 'key-revoked':
        this.#keysById.delete(entry.id)
        this.#revokedIds.add(entry.id)
        return
      case 'user-deleted':
        this.#emails.delete(emailKey(entry.email))
        this.#usersById.delete(entry.id)
        this.#deletedEmailsById.set(entry.id, entry.email)
    }
  }

  /** All state as a list of changes. */
  entries(): readonly UserEntry[] {
    const users = Array.from(this.#usersById.values(), (user): UserEntry => ({ type: 'user', user }))
    const keys = Array.from(this.#keysById.values(), (key): UserEntry => ({ type: 'key', key }))
    const revoked = Array.from(this.#revokedIds, (id): UserEntry => ({ type: 'key-revoked', id }))
    const deleted = Array.from(this.#deletedEmailsById, ([id, email]): UserEntry => ({
      type: 'user-deleted',
      id,
      email,
    }))
    // Deleted first: another user may have the e-mail by now.
    return [...deleted, ...users, ...keys, ...revoked]
  }

  user(id: string): User | undefined {
    return this.#usersById.get(id)
  }

  /** True if a user has that e-mail, in any case. */
  hasEmail(email: string): boolean {
    return this.#emails.has(emailKey(email))
  }

  /** True if a user with that e-mail was deleted. */
  wasDeleted(email: string): boolean {
    return [...this.#deletedEmailsById.values()].some((each) => emailKey(each) === emailKey(email))
  }

  get users(): readonly User[] {
    return [...this.#usersById.values()]
  }

  /** Records without secrets, in order of creation. */
  keysOf({ id }: User): readonly KeyRecord[] {
    return Array.from(this.#keysById.values()).filter(({ userId }) => userId === id)
  }

  /** True if a key with that public id exists or existed. */
  hasHadKey(id: string): boolean {
    return this.#keysById.has(id) || this.#revokedIds.has(id)
  }

  /** Id of the next user; none is used twice. */
  get nextId(): string {
    return `user-${this.#usersById.size + this.#deletedEmailsById.size + 1}`
  }

  addUser(email: string, verified: boolean): User {
    const user = { id: this.nextId, email, verified }
    this.#change({ type: 'user', user })
    return user
  }

  setVerified(user: User, verified: boolean): User {
    const changed = { ...user, verified }
    this.#change({ type: 'user', user: changed })
    return changed
  }

  /** Refuses or accepts the orders of a user. */
  setFrozen({ id, email, verified }: User, isFrozen: boolean): User {
    const changed = { id, email, verified, ...(isFrozen ? { frozen: true as const } : {}) }
    this.#change({ type: 'user', user: changed })
    return changed
  }

  /** Deletes a user with all keys. */
  deleteUser(user: User): void {
    for (const { id } of this.keysOf(user)) this.revokeKey(id)
    this.#change({ type: 'user-deleted', id: user.id, email: user.email })
  }

  /**
   * @param given  valid text of the key; default: a new one
   * @returns the text of the key, which is not stored
   */
  addKey(user: User, scopes: readonly Scope[], given?: string): { readonly key: KeyRecord; readonly text: string } {
    const { id, text } = given === undefined ? this.#unusedKey() : { id: keyIdOf(given) ?? '', text: given }
    invariant(!this.hasHadKey(id), 'a key id is given once')
    const key = { id, userId: user.id, scopes: [...new Set(scopes)], hash: keyHash(text) }
    this.#change({ type: 'key', key })
    return { key, text }
  }

  /** Ids are short, so collisions are possible. */
  #unusedKey(): ReturnType<typeof newKey> {
    for (;;) {
      const key = newKey(this.#secrets)
      if (!this.hasHadKey(key.id)) return key
    }
  }

  /** False if there is no such key. */
  revokeKey(id: string): boolean {
    if (!this.#keysById.has(id)) return false
    this.#change({ type: 'key-revoked', id })
    return true
  }

  /** Owner of a key text; undefined if it is not valid for any reason. */
  callerOf(text: string): Caller | undefined {
    const checked = this.#callersByText.get(text)
    if (checked !== undefined) return checked
    const key = this.#keysById.get(keyIdOf(text) ?? '')
    if (key === undefined || !isKeyOf(key, text)) return undefined
    const user = this.#usersById.get(key.userId)
    invariant(user !== undefined, `key ${key.id} is of a user who does not exist`)
    const caller = { user, key }
    this.#callersByText.set(text, caller)
    return caller
  }

  /** Present owner of a key; undefined if the key was revoked. */
  ownerOf(key: KeyRecord): User | undefined {
    return this.#keysById.get(key.id) === key ? this.#usersById.get(key.userId) : undefined
  }

  #change(entry: UserEntry): void {
    this.apply(entry)
    this.#onEntry(entry)
  }
}
