import { describe, expect, it } from 'vitest'
import { keyIdOf, newKey } from '../../../src/server/service/api-key.ts'
import { seededSecrets, systemSecrets } from '../../../src/server/service/secrets.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each([
  ['the system', () => systemSecrets],
  ['a seed', () => seededSecrets(1)],
])('ids and keys of %s', (_name, make) => {
  it('are of their form, and no two are alike', () => {
    const secrets = make()
    const ids = Array.from({ length: 1_000 }, () => secrets.uuid())
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(1_000)
    const { id, text } = newKey(secrets)
    expect(keyIdOf(text)).toBe(id)
    expect(secrets.bytes(32)).toHaveLength(32)
  })
})

it('the same seed gives the same, another one another', () => {
  const drawn = (seed: number): unknown => {
    const secrets = seededSecrets(seed)
    return [secrets.uuid(), newKey(secrets), secrets.uuid()]
  }
  expect(drawn(7)).toEqual(drawn(7))
  expect(drawn(7)).not.toEqual(drawn(8))
})

it('in another life of the same seed nothing is drawn again', () => {
  const drawn = [1, 2, 3, 12, 123].flatMap((life) => {
    const secrets = seededSecrets(1, life)
    return Array.from({ length: 200 }, () => secrets.uuid())
  })
  expect(new Set(drawn).size).toBe(drawn.length)
})
