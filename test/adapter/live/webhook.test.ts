/**
 * A webhook over a real socket.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MACHINE_CLOCKS } from '../../../src/adapter/live/machine-clocks.ts'
import { webhook, type WebhookOutcome } from '../../../src/adapter/live/webhook.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** @param status  what it answers; undefined cuts the connection, `never` says nothing */
async function receiver(
  status: number | undefined | 'never',
  headers: Readonly<Record<string, string>> = {},
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() })
      if (status === undefined) request.socket.destroy()
      else if (status !== 'never') response.writeHead(status, { location: '/elsewhere', ...headers }).end('x')
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received }
}

describe('a webhook', () => {
  it('gets one POST of JSON, with the user and password where HTTP has them', async () => {
    const { port, received } = await receiver(204)
    const hook = webhook('--notify', `http://ann:s%40crt@127.0.0.1:${port}/hook/token?a=b`, MACHINE_CLOCKS)
    expect(hook.origin).toBe(`http://127.0.0.1:${port}`)
    expect(await hook.post('{"a":1}')).toEqual({ type: 'accepted' })
    expect(received).toMatchObject([
      {
        url: '/hook/token?a=b',
        body: '{"a":1}',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from('ann:s@crt').toString('base64')}`,
        },
      },
    ])
  })

  it.each`
    status       | isRetryable | reason                   | why
    ${404}       | ${false}    | ${/^\S+: answered 404$/} | ${'the address is wrong'}
    ${302}       | ${false}    | ${/^\S+: answered 302$/} | ${'no redirect is followed'}
    ${429}       | ${true}     | ${/^\S+: answered 429$/} | ${'later it may go'}
    ${503}       | ${true}     | ${/^\S+: answered 503$/} | ${'later it may go'}
    ${undefined} | ${true}     | ${/^\S+: .+/}            | ${'the connection was cut'}
  `('fails with $status: $why', async ({ status, isRetryable, reason }) => {
    const { port, received } = await receiver(status)
    const outcome = await webhook('--notify', `http://u:secret@127.0.0.1:${port}/token`, MACHINE_CLOCKS).post('{}')
    expect(outcome).toEqual({ type: 'failed', isRetryable, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(outcome)).not.toMatch(/secret|token/)
    expect(received).toHaveLength(1)
  })

  it.each(['30', 'Mon, 30 Nov 2026 10:00:30 GMT'])('waits as long as %s says', async (retryAfter) => {
    const { port } = await receiver(429, { 'retry-after': retryAfter })
    const clocks = { ...MACHINE_CLOCKS, wall: () => Date.UTC(2026, 10, 30, 10) }
    const outcome = await webhook('--notify', `http://127.0.0.1:${port}`, clocks).post('{}')
    expect(outcome).toMatchObject({ isRetryable: true, retryAfterMs: 30_000 })
  })

  it('fails when no one answers in time', async () => {
    const { port, received } = await receiver('never')
    let expire = (): void => undefined
    const setTimer = (_: number, action: () => void): (() => void) => {
      expire = action
      return () => undefined
    }
    const outcome: Promise<WebhookOutcome> = webhook('--notify', `http://127.0.0.1:${port}`, {
      ...MACHINE_CLOCKS,
      setTimer,
    }).post('{}')
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expire()
    expect(await outcome).toMatchObject({ type: 'failed', reason: expect.stringContaining('no answer within') })
  })

  it.each(['', 'example.org', 'file:///etc/passwd', 'http://%zz@example.org/secret'])('is refused as %j', (address) => {
    try {
      webhook('--notify', address, MACHINE_CLOCKS)
      expect.unreachable()
    } catch (error) {
      expect(String(error)).toMatch(/^InputError: --notify: /)
      expect(String(error)).not.toContain('secret')
    }
  })
})
