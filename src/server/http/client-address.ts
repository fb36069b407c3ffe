/**
 * Addresses of clients, also behind a proxy that was named: `X-Forwarded-For` and `X-Forwarded-Proto` are believed from
 * its addresses and from nowhere else.
 *
 * Invariant: if only a proxy encrypts, connections from elsewhere are refused, and so are requests that reached it
 * without TLS.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { ServiceError } from '../envelope/service-error.ts'

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** @param text  addresses and networks, such as `127.0.0.1,10.0.0.0/8` @throws {InputError} */
export function readProxies(text: string): BlockList {
  const proxies = new BlockList()
  for (const part of text.split(',').map((each) => each.trim())) {
    const [address = '', bits, ...more] = part.split('/')
    const longest = isIP(address) === 6 ? 128 : 32
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || more.length > 0 || !(prefix > 0 && prefix <= longest)) {
      throw new InputError(setting('behindProxy'), `expected addresses such as 127.0.0.1,10.0.0.0/8, got '${part}'`)
    }
    proxies.addSubnet(address, prefix, family(address))
  }
  return proxies
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const isIn = (list: BlockList, address: string): boolean => list.check(address, family(address))

/** Values of `X-Forwarded-Proto` for TLS; some proxies write `wss` for WebSockets. */
const ENCRYPTED = /^(?:https|wss)$/i

/** True for a client on this machine. */
export const isOfMachine = (address: string | undefined): boolean => address !== undefined && isIn(LOOPBACK, address)

/** The part of a request that says where it comes from. */
export interface Received {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

export class ClientAddresses {
  readonly #proxies: BlockList | undefined
  readonly #isTls: boolean

  constructor({ behindProxy, tlsCert }: { behindProxy?: string | undefined; tlsCert?: string | undefined }) {
    this.#proxies = behindProxy === undefined ? undefined : readProxies(behindProxy)
    this.#isTls = tlsCert !== undefined
  }

  /** Address of the client; undefined once the connection is closed. */
  of({ socket, headers }: Received): string | undefined {
    let client = socket.remoteAddress
    if (!this.#isProxy(client)) return client
    // Each proxy appends the address that it was reached from; a client can write anything before that.
    const hops = String(headers['x-forwarded-for'] ?? '').split(',')
    while (this.#isProxy(client)) {
      const before = hops.pop()?.trim()
      if (before === undefined || isIP(before) === 0) return client
      client = before
    }
    return client
  }

  /** Reason to refuse a request before anything else of it is read. */
  refusalOf({ socket, headers }: Received): ServiceError | undefined {
    if (this.#proxies === undefined) return undefined
    const { remoteAddress: peer } = socket
    if (this.#isProxy(peer)) {
      // A proxy may append to what a client wrote. Without the header it is a health check, or a port of a container.
      const scheme =
        String(headers['x-forwarded-proto'] ?? 'https')
          .split(',')
          .at(-1) ?? ''
      if (ENCRYPTED.test(scheme.trim())) return undefined
      return new ServiceError('FORBIDDEN', 'the proxy was reached without TLS: use https')
    }
    if (this.#isTls || isOfMachine(peer)) return undefined
    return new ServiceError('FORBIDDEN', 'this server can be reached only through its proxy')
  }

  #isProxy(address: string | undefined): boolean {
    return address !== undefined && this.#proxies !== undefined && isIn(this.#proxies, address)
  }
}
