import { expect, it } from 'vitest'
import type { Secrets } from '../../../src/server/service/secrets.ts'
import { UserRegistry, type UserEntry } from '../../../src/server/service/user-registry.ts'

/** Draws the same bytes for everything, twice, and then the next. */
function repeating(): Secrets {
  let drawn = 0
  const bytes = (count: number): Buffer => Buffer.alloc(count, Math.floor((drawn += 1) / 4) + 1)
  return { bytes, uuid: () => '' }
}

it('an id of a key is given once, also when the key was revoked in an earlier life', () => {
  const entries: UserEntry[] = []
  const users = new UserRegistry(repeating(), (entry) => entries.push(entry))
  const ann = users.addUser('ann@example.com', true)
  const { key, text } = users.addKey(ann, ['ORDER_READ'])
  expect(users.revokeKey(key.id)).toBe(true)
  // A journal of everything, and what a snapshot has.
  for (const kept of [entries, users.entries()]) {
    const again = new UserRegistry(repeating(), () => undefined)
    for (const entry of kept) again.apply(entry)
    const bob = again.addUser('bob@example.com', true)
    const other = again.addKey(bob, ['ORDER_READ'])
    expect(other.key.id).not.toBe(key.id)
    expect(again.callerOf(text)).toBeUndefined()
    expect(again.callerOf(other.text)?.user).toEqual(bob)
  }
})
