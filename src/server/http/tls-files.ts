/** The certificate and key of a server, read again when their files change, so that a renewal needs no restart. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createServer as createPlainServer, type Server, type ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { InputError } from '../../domain/errors.ts'
import { setting, type SettingName } from '../../domain/setting-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'

/** Files in PEM form. */
export interface TlsFiles {
  /** Certificate, with those between it and the root. */
  readonly cert: string
  readonly key: string
}

const LOOK_MS = 5_000

/** @throws {InputError} for a file that cannot be read, or a key of another certificate */
function readTls({ cert, key }: TlsFiles): { readonly cert: Buffer; readonly key: Buffer } {
  const read = { cert: contentOf(setting('tlsCert'), cert), key: contentOf(setting('tlsKey'), key) }
  try {
    createSecureContext(read)
    return read
  } catch (error) {
    throw new InputError(
      setting('tlsKey'),
      `'${key}' is not the key of the certificate in '${cert}', both in PEM form (${thrownText(error)})`,
      { cause: error },
    )
  }
}

function contentOf(place: SettingName, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new InputError(place, `'${file}' cannot be read (${thrownText(error)})`, { cause: error })
  }
}

/** Creates an HTTP server, or an HTTPS server for a certificate. @throws {InputError} see `readTls` */
export function wireServer(
  options: ServerOptions,
  tls: TlsFiles | undefined,
  handshakeTimeout: number,
  onNotice: (message: string) => void,
): Server {
  if (tls === undefined) return createPlainServer(options)
  const server = createServer({ ...options, ...readTls(tls), handshakeTimeout })
  const files = [tls.cert, tls.key]
  const renew = (): void => {
    try {
      server.setSecureContext(readTls(tls))
    } catch (error) {
      onNotice(`the earlier TLS certificate stays in use: ${thrownText(error)}`)
    }
  }
  for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, renew)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.once('close', () => {
    for (const file of files) unwatchFile(file, renew)
  })
  // Node closes only connections whose handshake is over.
  server.closeAllConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return server
}

/** Name of the event of a new connection that speaks HTTP. */
export const connectionEvent = (server: Server): 'connection' | 'secureConnection' =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'
