/** The Bot API of Telegram on this machine: what a bot sends, and what people send to it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeTelegram {
  readonly address: string
  /** Texts that the bot sent, with their chats. */
  readonly sent: { readonly chat: string; readonly text: string }[]
  /** Paths of all requests. */
  readonly asked: string[]
  /** A person sends a message to the bot. @param secondsAgo  how old it is */
  say(chat: number, text: string, secondsAgo?: number): void
  /** Answers of the next requests of a method, instead of the right ones; `never` says nothing. */
  answer(method: string, ...answers: readonly FakeAnswer[]): void
  /** True if no message waits for the bot. */
  readonly isRead: boolean
  close(): Promise<void>
}

export type FakeAnswer =
  { readonly status: number; readonly description: string; readonly retryAfter?: number } | 'never'

export const TOKEN = '123456:fake-telegram_token'

interface Update {
  readonly update_id: number
  readonly message: { readonly text: string; readonly date: number; readonly chat: { readonly id: number } }
}

/** @param port  a fixed one, for a server that starts again */
export async function startTelegram(port = 0): Promise<FakeTelegram> {
  const sent: FakeTelegram['sent'] = []
  const asked: string[] = []
  const planned = new Map<string, FakeAnswer[]>()
  let updates: Update[] = []
  let lastId = 1_000
  let wake = (): void => undefined

  const succeed = (response: ServerResponse, result: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
  }
  const fail = (response: ServerResponse, { status, description, retryAfter }: Exclude<FakeAnswer, 'never'>): void => {
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }
    const body = { ok: false, error_code: status, description, ...parameters }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const read = async (
    response: ServerResponse,
    { offset, timeout }: { offset?: number; timeout?: number },
  ): Promise<void> => {
    if (offset !== undefined) updates = updates.filter(({ update_id: id }) => id >= offset)
    if (updates.length === 0 && (timeout ?? 0) > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
        response.once('close', resolve)
        setTimeout(resolve, (timeout ?? 0) * 1_000).unref()
      })
    }
    succeed(response, updates)
  }
  const server = createServer((request, response) => {
    void (async () => {
      const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
      asked.push(method)
      const body = await bodyOf(request)
      const plan = planned.get(method)?.shift()
      if (plan === 'never') return
      if (plan !== undefined) fail(response, plan)
      else if (token !== TOKEN) fail(response, { status: 401, description: 'Unauthorized' })
      else if (method === 'getMe') succeed(response, { id: 1, is_bot: true, first_name: 'b', username: 'Trend_bot' })
      else if (method === 'getUpdates') await read(response, body)
      else {
        sent.push({ chat: String(body.chat_id), text: String(body.text) })
        succeed(response, { message_id: sent.length, date: 0, chat: { id: 1, type: 'private' } })
      }
    })()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    asked,
    say: (chat, text, secondsAgo = 0) => {
      const date = Math.floor(Date.now() / 1_000) - secondsAgo
      lastId += 1
      updates.push({ update_id: lastId, message: { text, date, chat: { id: chat } } })
      wake()
    },
    answer: (method, ...answers) => {
      planned.set(method, [...(planned.get(method) ?? []), ...answers])
    },
    get isRead() {
      return updates.length === 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(
  request: IncomingMessage,
): Promise<{ offset?: number; timeout?: number; chat_id?: unknown; text?: unknown }> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as object
}
