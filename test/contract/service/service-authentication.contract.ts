/**
 * Keys and scopes: section 5, decisions 19, 20 (No key), 21.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answersIn, report } from './http-answer.ts'
import type { ServiceStage } from './service-stage.ts'
import type { TestUser } from './test-user.ts'

export function describeAuthentication(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let alice: TestUser

  beforeEach(async () => {
    service = await open()
    alice = await service.user({ credits: { USD: '1000' } })
  })
  afterEach(() => service.close())

  const refused = async (headers: Record<string, string | string[]>): Promise<[number, string | undefined]> => {
    const { status, code } = await service.ask('GET', '/balances', { headers })
    return [status, code]
  }

  describe('section 5, 1 to 3', () => {
    it('the key goes whole into x-api-key, whatever the case of the header', async () => {
      for (const name of ['x-api-key', 'X-API-KEY', 'X-Api-Key']) {
        expect((await service.ask('GET', '/balances', { headers: { [name]: alice.key } })).status).toBe(200)
      }
    })

    it('no key, or an empty one: 401 AUTHENTICATION_REQUIRED', async () => {
      expect(await refused({})).toEqual([401, 'AUTHENTICATION_REQUIRED'])
      expect(await refused({ 'x-api-key': '' })).toEqual([401, 'AUTHENTICATION_REQUIRED'])
      expect(await refused({ 'x-api-key': '  ' })).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    })

    it('Authorization: Bearer is not used', async () => {
      expect(await refused({ authorization: `Bearer ${alice.key}` })).toEqual([401, 'AUTHENTICATION_REQUIRED'])
      expect(await refused({ authorization: alice.key })).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    })

    it('nor is the query or a cookie', async () => {
      const { status, code } = await service.ask('GET', `/balances?x-api-key=${alice.key}`)
      expect([status, code]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
      expect(await refused({ cookie: `x-api-key=${alice.key}` })).toEqual([401, 'AUTHENTICATION_REQUIRED'])
    })
  })

  describe('section 5, Authentication errors; decision 20: any other key that does not work is 401 INVALID_API_KEY', () => {
    const change = (key: string, at: number): string =>
      key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)

    it.each<[string, (key: string) => string]>([
      ['a word', () => 'secret'],
      ['the public id alone', (key) => key.slice(0, 11)],
      ['the key without its prefix', (key) => key.slice(3)],
      ['the secret alone', (key) => key.slice(12)],
      ['with another prefix', (key) => `Bearer ${key}`],
      ['in quotes', (key) => `"${key}"`],
      ['in upper case', (key) => key.toUpperCase()],
      ['one character too many', (key) => `${key}a`],
      ['one character too few', (key) => key.slice(0, -1)],
      ['another secret', (key) => change(key, 20)],
      ['another last character', (key) => change(key, key.length - 1)],
      ['another public id', (key) => change(key, 5)],
      ['a blank inside', (key) => `${key.slice(0, 20)} ${key.slice(20)}`],
      ['twice', (key) => `${key}, ${key}`],
      ['__proto__', () => '__proto__'],
      ['a key of 8 000 characters', (key) => key.repeat(140)],
    ])('%s', async (_what, changed) => {
      expect(await refused({ 'x-api-key': changed(alice.key) })).toEqual([401, 'INVALID_API_KEY'])
    })

    it('two x-api-key headers are no key, even when one of them works', async () => {
      expect(await refused({ 'x-api-key': [alice.key, alice.key] })).toEqual([401, 'INVALID_API_KEY'])
      expect(await refused({ 'x-api-key': [alice.key, ''] })).toEqual([401, 'INVALID_API_KEY'])
    })

    it('a revoked one, from that moment on, and the same words for every cause', async () => {
      const other = await service.key(alice.id, ['ACCOUNT_READ'])
      expect((await service.ask('DELETE', `/emulator/keys/${alice.keyId}`)).status).toBe(204)
      const revoked = await alice.get('/balances')
      const garbage = await service.ask('GET', '/balances', { key: 'secret' })
      expect([revoked.status, revoked.code]).toEqual([401, 'INVALID_API_KEY'])
      expect((revoked.json as { error: unknown }).error).toEqual((garbage.json as { error: unknown }).error)
      expect((await service.ask('GET', '/balances', { key: other.key })).status).toBe(200)
    })

    it('blanks around the header are not of the key', async () => {
      const url = new URL(service.addresses.baseUrl)
      const head = `GET /v1/balances HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: \t ${alice.key}  \t\r\n\r\n`
      expect(answersIn(await report(url, head)).map(({ status }) => status)).toEqual([200])
    })
  })

  describe('decision 19: the form of a key', () => {
    it('pt_, eight characters of public id, _, 32 random bytes in base64url; shown when it is made and never again', async () => {
      const keys = await Promise.all([1, 2, 3].map(() => service.key(alice.id, ['ORDER_READ'])))
      for (const { key, keyId } of keys) {
        expect(key).toMatch(/^pt_[0-9a-z]{8}_[A-Za-z0-9_-]{43}$/)
        expect(key.slice(3, 11)).toBe(keyId)
        expect(Buffer.from(key.slice(12), 'base64url').length).toBe(32)
      }
      expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
    })
  })

  describe('section 5, 4: keys are made by a user with a verified e-mail', () => {
    it('else 403 EMAIL_NOT_VERIFIED; a key of before still reads', async () => {
      const user = await service.user({ isVerified: false })
      const { status, code } = await service.ask('POST', `/emulator/users/${user.id}/keys`, {
        body: { scopes: ['ORDER_READ'] },
      })
      expect([status, code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
      for (const path of ['/balances', '/portfolio', '/orders', '/orders/open', '/trades']) {
        expect((await user.get(path)).status).toBe(200)
      }
    })
  })

  describe('section 4, POST and DELETE 1: an account that is not verified', () => {
    it('neither creates nor cancels: 403 EMAIL_NOT_VERIFIED; verified again it does both', async () => {
      const user = await service.user({ credits: { USD: '1000' } })
      const verify = (verified: boolean): Promise<unknown> =>
        service.ask('PATCH', `/emulator/users/${user.id}`, { body: { verified } })
      const order = await user.limit('BUY', 'BTC_USD', '1', '1')
      await verify(false)
      for (const { status, code } of [await user.post({}), await user.cancel(order.id)]) {
        expect([status, code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
      }
      await verify(true)
      await user.limit('BUY', 'BTC_USD', '1', '1')
      expect((await user.cancel(order.id)).status).toBe(200)
    })
  })

  describe('decision 21: public endpoints', () => {
    it('need no key, and ignore one that does not work', async () => {
      for (const key of [undefined, '', 'secret', `${alice.key}x`]) {
        const { status, headers } = await service.ask('GET', '/markets', { key })
        expect([status, headers.ratelimit]).toEqual([200, undefined])
      }
    })
  })
}
