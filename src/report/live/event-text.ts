/**
 * An event of a live process as one line for people.
 *
 * Known limit: the text may contain control characters of a strategy or a service; escape it for a terminal.
 */
import { assertNever } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { LiveEvent } from '../../runtime/live/live-event.ts'
import { readableAmount } from '../readable.ts'

/** `12:34:56`, UTC. */
export const timeOfDay = (time: number): string => isoTime(time).replace(/^.*T(.{8}).*$/, '$1')

export const eventLine = (event: LiveEvent): string =>
  [timeOfDay(event.time), event.owner, eventText(event)].filter((part) => part !== undefined).join('  ')

/** Without time and owner. */
function eventText(event: LiveEvent): string {
  switch (event.type) {
    case 'started':
      return `started on ${event.baseUrl}, run directory ${event.runDirectory}`
    case 'fill':
      return `${event.side} ${readableAmount(event.qty)} ${event.symbol} at ${readableAmount(event.price)}`
    case 'refusal':
      return `refused: ${event.code}, ${event.message}`
    case 'state':
      return `is ${event.state}${event.why === '' ? '' : `: ${event.why}`}`
    case 'halt':
      return `${event.symbol} is halted (${event.why}): ${event.reason}`
    case 'fault':
      return `fault: ${event.message}`
    case 'warning':
      return `warning: ${event.message}`
    case 'twin':
      return `twin of ${event.date}: ${event.message}`
    case 'log':
      return event.message
    case 'ended':
      return `ended with exit code ${event.exitCode}: ${event.message}`
    default:
      return assertNever(event)
  }
}
