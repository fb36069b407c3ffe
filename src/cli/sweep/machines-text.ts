/**
 * A change among the machines that run the points of a sweep, in a line.
 */
import { readableCount } from '../../report/readable.ts'
import type { MachinesEvent } from '../../run/sweep/machines/machine-watch.ts'
import { version } from '../../runtime/version.ts'

export function machinesText(event: MachinesEvent): string {
  switch (event.type) {
    case 'workers':
      return event.count === 0
        ? `sweep: no worker of papertape ${version()} is there: start one with papertape worker --redis URL, on any machine`
        : `sweep: ${readableCount(event.count, 'worker')} at work`
    case 'fault':
      return `sweep: a machine cannot run its points: ${event.text}`
    case 'link':
      return event.state === 'gone' ? 'sweep: Redis does not answer: waiting for it' : 'sweep: Redis is back'
  }
}
