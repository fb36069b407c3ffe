/**
 * Events as a short plain text for a phone.
 *
 * Invariant: at most `MAX_LINES` events, in at most `MAX_EVENTS_TEXT` characters; it says how many it leaves out, the
 * end last. A status is complete: a text that is longer than a message allows is sent as several.
 */
import { eventLine } from '../../report/live/event-text.ts'
import { alarmsOf, plainStatusLines } from '../../report/live/status-lines.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import type { NumberedEvent } from '../../runtime/live/live-event.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'

const MAX_LINES = 15
const MAX_LINE = 300
const MAX_EVENTS_TEXT = 1_900

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 3)}...` : text)

/** The end is complete: its message names what is left. */
const lineOf = (event: NumberedEvent): string =>
  cut(printable(eventLine(event)), event.type === 'ended' ? Infinity : MAX_LINE)

/** Splits a text into messages of at most `most` characters: at the ends of lines, and inside of a longer line. */
export function messagesOf(text: string, most: number): readonly string[] {
  const messages: string[] = []
  let rest = text
  while (rest.length > most) {
    const end = rest.lastIndexOf('\n', most)
    // The second half of a surrogate pair belongs to the first.
    const cutAt = end > 0 ? end : /[\uD800-\uDBFF]/.test(rest.charAt(most - 1)) ? most - 1 : most
    messages.push(rest.slice(0, cutAt))
    rest = rest.slice(end > 0 ? end + 1 : cutAt)
  }
  return [...messages, rest]
}

export interface NotifyTextOptions {
  /** The session, as `papertape live http://127.0.0.1:8080/v1`. */
  readonly title: string
  readonly status: LiveStatus | undefined
  /** Events that could not be delivered since the last text. */
  readonly dropped: number
}

/** The title, then an event a line: of many, the newest, and fills only if there is room. */
export function notifyText(events: readonly NumberedEvent[], { title, status, dropped }: NotifyTextOptions): string {
  const important = events.filter(({ type }) => type !== 'fill').slice(-MAX_LINES)
  const room = MAX_LINES - important.length
  const fills = room === 0 ? [] : events.filter(({ type }) => type === 'fill').slice(-room)
  let shown = events.filter((event) => important.includes(event) || fills.includes(event))
  const isEnd = shown.some(({ type }) => type === 'ended')
  const last = isEnd && status !== undefined ? plainStatusLines(status, true) : []
  for (;;) {
    const left = events.length - shown.length
    const text = [
      title,
      ...(dropped === 0 ? [] : [`${readableCount(dropped, 'earlier event')} could not be delivered`]),
      ...(left === 0 ? [] : [`${readableCount(left, 'event')} left out, ${countOf(events, shown)} of them fills`]),
      ...shown.map(lineOf),
    ].join('\n')
    const oldest = shown.find(({ type }) => type !== 'ended')
    if (text.length <= MAX_EVENTS_TEXT || oldest === undefined) return [text, ...last].join('\n')
    shown = shown.filter((event) => event !== oldest)
  }
}

const countOf = (all: readonly NumberedEvent[], shown: readonly NumberedEvent[]): number =>
  all.filter((event) => event.type === 'fill' && !shown.includes(event)).length

/** The answer to `/status`. */
export function statusMessage(status: LiveStatus | undefined): string {
  if (status === undefined) return 'no status yet: the session is starting'
  const alarms = alarmsOf(status).map((alarm) => `! ${printable(alarm)}`)
  const orders = status.strategies.flatMap(({ openOrders }) =>
    openOrders.map(({ side, qty, symbol, price }) => printable(`${side} ${qty} ${symbol} at ${price ?? 'market'}`)),
  )
  const rows =
    orders.length > MAX_LINES ? [...orders.slice(0, MAX_LINES), `and ${orders.length - MAX_LINES} more`] : orders
  return [...plainStatusLines(status), ...alarms, ...rows].join('\n')
}
