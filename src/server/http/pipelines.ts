/**
 * Requests that come behind each other on one connection, and wait for their turn when there are many of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { FairTurns, Sender } from './fair-turns.ts'

/** Puts the turns between a server and the routes of its app. */
export function shareTurns(app: FastifyInstance, turns: FairTurns): void {
  const sendersBySocket = new WeakMap<Duplex, Sender>()
  const senderOf = (socket: Socket): Sender => {
    let sender = sendersBySocket.get(socket)
    if (sender === undefined) {
      const made = turns.sender(socket)
      sender = made
      sendersBySocket.set(socket, made)
      // Node reads on when it needs the rest of a body, or has sent what waited.
      socket.on('resume', () => {
        if (made.isPaused && sendersBySocket.get(socket) === made) socket.pause()
      })
    }
    return sender
  }
  // In the place of the app's own listener, which is the only one yet.
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    senderOf(socket).run(() => {
      // Whoever has gone, or was refused while it waited, has nothing done.
      if (!socket.destroyed && !response.writableEnded) app.routing(request, response)
    })
  })
  // Another server reads that connection now.
  app.server.prependListener('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    sendersBySocket.get(socket)?.leave()
    sendersBySocket.delete(socket)
  })
}
