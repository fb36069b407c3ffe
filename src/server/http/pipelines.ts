/**
 * Requests that come behind each other on one connection, and wait for their turn when there are many of them.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FairScheduler, Sender } from './fair-scheduler.ts'

interface Pipeline {
  readonly sender: Sender
  /** Ends what holds the connection. */
  readonly leave: () => void
}

export interface Arrivals {
  /** Whether what arrives now is to be refused. */
  readonly areRefused: () => boolean
  /** Takes the requests that arrived before that, and had their turn after it. */
  readonly inTime: WeakSet<IncomingMessage>
}

/**
 * Puts the turns between a server and its routes.
 *
 * @param route  does a request when it is its turn
 */
export function shareTurns(
  server: Server,
  turns: FairScheduler,
  { areRefused, inTime }: Arrivals,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const pipelines = new WeakMap<Duplex, Pipeline>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const isInTime = !areRefused()
    let pipeline = pipelines.get(socket)
    if (pipeline === undefined) pipelines.set(socket, (pipeline = pipelineOf(socket, turns)))
    pipeline.sender.run(() => {
      if (isInTime && areRefused()) inTime.add(request)
      // The client has gone, or its request was refused while it waited.
      if (!socket.destroyed && !response.writableEnded) route(request, response)
    })
  })
  // Somebody else reads that connection now.
  server.prependListener('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    pipelines.get(socket)?.leave()
    pipelines.delete(socket)
  })
}

function pipelineOf(socket: Socket, turns: FairScheduler): Pipeline {
  const sender = turns.sender(socket)
  // Node reads on when it needs the rest of a body, or has sent what waited.
  const stop = (): void => {
    if (sender.isPaused) socket.pause()
  }
  socket.on('resume', stop)
  const leave = (): void => {
    socket.off('resume', stop)
    sender.leave()
  }
  return { sender, leave }
}
