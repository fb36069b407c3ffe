/**
 * The log of a server on stderr: lines of JSON without keys or tokens. A file of its own, because its test loads it
 * alone.
 *
 * They are removed by path, and again by pattern from the finished line.
 */
import { pino, type Logger } from 'pino'
import type { LogLevel } from './serve-flags.ts'

const CENSOR = '[redacted]'
const KEY = /pt_[0-9a-z]{8}_[A-Za-z0-9_-]{20,}/g
const PATHS = [
  ...['key', 'keys', 'adminToken', 'authorization', '["x-api-key"]'],
  ...['*.key', '*.keys', '*.adminToken', '*.authorization', '*["x-api-key"]'],
  ...['*.headers.authorization', '*.headers["x-api-key"]'],
]

/** @param adminToken  is taken out too */
export function serverLog(level: LogLevel, adminToken: string | undefined): Logger {
  const destination = pino.destination({ fd: 2, sync: true })
  // The server continues without a log.
  destination.on('error', () => undefined)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: PATHS, censor: CENSOR },
      hooks: { streamWrite: (line) => withoutSecrets(line, adminToken) },
    },
    destination,
  )
}

/**
 * A line of JSON without the keys in it, and without the token. Only texts are changed, so that it stays a line of
 * JSON.
 */
function withoutSecrets(line: string, adminToken: string | undefined): string {
  const clean = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const withoutKeys = value.replaceAll(KEY, CENSOR)
    return adminToken === undefined ? withoutKeys : withoutKeys.replaceAll(adminToken, CENSOR)
  }
  return `${JSON.stringify(JSON.parse(line, clean))}\n`
}
