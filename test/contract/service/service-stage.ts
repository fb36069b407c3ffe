/**
 * One running service, its users, and its clock. Every answer is checked.
 */
import { Agent } from 'node:http'
import { expect } from 'vitest'
import { SCOPES, type Scope } from '../../../src/server/service/api-key.ts'
import { ask, type HttpAnswer } from './http-answer.ts'
import { checkedAnswer, type Answer, type Asked, type Service } from './service-answer.ts'
import type { ServiceAddresses } from './service-subject.ts'
import { TestUser } from './test-user.ts'

export interface RequestedUser {
  readonly isVerified?: boolean
  readonly scopes?: readonly Scope[]
  /** Decimal strings by asset. */
  readonly credits?: Readonly<Record<string, string>>
}

export class ServiceStage implements Service {
  readonly addresses: ServiceAddresses
  readonly #agent = new Agent({ keepAlive: true })
  readonly #requestIds = new Set<string>()
  #users = 0

  constructor(addresses: ServiceAddresses) {
    this.addresses = addresses
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await this.addresses.close()
  }

  async ask(method: string, path: string, { key, body, headers = {} }: Asked = {}): Promise<Answer> {
    const { baseUrl, emulatorUrl, adminToken } = this.addresses
    const isEmulator = path.startsWith('/emulator')
    const url = new URL(isEmulator ? emulatorUrl : baseUrl)
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const sent = path.startsWith('=') ? path.slice(1) : isEmulator ? path : url.pathname + path
    const answer = await ask(this.#agent, {
      method,
      url,
      path: sent,
      body: isRaw ? body : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(isEmulator && adminToken !== undefined ? { authorization: `Bearer ${adminToken}` } : {}),
        ...headers,
      },
    })
    return this.checked(method, sent, answer)
  }

  /** As `checkedAnswer`, and its id was never given before. */
  checked(method: string, sent: string, answer: HttpAnswer): Answer {
    const checked = checkedAnswer(method, sent, answer)
    const id = String(answer.headers['x-request-id'])
    expect(this.#requestIds.has(id), 'an id is of one request').toBe(false)
    this.#requestIds.add(id)
    return checked
  }

  /** A user with a key. A user who is not verified had the key before. */
  async user({ isVerified = true, scopes = SCOPES, credits = {} }: RequestedUser = {}): Promise<TestUser> {
    this.#users += 1
    const body = { email: `a${this.#users}@example.com`, verified: true }
    const made = await this.ask('POST', '/emulator/users', { body })
    const { id } = made.json as { id: string }
    const { key, keyId } = await this.key(id, scopes)
    const user = new TestUser(this, { id, key, keyId })
    for (const [asset, amount] of Object.entries(credits)) await user.credit(asset, amount)
    if (!isVerified) await this.ask('PATCH', `/emulator/users/${id}`, { body: { verified: false } })
    return user
  }

  async key(userId: string, scopes: readonly Scope[]): Promise<{ key: string; keyId: string }> {
    const { json } = await this.ask('POST', `/emulator/users/${userId}/keys`, { body: { scopes } })
    const { id: keyId, key } = json as { id: string; key: string }
    return { key, keyId }
  }

  /** Moves the time on. @returns Unix milliseconds */
  async pass(ms: number): Promise<number> {
    const { json } = await this.ask('POST', '/emulator/clock', { body: { advanceMs: ms } })
    return (json as { now: number }).now
  }

  /** Says that every asset is accounted for. */
  async audit(): Promise<void> {
    const { json } = await this.ask('GET', '/emulator/audit')
    const { assets, ok } = json as { assets: Record<string, { difference: string }>; ok: boolean }
    expect([ok, ...Object.values(assets).map(({ difference }) => difference)]).toEqual([
      true,
      ...Object.keys(assets).map(() => '0'),
    ])
  }
}
