/**
 * Output of `papertape serve` once it listens: the addresses, the users, and their keys, which are never shown again.
 */
import type { EmulatorOptions } from '../../server/emulator/emulator-options.ts'
import type { Emulator } from '../../server/emulator/emulator.ts'
import { version } from '../../runtime/version.ts'

/** The one line of `--json`. */
export function serverLine(
  { baseUrl, streamUrl, emulatorUrl, windowUrl, users }: Emulator,
  options: EmulatorOptions,
): string {
  return `${JSON.stringify({ baseUrl, streamUrl, emulatorUrl, windowUrl, adminToken: options.adminToken ?? null, users })}\n`
}

type Row = readonly [name: string, value: string]

/** The same for a person. */
export function serverLines(emulator: Emulator, options: EmulatorOptions): string {
  const { baseUrl, streamUrl, emulatorUrl, windowUrl, users } = emulator
  const rows: readonly Row[] = [
    ['REST', baseUrl],
    ['stream', streamUrl],
    ['window', windowUrl],
    ['emulator', emulatorUrl],
    ['markets', `${symbolsOf(emulator)}, ${tradedBy(emulator, options)}`],
    ['state', options.state ?? 'memory only: nothing is kept'],
    ...users.flatMap(({ id, email, keys }) => [
      [
        'user',
        `${id}, ${email}${keys.length === 0 ? `; for a new key: POST ${emulatorUrl}/users/${id}/keys` : '; shown only now:'}`,
      ] as const,
      ...keys.map((key): Row => ['key', key]),
    ]),
  ]
  const lines = rows.map(([name, value]) => `${name.padEnd(10)}${value}`)
  return [`papertape ${version()} serves until Ctrl-C`, '', ...lines, ''].join('\n')
}

const symbolsOf = ({ markets }: Emulator): string => markets.map(({ symbol }) => symbol).join(', ')

/** What moves the prices. */
function tradedBy(
  { hasAgents }: Emulator,
  { replay = [], depth = [], speed = 1, virtualClock = false }: EmulatorOptions,
): string {
  const time = virtualClock ? '; time moves by POST /emulator/clock' : ''
  if (replay.length > 0) {
    const pace = virtualClock ? '' : speed === 'max' ? ' as fast as it can be' : ` at ${speed}x`
    return `replayed from ${[...replay, ...depth].map(({ file }) => file).join(', ')}${pace}${time}`
  }
  return `${hasAgents ? 'traded by agents' : 'left to those who call'}${time}`
}
