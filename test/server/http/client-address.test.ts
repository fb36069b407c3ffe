import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ClientAddresses, type Received } from '../../../src/server/http/client-address.ts'

const request = (remoteAddress: string, headers: IncomingHttpHeaders = {}): Received => ({
  socket: { remoteAddress },
  headers,
})

const addresses = new ClientAddresses({ behindProxy: '127.0.0.1, 10.0.0.0/8,fd00::/8' })

describe('the address of a client behind a proxy', () => {
  it.each`
    peer                 | forwarded                   | address          | why
    ${'10.0.0.1'}        | ${'192.0.2.1'}              | ${'192.0.2.1'}   | ${'the proxy says who it is'}
    ${'::ffff:10.0.0.1'} | ${'192.0.2.1'}              | ${'192.0.2.1'}   | ${'a socket for both families maps IPv4'}
    ${'fd00::1'}         | ${'2001:db8::1'}            | ${'2001:db8::1'} | ${'both families are possible'}
    ${'10.0.0.1'}        | ${'203.0.113.9, 192.0.2.1'} | ${'192.0.2.1'}   | ${'a client can write anything before it'}
    ${'10.0.0.1'}        | ${'192.0.2.1, 10.9.9.9'}    | ${'192.0.2.1'}   | ${'there can be two proxies'}
    ${'10.0.0.1'}        | ${'x" OR 1=1, 10.9.9.9'}    | ${'10.9.9.9'}    | ${'only an address is an address'}
    ${'10.0.0.1'}        | ${undefined}                | ${'10.0.0.1'}    | ${'the proxy itself asks, such as for its health check'}
    ${'203.0.113.9'}     | ${'127.0.0.1'}              | ${'203.0.113.9'} | ${'others are not believed'}
  `('$why: $peer, $forwarded', ({ peer, forwarded, address }: Record<string, string>) => {
    expect(addresses.of(request(peer ?? '', { 'x-forwarded-for': forwarded }))).toBe(address)
  })

  it('is that of the connection if no proxy was named', () => {
    const direct = new ClientAddresses({})
    expect(direct.of(request('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }))).toBe('127.0.0.1')
  })
})

describe('behind a proxy that encrypts', () => {
  it.each`
    peer             | proto            | tls          | message                                                | why
    ${'10.0.0.1'}    | ${'https'}       | ${undefined} | ${undefined}                                           | ${'it came with TLS'}
    ${'10.0.0.1'}    | ${undefined}     | ${undefined} | ${undefined}                                           | ${'not every proxy says so'}
    ${'10.0.0.1'}    | ${'http'}        | ${undefined} | ${'the proxy was reached without TLS: use https'}      | ${'the token was readable on the way'}
    ${'10.0.0.1'}    | ${'HTTP'}        | ${undefined} | ${'the proxy was reached without TLS: use https'}      | ${'case does not matter'}
    ${'10.0.0.1'}    | ${'http, http'}  | ${undefined} | ${'the proxy was reached without TLS: use https'}      | ${'the client wrote the header too'}
    ${'10.0.0.1'}    | ${'https,http'}  | ${undefined} | ${'the proxy was reached without TLS: use https'}      | ${'a client can write anything before it'}
    ${'10.0.0.1'}    | ${'http, HTTPS'} | ${undefined} | ${undefined}                                           | ${'the proxy wrote the last one'}
    ${'10.0.0.1'}    | ${'wss'}         | ${undefined} | ${undefined}                                           | ${'a WebSocket came with TLS'}
    ${'10.0.0.1'}    | ${'ws'}          | ${undefined} | ${'the proxy was reached without TLS: use https'}      | ${'a WebSocket came without'}
    ${'203.0.113.9'} | ${'https'}       | ${undefined} | ${'this server can be reached only through its proxy'} | ${'it came past the proxy'}
    ${'203.0.113.9'} | ${undefined}     | ${'a.crt'}   | ${undefined}                                           | ${'the server encrypts itself'}
    ${'::1'}         | ${undefined}     | ${undefined} | ${undefined}                                           | ${'nothing is on the way'}
  `('$why: $peer', ({ peer, proto, tls, message }: Record<string, string>) => {
    const guarded = new ClientAddresses({ behindProxy: '10.0.0.0/8', tlsCert: tls })
    expect(guarded.refusalOf(request(peer ?? '', { 'x-forwarded-proto': proto }))?.message).toBe(message)
  })
})

it.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', '10.0.0.0/a', '127.0.0.1;127.0.0.2'])(
  'refuses %j as a proxy',
  (behindProxy) => {
    expect(() => new ClientAddresses({ behindProxy })).toThrow('behindProxy: expected addresses such as')
  },
)
