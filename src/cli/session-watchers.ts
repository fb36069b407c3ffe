/**
 * Watchers of a session outside of its process: webhooks and people of `--notify`, the monitor of `--heartbeat`, and
 * systemd.
 *
 * They learn what happens from the events and the status, and nothing that they do delays the session.
 */
import { execFile } from 'node:child_process'
import { MACHINE_CLOCKS } from '../adapter/live/machine-clocks.ts'
import { webhook } from '../adapter/live/webhook.ts'
import { AbortError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { thrownText } from '../domain/thrown-text.ts'
import { MINUTE_MS } from '../domain/time.ts'
import { HealthPings } from '../runtime/live/health-pings.ts'
import type { LiveNews } from '../runtime/live/live-event.ts'
import type { LiveStatus } from '../runtime/live/live-status.ts'
import { io } from './cli-io.ts'
import type { FlagValues } from './cli-command.ts'
import { type NotifiedSession, notifiers } from './notify/notifiers.ts'
import { notifySettings } from './notify/notify-target.ts'
import { type FlagText, single } from './option-values.ts'

const SYSTEMD_MS = 5_000

export interface SessionWatchers {
  readonly onStatus: (status: LiveStatus) => void
  /** Reports an error that ended the session, or that it did not start; not that the user stopped it. */
  fail(error: unknown): void
  /** Sends the rest, for a few seconds. */
  close(): Promise<void>
}

export interface WatchedSession extends NotifiedSession {
  /** Flags: `heartbeat`, and those of `notifySettings`. */
  readonly values: FlagValues
  /** Settings of the config file. */
  readonly file: FlagValues
}

/** @throws {InputError} for an invalid address, a missing secret, or a package that is not installed */
export async function sessionWatchers({ values, file, ...session }: WatchedSession): Promise<SessionWatchers> {
  const { news } = session
  const trouble = (what: string) => (reason: string) => {
    const message = `${what} failed: ${reason}`
    news.report({ type: 'warning', time: MACHINE_CLOCKS.wall(), owner: undefined, message })
  }
  const pings = [
    ...monitorPings(single('--heartbeat', values.heartbeat as FlagText), trouble('the heartbeat')),
    ...systemdPings(news, trouble('systemd-notify')),
  ]
  const notifying = await notifiers(notifySettings(values, file), session)
  return {
    onStatus: (status) => {
      notifying.onStatus(status)
      for (const each of pings) each.onStatus(status)
    },
    fail: (error) => {
      if (!(error instanceof AbortError)) notifying.fail(thrownText(error))
    },
    close: () => notifying.close(),
  }
}

function monitorPings(address: string | undefined, onTrouble: (reason: string) => void): readonly HealthPings[] {
  if (address === undefined) return []
  const hook = webhook(setting('heartbeat'), address, MACHINE_CLOCKS)
  const ping = (): ReturnType<typeof hook.ping> => hook.ping()
  return [new HealthPings({ clocks: MACHINE_CLOCKS, everyMs: MINUTE_MS, needsConnection: true, ping, onTrouble })]
}

/**
 * Reports to systemd that the session has started, and with a watchdog that it is alive, at half of its time limit.
 */
function systemdPings(news: LiveNews, onTrouble: (reason: string) => void): readonly HealthPings[] {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog } = io.env
  if (socket === undefined) return []
  const send = (...words: readonly string[]): Promise<string | undefined> =>
    new Promise((resolve) => {
      execFile('systemd-notify', words, { timeout: SYSTEMD_MS }, (error) => resolve(error?.message.trim()))
    })
  let isReady = false
  news.listen(({ type }) => {
    if (type !== 'started' || isReady) return
    isReady = true
    void send('--ready', '--status=the session has started').then((fault) => {
      if (fault !== undefined) onTrouble(fault)
    })
  })
  const everyMs = Number(watchdog) / 2_000
  if (!(everyMs > 0)) return []
  const ping = async (): Promise<{ type: 'accepted' } | { type: 'failed'; reason: string }> => {
    const reason = await send('WATCHDOG=1')
    return reason === undefined ? { type: 'accepted' } : { type: 'failed', reason }
  }
  return [new HealthPings({ clocks: MACHINE_CLOCKS, everyMs, needsConnection: false, ping, onTrouble })]
}
