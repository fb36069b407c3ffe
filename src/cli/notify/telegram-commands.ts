/**
 * Commands of people to a session by Telegram: `/status`, `/halt`, `/reduce`, `/flatten`, `/help`.
 *
 * Invariant: only an allowed chat is answered. What was sent before the start, or more than two minutes ago, is not
 * executed. A message is executed at most once, after a restart too: before it is, Telegram has confirmed it as read.
 * Known limit: Telegram gives each message of a bot to one program. Another one with the same token takes some of them.
 */
import type { MachineClocks } from '../../adapter/live/machine-clocks.ts'
import type { ReceivedMessage, Telegram, TelegramAnswer, TelegramFailure } from '../../adapter/live/notify/telegram.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { MINUTE_MS } from '../../domain/time.ts'
import { readableDuration } from '../../report/readable.ts'
import type { OperatorAnswer, OperatorCommand } from '../../store/state/live/operator-command.ts'
import { messagesOf } from './notify-text.ts'

export interface TelegramCommandsOptions {
  readonly telegram: Telegram
  readonly chats: ReadonlySet<string>
  readonly clocks: MachineClocks
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  /** Executes a command; undefined for a session that takes none. */
  readonly report: ((command: OperatorCommand) => Promise<OperatorAnswer>) | undefined
  readonly statusText: () => string
  readonly title: string
  readonly onTrouble: (reason: string) => void
}

const POLL_SECONDS = 25
const MAX_AGE_MS = 2 * MINUTE_MS
/** Time to confirm `/flatten`. */
const CONFIRM_MS = MINUTE_MS
const FLATTEN = { kind: 'flatten', wholeAccount: false, withinMs: 2 * MINUTE_MS } as const
/** `/halt`, in a group `/halt@name_of_bot`. */
const COMMAND = /^\/(?<command>[a-z]+)(?:@(?<bot>\w+))?(?:\s+(?<words>.*))?$/is
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = MINUTE_MS
const MAX_PAUSE_MS = 60 * MINUTE_MS
/** Foreign chats that are reported by number. */
const MAX_FOREIGN = 10
/** Fewer characters than Telegram allows. */
export const MAX_TELEGRAM = 4_000
/** Leaves room for the title, and for the code. */
const MAX_PLAN = 3_000
/** Telegram reports whole seconds. */
const SECOND_MS = 1_000

const HELP = [
  '/status: equity, positions and open orders',
  '/halt: send no more orders, only cancels',
  '/reduce: only cancels, and sells of what is held',
  '/flatten: cancel all orders and sell the positions; asks first',
  'To allow orders again, run papertape live resume or papertape paper resume on its machine.',
].join('\n')

const CONFLICT = 'another program or a webhook reads the messages of the same bot, so some commands may not arrive'

const NO_COMMANDS = 'this session takes no commands: start papertape paper with --state'

export class TelegramCommands {
  readonly #options: TelegramCommandsOptions
  readonly #foreign = new Set<string>()
  /** Codes to confirm `/flatten`, with the end of their validity in monotonic milliseconds. */
  readonly #codes = new Map<string, { readonly code: string; readonly until: number }>()
  readonly #answers = new Set<Promise<void>>()
  /** Functions that end the pauses. */
  readonly #pauses = new Set<() => void>()
  #bot = ''
  #isClosed = false
  /** Kinds of failures that were reported. */
  readonly #troubles = new Set<'conflict' | 'other'>()
  /** Unix milliseconds. */
  #startedAt = 0
  #running: Promise<void> | undefined

  constructor(options: TelegramCommandsOptions) {
    this.#options = options
  }

  /** Executes what is sent from now on. Idempotent. */
  start(): void {
    if (this.#running !== undefined) return
    this.#startedAt = this.#options.clocks.wall()
    this.#running = this.#run()
  }

  /** Waits for answers under way, at most until the limit. */
  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    for (const end of this.#pauses) end()
    let cancel = (): void => undefined
    const isOver = new Promise<void>((resolve) => {
      cancel = this.#options.clocks.setTimer(limitMs, resolve)
    })
    await Promise.race([Promise.all(this.#answers), isOver])
    cancel()
    this.#options.telegram.stop()
    await this.#running
  }

  /** Until the end, or until Telegram refuses the bot. */
  async #run(): Promise<void> {
    const { telegram } = this.#options
    const name = await this.#repeated(() => telegram.name())
    if (name === undefined) return
    this.#bot = name.toLowerCase()
    let next: number | undefined
    let read: readonly ReceivedMessage[] = []
    for (;;) {
      const seconds = read.length === 0 ? POLL_SECONDS : 0
      const updates = await this.#repeated(() => telegram.updates(next, seconds))
      if (updates === undefined) return
      // The request has confirmed the messages of the one before: no later session reads them.
      for (const message of read) this.#begin(this.#execute(message))
      next = updates.next ?? next
      read = this.#commandsOf(updates.messages)
    }
  }

  /** The result, however often it takes; undefined at the end, or if Telegram refuses the bot. */
  async #repeated<Value>(request: () => Promise<TelegramAnswer<Value>>): Promise<Value | undefined> {
    for (let waitMs = FIRST_WAIT_MS; !this.#isClosed; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      const answer = await request()
      if (answer.type === 'done') return answer.value
      const refusal = refusalText(answer)
      if (this.#hasClosed()) return undefined
      if (refusal !== undefined) {
        this.#options.onTrouble(`${refusal}; the session goes on without commands by Telegram`)
        return undefined
      }
      if (answer.code === 409) this.#reportOnce(`${CONFLICT} (${answer.reason})`, 'conflict')
      else this.#reportOnce(answer.reason)
      await this.#pause(Math.min(Math.max(waitMs, answer.retryAfterMs ?? 0), MAX_PAUSE_MS))
    }
    return undefined
  }

  /** Commands of allowed chats that are meant for this bot; the names of commands are in lower case. */
  #commandsOf(messages: readonly ReceivedMessage[]): readonly ReceivedMessage[] {
    return messages.flatMap((message) => {
      if (!this.#isAllowed(message)) return []
      const { command, bot, words = '' } = COMMAND.exec(message.text)?.groups ?? {}
      if (command === undefined || (bot !== undefined && bot.toLowerCase() !== this.#bot)) return []
      return [{ ...message, text: `/${command.toLowerCase()} ${words.trim()}`.trim() }]
    })
  }

  #isAllowed({ chat }: ReceivedMessage): boolean {
    if (this.#options.chats.has(chat)) return true
    if (this.#foreign.has(chat) || this.#foreign.size === MAX_FOREIGN) return false
    this.#foreign.add(chat)
    this.#options.onTrouble(`ignored a message of chat ${chat}, which --telegram-allow does not name`)
    return false
  }

  async #execute({ chat, text, sentAt }: ReceivedMessage): Promise<void> {
    const { clocks, statusText } = this.#options
    const age = clocks.wall() - sentAt
    const [command = '', code] = text.split(/\s+/)
    if (age > MAX_AGE_MS)
      return this.#answer(chat, `not executed: ${command} was sent ${readableDuration(age)} ago; send it again`)
    if (sentAt + SECOND_MS <= this.#startedAt)
      return this.#answer(chat, `${text} was sent before this session started, and is not executed: send it again`)
    switch (command) {
      case '/status':
        return this.#answer(chat, statusText())
      case '/halt':
      case '/reduce':
        return this.#answer(chat, await this.#done({ kind: command === '/halt' ? 'halt' : 'reduce' }))
      case '/flatten':
        return this.#answer(chat, code === undefined ? await this.#plan(chat) : await this.#flatten(chat, code))
      case '/start':
      case '/help':
        return this.#answer(chat, HELP)
      default:
        return this.#answer(chat, `unknown command ${command}\n${HELP}`)
    }
  }

  /** The plan of `/flatten`, and the code that confirms it. */
  async #plan(chat: string): Promise<string> {
    const { clocks, random } = this.#options
    this.#codes.delete(chat)
    const { isDone, message } = await this.#report({ ...FLATTEN, isDry: true })
    if (!isDone) return `not done: ${message}`
    const code = String(Math.floor(random() * 9_000) + 1_000)
    this.#codes.set(chat, { code, until: clocks.monotonic() + CONFIRM_MS })
    return `${shortened(message, MAX_PLAN)}\nTo do this, send within a minute: /flatten ${code}`
  }

  async #flatten(chat: string, code: string): Promise<string> {
    const expected = this.#codes.get(chat)
    this.#codes.delete(chat)
    if (expected?.code !== code || this.#options.clocks.monotonic() > expected.until)
      return 'nothing was changed: the code is wrong, used or older than a minute; send /flatten for a new one'
    await this.#answer(chat, 'flattening...')
    return this.#done({ ...FLATTEN, isDry: false })
  }

  async #done(command: OperatorCommand): Promise<string> {
    const { isDone, message } = await this.#report(command)
    return isDone ? message : `not done: ${message}`
  }

  async #report(command: OperatorCommand): Promise<OperatorAnswer> {
    const { report } = this.#options
    if (report === undefined) return { isDone: false, message: NO_COMMANDS }
    try {
      return await report(command)
    } catch (error) {
      return { isDone: false, message: thrownText(error) }
    }
  }

  #begin(answer: Promise<void>): void {
    this.#answers.add(answer)
    void answer.finally(() => this.#answers.delete(answer))
  }

  /** Sends a text, in several messages if it is long, until one of them fails. */
  async #answer(chat: string, text: string): Promise<void> {
    for (const message of messagesOf(`${this.#options.title}\n${text}`, MAX_TELEGRAM)) {
      const failure = await this.#send(chat, message)
      if (failure === undefined) continue
      this.#reportOnce(failure)
      return
    }
  }

  /** Sends a message, and once more if Telegram wants it later. @returns why it failed */
  async #send(chat: string, message: string): Promise<string | undefined> {
    const { telegram } = this.#options
    let sent = await telegram.send(chat, message)
    if (sent.type === 'failed' && sent.isRetryable && !this.#isClosed) {
      await this.#pause(Math.min(Math.max(FIRST_WAIT_MS, sent.retryAfterMs ?? 0), MAX_PAUSE_MS))
      sent = await telegram.send(chat, message)
    }
    return sent.type === 'failed' ? sent.reason : undefined
  }

  #hasClosed(): boolean {
    return this.#isClosed
  }

  #reportOnce(reason: string, kind: 'conflict' | 'other' = 'other'): void {
    if (this.#troubles.has(kind)) return
    this.#troubles.add(kind)
    this.#options.onTrouble(reason)
  }

  /** Ends early at the end of the session. */
  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel()
        this.#pauses.delete(end)
        resolve()
      }
      const cancel = this.#options.clocks.setTimer(ms, end)
      this.#pauses.add(end)
    })
  }
}

/** Why Telegram gives no messages to this bot; undefined for a failure that passes. */
const refusalText = ({ code, reason }: TelegramFailure): string | undefined =>
  code === 401 || code === 404 ? `Telegram does not know the bot of PAPERTAPE_TELEGRAM_TOKEN (${reason})` : undefined

/** The first lines that fit, and how many are left out. */
function shortened(text: string, most: number): string {
  const lines = text.split('\n')
  let count = 0
  for (let length = 0; count < lines.length; count += 1) {
    length += (lines[count] ?? '').length + 1
    if (length > most) return `${lines.slice(0, count).join('\n')}\nand ${lines.length - count} more lines`
  }
  return text
}
