/**
 * Watchers of a session outside of its process: the webhook of `--notify`, the monitor of `--heartbeat`, and systemd.
 *
 * They learn what happens from the events and the status, and nothing that they do delays the session.
 */
import { execFile } from 'node:child_process'
import { MACHINE_CLOCKS } from '../adapter/live/machine-clocks.ts'
import { webhook } from '../adapter/live/webhook.ts'
import { setting } from '../domain/setting-name.ts'
import { MINUTE_MS } from '../domain/time.ts'
import { HealthPings } from '../runtime/live/health-pings.ts'
import type { LiveNews } from '../runtime/live/live-event.ts'
import type { LiveStatus } from '../runtime/live/live-status.ts'
import { Notifier } from '../runtime/live/notifier.ts'
import { io } from './cli-io.ts'
import { type FlagText, single } from './option-values.ts'

const FLUSH_MS = 5_000
const SYSTEMD_MS = 5_000

export interface SessionWatchers {
  readonly onStatus: (status: LiveStatus) => void
  /** Sends the rest, for a few seconds. */
  close(): Promise<void>
}

/**
 * @param values   with the flags `notify` and `heartbeat`
 * @param news     events of the process
 * @param baseUrl  of the service
 * @throws {InputError} for an address that is not an HTTP URL
 */
export function sessionWatchers(
  values: Readonly<Record<string, unknown>>,
  news: LiveNews,
  baseUrl: string,
): SessionWatchers {
  const trouble = (what: string) => (reason: string) => {
    const message = `${what} failed: ${reason}`
    news.report({ type: 'warning', time: MACHINE_CLOCKS.wall(), owner: undefined, message })
  }
  const given = (flag: 'notify' | 'heartbeat'): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const closeWebhook = notifyWebhook(given('notify'), news, baseUrl, trouble('the webhook'))
  const pings = [
    ...monitorPings(given('heartbeat'), trouble('the heartbeat')),
    ...systemdPings(news, trouble('systemd-notify')),
  ]
  return {
    onStatus: (status) => {
      for (const each of pings) each.onStatus(status)
    },
    close: closeWebhook,
  }
}

function notifyWebhook(
  address: string | undefined,
  news: LiveNews,
  baseUrl: string,
  onTrouble: (reason: string) => void,
): () => Promise<void> {
  if (address === undefined) return () => Promise.resolve()
  const hook = webhook(setting('notify'), address, MACHINE_CLOCKS)
  const notifier = new Notifier({ clocks: MACHINE_CLOCKS, post: (body) => hook.post(body), onTrouble, baseUrl })
  news.listen((event) => {
    notifier.report(event)
  })
  return () => notifier.close(FLUSH_MS)
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
