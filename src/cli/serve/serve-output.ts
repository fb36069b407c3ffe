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
    ['state', options.state ?? 'in memory only (use --state FILE to keep it)'],
    ...users.flatMap(({ id, email, keys }) => [
      [
        'user',
        `${id}, ${email}${keys.length === 0 ? `; create an API key with POST ${emulatorUrl}/users/${id}/keys` : ', API key (shown only once):'}`,
      ] as const,
      ...keys.map((key): Row => ['key', key]),
    ]),
  ]
  const lines = rows.map(([name, value]) => `${name.padEnd(10)}${value}`)
  return [`papertape ${version()} is running; press Ctrl-C to stop`, '', ...lines, ''].join('\n')
}

const symbolsOf = ({ markets }: Emulator): string => markets.map(({ symbol }) => symbol).join(', ')

/** What moves the prices. */
function tradedBy(
  { hasAgents }: Emulator,
  { replay = [], depth = [], speed = 1, virtualClock = false }: EmulatorOptions,
): string {
  const time = virtualClock ? '; move time with POST /emulator/clock' : ''
  if (replay.length > 0) {
    const pace = virtualClock ? '' : speed === 'max' ? ' at full speed' : ` at ${speed}x`
    return `replayed from ${[...replay, ...depth].map(({ file }) => file).join(', ')}${pace}${time}`
  }
  return `${hasAgents ? 'traded by simulated agents' : 'no agents'}${time}`
}
