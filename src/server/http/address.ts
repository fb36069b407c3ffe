/**
 * The address of a server: one of this machine that is free, and that others reach only when that is safe.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host)

/** Settings that make a server safe to reach. */
export interface Protection {
  readonly adminToken?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly behindProxy?: string | undefined
}

/** @throws {InputError} for an address that others can reach, without a token and encryption */
export function checkHost(host: string, { adminToken, tlsCert, tlsKey, behindProxy }: Protection): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [given, missing] = tlsKey === undefined ? (['tlsCert', 'tlsKey'] as const) : (['tlsKey', 'tlsCert'] as const)
    throw new InputError(setting(given), worded`needs ${setting(missing)}`)
  }
  if (behindProxy !== undefined && adminToken === undefined) {
    throw new InputError(setting('behindProxy'), worded`needs ${setting('adminToken')} to protect /emulator`)
  }
  if (isLoopback(host)) return
  const reach = `${host} can be reached from other machines`
  if (adminToken === undefined) {
    throw new InputError(setting('host'), worded`${reach}: add ${setting('adminToken')} to protect /emulator`)
  }
  if (tlsCert !== undefined || behindProxy !== undefined) return
  throw new InputError(
    setting('host'),
    worded`${reach}, without encryption: add ${setting('tlsCert')} and ${setting('tlsKey')}, or name the addresses of the proxy that encrypts with ${setting('behindProxy')}; or listen on 127.0.0.1`,
  )
}

/** @throws {InputError} for an address that is not free to listen on */
export async function checkAddress(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port })
  await asFaultOfAddress(host, port, once(probe, 'listening'))
  probe.close()
  await once(probe, 'close')
}

/** @throws {InputError} when listening fails because the address is taken or not of this machine */
export async function asFaultOfAddress(host: string, port: number, listening: Promise<unknown>): Promise<void> {
  try {
    await listening
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'EADDRINUSE')
      throw new InputError(setting('port'), `${port} is already in use: choose another, or 0 for a free one`, {
        cause: error,
      })
    if (code === 'EACCES')
      throw new InputError(setting('port'), `${port} is not allowed for this user: choose a port above 1023`, {
        cause: error,
      })
    if (code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND' && code !== 'EAI_AGAIN') throw error
    throw new InputError(setting('host'), `'${host}' is not an address of this machine: use 127.0.0.1`, {
      cause: error,
    })
  }
}
