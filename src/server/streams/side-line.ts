/** WebSocket endpoints of a server next to its streams, such as that of the windows. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClientAddresses } from '../http/client-address.ts'
import type { Secrets } from '../service/secrets.ts'
import type { Service } from '../service/service.ts'

/** Handles its own handshakes. */
export interface SideLine {
  takes(request: IncomingMessage): boolean
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(code: number, reason: string): void
  terminate(): void
}

export interface SideLineParts {
  readonly service: Service
  readonly clients: ClientAddresses
  readonly secrets: Secrets
  /** Resolves when all changes so far are durable; undefined if they are. */
  readonly durable: () => Promise<void> | undefined
  /** Receives internal errors. */
  readonly onError: (error: unknown) => void
}
