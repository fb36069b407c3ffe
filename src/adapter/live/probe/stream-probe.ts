/** One connection to the stream of a service, to see whether it answers and what comes first. */
import { WebSocket, type RawData } from 'ws'
import { streamAgentFor } from '../network/dispatchers.ts'
import { networkWords } from './network-words.ts'
import { missingReason, readStreamFrame, subscribeRequest, type StreamFrame } from '../stream/stream-codec.ts'

export interface StreamProbeOptions {
  readonly url: string
  readonly proxy?: URL | undefined
  /** Stream name, such as `trade:BTC_USD`. */
  readonly stream: string
  /** Time limit for connecting and for the answer to the subscription. */
  readonly timeoutMs: number
  /** Time limit for the first message after that. */
  readonly messageMs: number
}

/** The last step that succeeded; each step includes the one before. */
export type StreamProbe =
  | { readonly reached: 'nothing'; readonly reason: string }
  | { readonly reached: 'connected'; readonly reason: string }
  | { readonly reached: 'subscribed' }
  | { readonly reached: 'message'; readonly data: unknown }

/** Never rejects, and closes its connection. */
export function probeStream(options: StreamProbeOptions): Promise<StreamProbe> {
  return new Promise((resolve) => {
    const agent = streamAgentFor(options.proxy)
    const limits = { handshakeTimeout: options.timeoutMs, maxPayload: 1_048_576 }
    const socket = new WebSocket(options.url, { ...limits, ...(agent !== undefined && { agent }) })
    let reached: StreamProbe = { reached: 'nothing', reason: 'no connection in time' }
    const end = (last: StreamProbe): void => {
      clearTimeout(timer)
      resolve(last)
      socket.terminate()
    }
    let timer = setTimeout(() => {
      end(reached)
    }, options.timeoutMs)
    socket.on('open', () => {
      reached = { reached: 'connected', reason: 'the subscription was not answered in time' }
      socket.send(subscribeRequest(options.stream, 1))
    })
    socket.on('message', (data, isBinary) => {
      const next = isBinary ? undefined : afterFrame(readStreamFrame(textOf(data)), options.stream)
      if (next === undefined) return
      if (next.reached !== 'subscribed') {
        end(next)
        return
      }
      reached = next
      clearTimeout(timer)
      timer = setTimeout(() => {
        end(reached)
      }, options.messageMs)
    })
    socket.on('unexpected-response', (_request, response) => {
      end({ reached: 'nothing', reason: `the handshake was answered with status ${response.statusCode ?? 0}` })
    })
    socket.on('error', (error) => {
      if (reached.reached === 'nothing') reached = { reached: 'nothing', reason: networkWords(error) }
      end(reached)
    })
    socket.on('close', () => {
      end(reached)
    })
  })
}

function afterFrame(frame: StreamFrame, stream: string): StreamProbe | undefined {
  switch (frame.type) {
    case 'subscribed': {
      const refusal = missingReason(frame.streams, stream)
      return refusal === undefined ? { reached: 'subscribed' } : refused(refusal)
    }
    case 'refused':
      return refused(frame.reason)
    case 'unreadable':
      return {
        reached: 'connected',
        reason: `the answer to the subscription could not be read: ${frame.reason}`,
      }
    case 'data':
      return frame.stream === stream ? { reached: 'message', data: frame.data } : undefined
  }
}

const refused = (reason: string): StreamProbe => ({
  reached: 'connected',
  reason: `the subscription was refused: ${reason}`,
})

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8')
