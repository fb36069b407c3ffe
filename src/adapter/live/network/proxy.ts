/**
 * Selects the proxy for an address from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, as curl does.
 *
 * A lower-case name takes precedence over the upper-case one. A stream (ws, wss) uses the proxy of http or https.
 * Invariant: no message contains the user or password of a proxy.
 */
import { BlockList, isIP } from 'node:net'
import { InputError } from '../../../domain/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const VARIABLES_OF_PROTOCOL: Readonly<Record<string, string>> = {
  'http:': 'HTTP_PROXY',
  'ws:': 'HTTP_PROXY',
  'https:': 'HTTPS_PROXY',
  'wss:': 'HTTPS_PROXY',
}

/**
 * @param address  the URL to connect to
 * @returns        undefined for a direct connection
 * @throws {InputError} naming the variable, for an unusable proxy
 */
export function proxyFor(address: string, environment: Environment = process.env): URL | undefined {
  const target = new URL(address)
  const names = [VARIABLES_OF_PROTOCOL[target.protocol] ?? 'ALL_PROXY', 'ALL_PROXY']
  const found = names.flatMap((name) => settingOf(environment, name) ?? [])[0]
  if (found === undefined || isExcepted(target, settingOf(environment, 'NO_PROXY')?.text ?? '')) return undefined
  const { name, text } = found
  // Like curl: an address without a scheme is http.
  const url = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(url) ? new URL(url) : undefined
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && proxy.hostname !== '') return proxy
  const isSocks = proxy?.protocol.startsWith('socks') === true
  const why = isSocks ? 'a SOCKS proxy is not supported' : 'expected the URL of a proxy, such as http://127.0.0.1:3128'
  throw new InputError(name, `${why}; set ${String(names[0])} to an HTTP proxy, or list the host in NO_PROXY`)
}

/** Printable address, without user and password. */
export const proxyText = ({ protocol, host }: URL): string => `${protocol}//${host}`

/** The `proxy-authorization` header; undefined without credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${plainText(username)}:${plainText(password)}`).toString('base64')}`
}

interface Setting {
  readonly name: string
  readonly text: string
}

function settingOf(environment: Environment, name: string): Setting | undefined {
  const given = [name.toLowerCase(), name].find((each) => (environment[each] ?? '').trim() !== '')
  return given === undefined ? undefined : { name: given, text: (environment[given] ?? '').trim() }
}

function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const ownPort = port === '' ? (/^(?:https|wss):$/.test(protocol) ? '443' : '80') : port
  return list
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && (entry === '*' || matches(entry.toLowerCase(), host, ownPort)))
}

function matches(entry: string, host: string, port: string): boolean {
  const { groups = {} } = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:]*))(?::(?<port>\d+))?$/.exec(entry) ?? {}
  if (groups.port !== undefined && groups.port !== port) return false
  const name = groups.v6 ?? groups.name ?? entry
  if (name.includes('/')) return isInSubnet(name, host)
  if (isIP(host) !== 0) return name === host
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  return host === domain || host.endsWith(`.${domain}`)
}

function isInSubnet(subnet: string, host: string): boolean {
  const [network = '', bits = ''] = subnet.split('/')
  const [family, ofHost] = [isIP(network), isIP(host)]
  const prefix = Number(bits)
  if (family === 0 || family !== ofHost || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const version = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, prefix, version)
  return list.check(host, version)
}

/** A user or password that is not percent-encoded is used as it is. */
function plainText(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
