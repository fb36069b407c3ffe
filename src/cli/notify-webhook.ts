/** The flag `--notify`: events of a process in real time go to a webhook. */
import { MACHINE_CLOCKS } from '../adapter/live/machine-clocks.ts'
import { webhook } from '../adapter/live/webhook.ts'
import { setting } from '../domain/setting-name.ts'
import type { LiveNews } from '../runtime/live/live-event.ts'
import { Notifier } from '../runtime/live/notifier.ts'
import { type FlagText, single } from './option-values.ts'

const FLUSH_MS = 5_000

/**
 * Sends the events of a process to a webhook, with a few seconds at the end for the rest.
 *
 * @param given  value of the flag
 * @returns a function that sends the rest
 * @throws {InputError} for an address that is not an HTTP URL
 */
export function notifyWebhook(given: FlagText, news: LiveNews, baseUrl: string): () => Promise<void> {
  const address = single('--notify', given)
  if (address === undefined) return () => Promise.resolve()
  const hook = webhook(setting('notify'), address, MACHINE_CLOCKS)
  const onTrouble = (reason: string): void => {
    const message = `the webhook failed: ${reason}`
    news.report({ type: 'warning', time: MACHINE_CLOCKS.wall(), owner: undefined, message })
  }
  const notifier = new Notifier({ clocks: MACHINE_CLOCKS, post: (body) => hook.post(body), onTrouble, baseUrl })
  news.listen((event) => {
    notifier.report(event)
  })
  return () => notifier.close(FLUSH_MS)
}
