/**
 * A TCP proxy before a service that lets an answer through up to a byte and then ends the connection, and counts the
 * requests that reach the service. It knows nothing of HTTP but where a request begins: on a connection one follows the
 * answer of another.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type CutEnd = 'reset' | 'close'

export interface Cut {
  /** Beginning of a request's first line, such as `POST /v1/orders`. */
  readonly request: string
  /** Bytes of the answer that come through. */
  readonly afterBytes: number
  readonly end: CutEnd
}

export interface CuttingProxy {
  /** In the place of the service's. */
  readonly baseUrl: string
  /** First lines of the requests, in the order in which they came. */
  readonly requests: readonly string[]
  /** The next answer of that request is cut, once. */
  cutNext(cut: Cut): void
  /** True while one waits for its answer. */
  readonly isWaiting: boolean
  /** Bytes of the longest answer to a request that begins so. */
  mostBytes(request: string): number
  close(): Promise<void>
}

/** @param target  base URL of a service over plain HTTP */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port, pathname } = new URL(target)
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const answerBytes = new Map<string, number>()
  const planned: Cut[] = []
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let line = ''
    let cut: Cut | undefined
    let passed = 0
    client.on('data', (chunk) => {
      const begun = /^(?:GET|POST|DELETE) \S+(?= HTTP\/1\.1\r\n)/.exec(chunk.toString('latin1'))
      if (begun !== null) {
        ;[line] = begun
        passed = 0
        requests.push(line)
        const index = planned.findIndex(({ request }) => line.startsWith(request))
        cut = index < 0 ? undefined : planned.splice(index, 1)[0]
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const before = passed
      passed += chunk.length
      answerBytes.set(line, Math.max(passed, answerBytes.get(line) ?? 0))
      if (cut === undefined) client.write(chunk)
      else if (passed >= cut.afterBytes) {
        const { end, afterBytes } = cut
        client.write(chunk.subarray(0, Math.max(0, afterBytes - before)), () => {
          if (end === 'reset') client.resetAndDestroy()
          else client.end()
        })
        upstream.removeAllListeners('data').resume()
      } else client.write(chunk)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroySoon())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${address.port}${pathname}`,
    requests,
    cutNext: (cut) => {
      planned.push(cut)
    },
    get isWaiting() {
      return planned.length > 0
    },
    mostBytes: (request) =>
      Math.max(0, ...[...answerBytes].flatMap(([line, bytes]) => (line.startsWith(request) ? [bytes] : []))),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
