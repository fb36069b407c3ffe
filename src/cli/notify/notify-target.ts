/**
 * Receivers of `--notify`: a webhook, or a person by Telegram, Discord or e-mail.
 *
 * Invariant: no message contains a token, or a part of an address that can be secret.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { givenVariable } from '../api-key.ts'
import { several, type FlagText } from '../option-values.ts'

export type NotifyTarget =
  | { readonly type: 'webhook'; readonly address: string }
  | { readonly type: 'discord'; readonly address: string }
  | { readonly type: 'telegram'; readonly chat: string }
  | { readonly type: 'mail'; readonly to: string }

export interface NotifySettings {
  readonly targets: readonly NotifyTarget[]
  /** True if people also receive each fill. */
  readonly withFills: boolean
  /** Chats whose commands are executed; undefined if none are. */
  readonly chats: ReadonlySet<string> | undefined
}

const TARGET = /^(?:telegram:(?<chat>-?\d{1,20}|@\w{4,40})|(?<discord>discord)(?::(?<address>.+))?|mailto:(?<to>.+))$/s
const MAIL = /^[^\s@<>,;:"?]+@[^\s@<>,;:"?]+$/
const CHAT = /^-?\d{1,20}$/

/**
 * @param flags  as yargs reads them
 * @param file   the same settings of a config file
 * @throws {InputError} for a receiver or chat of another form
 */
export function notifySettings(
  flags: Readonly<Record<string, unknown>>,
  file: Readonly<Record<string, unknown>>,
): NotifySettings {
  const texts = (flag: string, key: string): readonly string[] =>
    several(`--${flag}`, (flags[flag] ?? file[key]) as FlagText)
  const targets = texts('notify', 'notify').map(targetOf)
  const allowed = texts('telegram-allow', 'telegramAllow')
  const chats = targets.flatMap((target) => (target.type === 'telegram' ? [target.chat] : []))
  if (chats.length === 0 && allowed.length > 0)
    throw new InputError(setting('telegramAllow'), 'needs a chat: pass --notify telegram:CHAT_ID too')
  for (const each of allowed) {
    if (!CHAT.test(each) && each !== 'off')
      throw new InputError(setting('telegramAllow'), `expected the number of a chat, or 'off', got '${each}'`)
  }
  const takesCommands = chats.length > 0 && !allowed.includes('off')
  const withFills = (flags['notify-fills'] ?? file.notifyFills) === true
  return { targets, withFills, chats: takesCommands ? new Set([...chats, ...allowed]) : undefined }
}

function targetOf(text: string): NotifyTarget {
  const where = setting('notify')
  const { chat, discord, address, to } = TARGET.exec(text)?.groups ?? {}
  if (chat !== undefined) return { type: 'telegram', chat }
  if (discord !== undefined)
    return { type: 'discord', address: address ?? required('PAPERTAPE_DISCORD_WEBHOOK', 'discord') }
  if (to !== undefined && MAIL.test(to)) return { type: 'mail', to }
  if (to !== undefined)
    throw new InputError(where, 'expected one address after mailto:, such as mailto:ann@example.org')
  if (text.startsWith('telegram'))
    throw new InputError(where, 'expected telegram: and the number of a chat, such as telegram:123456789')
  return { type: 'webhook', address: text }
}

/** A variable of the environment or `.env`. @throws {InputError} if it is not set */
export function required(variable: string, target: string): string {
  const text = givenVariable(variable)
  if (text !== undefined) return text
  throw new InputError(variable, `missing for --notify ${target}: set it in the environment or in .env`)
}
