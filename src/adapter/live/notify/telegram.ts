/**
 * The Bot API of Telegram, with grammY: messages to a chat, and the messages that people send to the bot.
 *
 * Invariant: no reason contains the token; nothing rejects.
 */
import type * as Grammy from 'grammy'
import { InputError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import type { MachineClocks } from '../machine-clocks.ts'
import { streamAgentFor } from '../network/dispatchers.ts'
import { proxyFor } from '../network/proxy.ts'
import type { WebhookOutcome } from '../webhook.ts'

/** A message that somebody sent to the bot. */
export interface ReceivedMessage {
  readonly chat: string
  readonly text: string
  /** Unix milliseconds, in whole seconds. */
  readonly sentAt: number
}

export interface TelegramFailure {
  readonly type: 'failed'
  readonly reason: string
  /** Error code of Telegram; undefined if it did not answer. */
  readonly code: number | undefined
  readonly retryAfterMs: number | undefined
}

export type TelegramAnswer<Value> = { readonly type: 'done'; readonly value: Value } | TelegramFailure

export interface ReceivedUpdates {
  readonly messages: readonly ReceivedMessage[]
  /** Confirms these updates as the offset of the next request; undefined without any. */
  readonly next: number | undefined
}

export interface TelegramOptions {
  readonly token: string
  /** Address of the Bot API, without a slash at the end. */
  readonly address: string
  readonly clocks: Pick<MachineClocks, 'setTimer'>
}

const TIMEOUT_MS = 5_000

export class Telegram {
  readonly #api: Grammy.Api
  readonly #errors: Pick<typeof Grammy, 'GrammyError' | 'HttpError'>
  readonly #clocks: TelegramOptions['clocks']
  readonly #stopped = new AbortController()

  /** @throws {InputError} for an unusable proxy */
  constructor(grammy: typeof Grammy, { token, address, clocks }: TelegramOptions) {
    const agent = streamAgentFor(proxyFor(address))
    const baseFetchConfig = agent === undefined ? {} : { agent }
    this.#api = new grammy.Api(token, { apiRoot: address, baseFetchConfig })
    this.#errors = grammy
    this.#clocks = clocks
  }

  async send(chat: string, text: string): Promise<WebhookOutcome> {
    const options = { link_preview_options: { is_disabled: true } }
    const send = (signal: Signal): Promise<unknown> => this.#api.sendMessage(chat, text, options, signal)
    const sent = await this.#limited(TIMEOUT_MS, new AbortController(), send)
    if (sent.type === 'done') return { type: 'accepted' }
    const { code, reason, retryAfterMs } = sent
    const isRetryable = code === undefined || code === 429 || code >= 500
    return { type: 'failed', reason, isRetryable, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }

  /** Name of the bot, without @. */
  name(): Promise<TelegramAnswer<string>> {
    return this.#limited(TIMEOUT_MS, this.#stopped, async (signal) => (await this.#api.getMe(signal)).username)
  }

  /**
   * @param offset   number of the first update to read, which confirms all earlier ones
   * @param seconds  how long to wait for one
   */
  updates(offset: number | undefined, seconds: number): Promise<TelegramAnswer<ReceivedUpdates>> {
    const request = { timeout: seconds, allowed_updates: ['message'] as const, ...(offset !== undefined && { offset }) }
    return this.#limited(seconds * 1_000 + TIMEOUT_MS, this.#stopped, async (signal) => {
      const updates = await this.#api.getUpdates(request, signal)
      const messages = updates.flatMap(({ message }) => {
        if (message?.text === undefined) return []
        return [{ chat: String(message.chat.id), text: message.text, sentAt: message.date * 1_000 }]
      })
      const last = updates.at(-1)?.update_id
      return { messages, next: last === undefined ? undefined : last + 1 }
    })
  }

  /** Ends the requests that read from Telegram. */
  stop(): void {
    this.#stopped.abort()
  }

  /** One request, which ends at its time limit or with `stopped`. */
  async #limited<Value>(
    ms: number,
    stopped: AbortController,
    request: (signal: Signal) => Promise<Value>,
  ): Promise<TelegramAnswer<Value>> {
    const limit = new AbortController()
    const end = (): void => {
      limit.abort()
    }
    const cancel = this.#clocks.setTimer(ms, end)
    stopped.signal.addEventListener('abort', end)
    try {
      // grammY declares the signal of a package, and takes that of Node.
      return { type: 'done', value: await request(limit.signal as unknown as Signal) }
    } catch (error) {
      return this.#failure(error, limit.signal.aborted)
    } finally {
      cancel()
      stopped.signal.removeEventListener('abort', end)
    }
  }

  /** Messages of failed connections contain the token: only their code is used. */
  #failure(error: unknown, isLate: boolean): TelegramFailure {
    const { GrammyError, HttpError } = this.#errors
    if (error instanceof GrammyError) {
      const { error_code: code, description, parameters } = error
      const seconds = parameters.retry_after
      const reason = `answered ${code} ${escapedExcerpt(description)}`
      return { type: 'failed', reason, code, retryAfterMs: seconds === undefined ? undefined : seconds * 1_000 }
    }
    const { code } = (error instanceof HttpError ? error.error : error) as NodeJS.ErrnoException
    const reason = isLate ? 'no answer in time' : `no usable answer${code === undefined ? '' : ` (${code})`}`
    return { type: 'failed', reason, code: undefined, retryAfterMs: undefined }
  }
}

type Signal = Parameters<Grammy.Api['getMe']>[0]

/** @throws {InputError} if grammY is not installed, or for an unusable proxy */
export async function openTelegram(options: TelegramOptions): Promise<Telegram> {
  let grammy: typeof Grammy
  try {
    grammy = await import('grammy')
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    throw new InputError('telegram', `needs the package grammy: run npm install grammy (${why})`, { cause: error })
  }
  return new Telegram(grammy, options)
}
