/**
 * The window of a finished run: its moments and its events, as the page asks for them.
 */
import { InputError } from '../../domain/errors.ts'
import type { ReplayedEvent, ReplayedMoment } from '../../report/replay/replayed-run.ts'
import type { ReplayedFiles } from '../../run/replayed-files.ts'
import { servePage, type PageServer } from './page-server.ts'

/** A run as a whole. */
export interface ReplayWhole {
  /** Directory of its files. */
  readonly name: string
  readonly version: string
  /** Count of its events. */
  readonly length: number
  readonly fills: number
  readonly equity: ReplayedFiles['equity']
  readonly faults: readonly string[]
}

/** A moment with the events shortly before and after it. */
export interface ReplayShown extends ReplayedMoment {
  readonly events: readonly ReplayedEvent[]
  /** Events of the previous and the next fill; undefined if there is none. */
  readonly fillBefore: number | undefined
  readonly fillAfter: number | undefined
}

const EVENTS_BEFORE = 12
const EVENTS_AFTER = 8

/** @throws {InputError} when the port is taken, or the pages were not built */
export function serveReplay(
  { run, equity, faults }: ReplayedFiles,
  { port, name, version }: { readonly port: number; readonly name: string; readonly version: string },
): Promise<PageServer> {
  const whole: ReplayWhole = { name, version, length: run.length, fills: run.fills.length, equity, faults }
  const shown = (at: number): ReplayShown => {
    const moment = run.moment(at)
    return {
      ...moment,
      events: run.events(moment.at - EVENTS_BEFORE, moment.at + EVENTS_AFTER + 1),
      fillBefore: run.fills.findLast((each) => each < moment.at),
      fillAfter: run.fills.find((each) => each > moment.at),
    }
  }
  return servePage({
    port,
    page: 'replay',
    calls: {
      'GET whole': () => whole,
      'GET moment': ({ at = '', time }) =>
        shown(time === undefined ? numberOf('at', at) : run.atTime(numberOf('time', time))),
    },
  })
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InputError(name, `expected a whole number, got '${text.slice(0, 40)}'`)
}
