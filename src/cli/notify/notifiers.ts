/**
 * The receivers of `--notify`, each with its queue, and commands by Telegram.
 *
 * Invariant: nothing here delays the session, and its end by a few seconds only.
 */
import { MACHINE_CLOCKS, machineRandom } from '../../adapter/live/machine-clocks.ts'
import { openMail } from '../../adapter/live/notify/mail.ts'
import { openTelegram, type Telegram } from '../../adapter/live/notify/telegram.ts'
import { webhook } from '../../adapter/live/webhook.ts'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { LiveNews, NumberedEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import { Notifier, type NotifierOptions } from '../../runtime/live/notifier.ts'
import type { OperatorAnswer, OperatorCommand } from '../../store/state/live/operator-command.ts'
import { givenVariable } from '../api-key.ts'
import { type NotifySettings, type NotifyTarget, required } from './notify-target.ts'
import { messagesOf, notifyText, statusMessage } from './notify-text.ts'
import { MAX_TELEGRAM, TelegramCommands } from './telegram-commands.ts'

/** The session that others hear of. */
export interface NotifiedSession {
  readonly kind: 'live' | 'paper'
  /** Base URL of the service. */
  readonly baseUrl: string
  readonly news: LiveNews
  /** Executes a command of an operator; undefined for a session that takes none. */
  readonly report: ((command: OperatorCommand) => Promise<OperatorAnswer>) | undefined
}

export interface Notifiers {
  readonly onStatus: (status: LiveStatus) => void
  /** Reports an error that ended the session, or that it did not start. */
  fail(message: string): void
  close(): Promise<void>
}

type Channel = Pick<NotifierOptions, 'post' | 'types' | 'messageOf' | 'maxInMessage' | 'perMinute'> & {
  /** Subject of the warning that it does not work. */
  readonly name: string
}

/** Fewer characters than Discord allows. */
const MAX_DISCORD = 1_900
const FLUSH_MS = 5_000
const TELEGRAM_TOKEN = 'PAPERTAPE_TELEGRAM_TOKEN'
const SMTP_URL = 'PAPERTAPE_SMTP_URL'
const WEBHOOK_TYPES = ['started', 'fill', 'state', 'halt', 'fault', 'twin', 'ended'] as const
const PERSON_TYPES = ['started', 'state', 'halt', 'fault', 'warning', 'twin', 'ended'] as const
/** Fewer than Telegram allows in a group, and as many e-mails as a person stands. */
const PER_MINUTE = { webhook: 30, telegram: 15, discord: 15, mail: 2 } as const

/** @throws {InputError} for an invalid address, a missing secret, or a package that is not installed */
export async function notifiers(settings: NotifySettings, session: NotifiedSession): Promise<Notifiers> {
  const { targets, chats } = settings
  const { news, kind, baseUrl, report } = session
  const title = `papertape ${kind} ${baseUrl}`
  let status: LiveStatus | undefined
  const warn = (message: string): void => {
    news.report({ type: 'warning', time: MACHINE_CLOCKS.wall(), owner: undefined, message })
  }
  const telegram = targets.some(({ type }) => type === 'telegram') ? await telegramOf() : undefined
  const texts = { title, status: () => status, withFills: settings.withFills }
  const channels = await Promise.all(targets.map((target) => channelOf(target, baseUrl, telegram, texts)))
  const queues = channels.map(({ name, ...channel }) => {
    const onTrouble = (reason: string): void => {
      warn(`${name} failed: ${reason}`)
    }
    return new Notifier({ clocks: MACHINE_CLOCKS, onTrouble, ...channel })
  })
  const commands =
    telegram === undefined || chats === undefined
      ? undefined
      : new TelegramCommands({
          ...{ telegram, chats, clocks: MACHINE_CLOCKS, random: machineRandom, report, title },
          statusText: () => statusMessage(status),
          onTrouble: (reason) => {
            warn(`commands by Telegram: ${reason}`)
          },
        })
  news.listen((event) => {
    for (const queue of queues) queue.report(event)
    // From now on a process executes the commands.
    if (event.type === 'started') commands?.start()
  })
  return {
    onStatus: (next) => {
      status = next
    },
    fail: (message) => {
      const seq = (news.last.at(-1)?.seq ?? 0) + 1
      const fault = { type: 'fault', time: MACHINE_CLOCKS.wall(), owner: undefined, message, seq } as const
      for (const queue of queues) queue.report(fault)
    },
    close: async () => {
      await Promise.all([...queues.map((queue) => queue.close(FLUSH_MS)), commands?.close(FLUSH_MS)])
    },
  }
}

interface TextParts {
  readonly title: string
  readonly status: () => LiveStatus | undefined
  readonly withFills: boolean
}

async function channelOf(
  target: NotifyTarget,
  baseUrl: string,
  telegram: Telegram | undefined,
  texts: TextParts,
): Promise<Channel> {
  const perMinute = PER_MINUTE[target.type]
  switch (target.type) {
    case 'webhook': {
      const hook = webhook(setting('notify'), target.address, MACHINE_CLOCKS)
      const messageOf = (events: readonly NumberedEvent[], dropped: number): string =>
        JSON.stringify({ source: 'papertape', baseUrl, dropped, events })
      const types = new Set<NumberedEvent['type']>(WEBHOOK_TYPES)
      return { name: 'the webhook', post: (body) => hook.post(body), types, messageOf, maxInMessage: 100, perMinute }
    }
    case 'discord': {
      const hook = webhook(setting('notify'), target.address, MACHINE_CLOCKS)
      // Text of a strategy must not alarm the members of a channel.
      const post = (content: string): ReturnType<typeof hook.post> =>
        hook.post(JSON.stringify({ content, allowed_mentions: { parse: [] } }))
      return { name: 'messages to Discord', post: inMessages(post, MAX_DISCORD), ...textParts(texts), perMinute }
    }
    case 'telegram': {
      const { chat } = target
      const post = async (text: string): ReturnType<Telegram['send']> =>
        (await telegram?.send(chat, text)) ?? { type: 'accepted' }
      return { name: 'messages to Telegram', post: inMessages(post, MAX_TELEGRAM), ...textParts(texts), perMinute }
    }
    case 'mail': {
      const server = smtpServer(required(SMTP_URL, 'mailto'))
      const user = decodeURIComponent(server.username)
      const from = givenVariable('PAPERTAPE_SMTP_FROM') ?? (user.includes('@') ? user : target.to)
      const post = await openMail({ server, from, to: target.to, clocks: MACHINE_CLOCKS })
      return { name: 'e-mail', post, ...textParts(texts), perMinute }
    }
  }
}

/** Sends a long text as several messages, in order. The next call with a text that failed goes on where it failed. */
function inMessages(post: Channel['post'], most: number): Channel['post'] {
  let failed = { text: '', rest: [] as readonly string[] }
  return async (text) => {
    const messages = text === failed.text ? failed.rest : messagesOf(text, most)
    failed = { text: '', rest: [] }
    for (const [index, message] of messages.entries()) {
      const outcome = await post(message)
      if (outcome.type === 'accepted') continue
      if (outcome.isRetryable) failed = { text, rest: messages.slice(index) }
      return outcome
    }
    return { type: 'accepted' }
  }
}

/** Texts for a person: each has all that waits, and says how many events were lost since the last one. */
function textParts({ title, status, withFills }: TextParts): Pick<Channel, 'types' | 'messageOf' | 'maxInMessage'> {
  return {
    types: new Set<NumberedEvent['type']>(withFills ? [...PERSON_TYPES, 'fill'] : PERSON_TYPES),
    maxInMessage: Infinity,
    messageOf: (events, _, dropped) => notifyText(events, { title, status: status(), dropped }),
  }
}

async function telegramOf(): Promise<Telegram> {
  const token = required(TELEGRAM_TOKEN, 'telegram')
  if (!/^\d+:[\w-]+$/.test(token)) throw new InputError(TELEGRAM_TOKEN, 'expected the token of a bot, such as 123:ABC')
  const variable = 'PAPERTAPE_TELEGRAM_API'
  const address = givenVariable(variable) ?? 'https://api.telegram.org'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new InputError(variable, 'expected an address such as https://bots.example.org')
  return openTelegram({ token, address: address.replace(/\/+$/, ''), clocks: MACHINE_CLOCKS })
}

/** @throws {InputError} without the address, because it has a password */
function smtpServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || !isEncoded(url.username + url.password))
    throw new InputError(SMTP_URL, 'expected smtp://USER:PASSWORD@HOST:587 or smtps://..., percent-encoded')
  return url
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
