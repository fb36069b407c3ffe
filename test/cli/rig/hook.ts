/**
 * A webhook in this process that keeps what it is reported.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Hook {
  readonly port: number
  /** Method and path of each request. */
  readonly asked: readonly string[]
  readonly events: readonly { readonly type: string }[]
  close(): Promise<void>
}

export async function startHook(): Promise<Hook> {
  const asked: string[] = []
  const events: { readonly type: string }[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    void text(request).then((body) => {
      events.push(...(JSON.parse(body) as { events: { type: string }[] }).events)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    events,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
