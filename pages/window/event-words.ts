/** Events of a session as sentences. */
import { assertNever } from '../../src/domain/errors.ts'
import type { LiveEvent } from '../../src/runtime/live/live-event.ts'
import { grouped } from '../parts/words.ts'
import { refusalWords } from './refusal-words.ts'

const STATES = {
  ACTIVE: 'The session sends orders again',
  REDUCING: 'The session only cancels, and sells what it holds',
  HALTED: 'The session only cancels',
} as const

export function eventWords(event: LiveEvent): string {
  switch (event.type) {
    case 'started':
      return `Started on ${event.baseUrl}. Its files are in ${event.runDirectory}.`
    case 'fill': {
      const [asset = '', quote = ''] = event.symbol.split('_')
      const done = event.side === 'BUY' ? 'Bought' : 'Sold'
      const tag = event.tag === undefined ? '' : ` (${event.tag})`
      const late = event.isRecovered === true ? ' before this session started' : ''
      return `${done} ${grouped(event.qty)} ${asset} at ${grouped(event.price)} ${quote}${late}${tag}.`
    }
    case 'refusal':
      return refusalWords(event.code, `refused ${event.message}`)
    case 'state':
      return `${STATES[event.state]}${event.why === '' ? '' : `: ${event.why}`}.`
    case 'halt':
      return `${event.symbol} is halted: ${event.reason}.`
    case 'fault':
      return `The account cannot be used: ${event.message}.`
    case 'warning':
      return `Warning: ${event.message}.`
    case 'twin':
      return `Twin of ${event.date}: ${event.message}.`
    case 'log':
      return event.message
    case 'ended':
      return `Ended with exit code ${event.exitCode}: ${event.message}.`
    default:
      return assertNever(event)
  }
}
