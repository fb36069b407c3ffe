/**
 * A proxy before a service that breaks one rule of it: requests go through, answers come back as `bend` leaves them.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PassingRequest {
  readonly method: string
  /** With its query, from `/v1` on: `/orders?limit=1`. */
  path: string
  readonly headers: Record<string, string>
  body: string
}

export interface PassingAnswer {
  status: number
  readonly headers: Record<string, string>
  json: unknown
}

export interface Bend {
  readonly request?: ((request: PassingRequest) => unknown) | undefined
  readonly answer?: ((answer: PassingAnswer, request: PassingRequest) => unknown) | undefined
}

export interface BreakingProxy {
  readonly baseUrl: string
  /** Of requests that came, in their order: `POST /orders`. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** @param target  base URL of the service */
export async function breakingProxy(
  target: string,
  { request: bendRequest, answer: bendAnswer }: Bend,
): Promise<BreakingProxy> {
  const asked: string[] = []
  const server: Server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const chunks: Uint8Array[] = []
      for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
      const headers = Object.fromEntries(
        ['x-api-key', 'content-type', 'authorization'].flatMap((name) => {
          const value = incoming.headers[name]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      )
      const path = (incoming.url ?? '').replace(/^\/v1/, '')
      const request: PassingRequest = {
        method: incoming.method ?? '',
        path,
        headers,
        body: Buffer.concat(chunks).toString(),
      }
      asked.push(`${request.method} ${request.path}`)
      bendRequest?.(request)
      const response = await fetch(target + request.path, {
        method: request.method,
        headers: request.headers,
        ...(request.body === '' ? {} : { body: request.body }),
      })
      const text = await response.text()
      const kept = [...response.headers].filter(
        ([name]) => !['content-length', 'connection', 'keep-alive'].includes(name),
      )
      const answer: PassingAnswer = {
        status: response.status,
        headers: Object.fromEntries(kept),
        json: text === '' ? undefined : JSON.parse(text),
      }
      bendAnswer?.(answer, request)
      outgoing.writeHead(answer.status, answer.headers)
      outgoing.end(
        answer.json === undefined ? '' : typeof answer.json === 'string' ? answer.json : JSON.stringify(answer.json),
      )
    }
    pass().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
