/**
 * One line for each change among the workers that run the points of a sweep.
 */
import { readableCount } from '../../report/readable.ts'
import type { MachinesEvent } from '../../run/sweep/machines/machine-watch.ts'
import { version } from '../../runtime/version.ts'

export function machinesText(event: MachinesEvent): string {
  switch (event.type) {
    case 'workers':
      return event.count === 0
        ? `sweep: no worker of papertape ${version()} is connected; start one on any machine: papertape worker --redis URL`
        : `sweep: ${readableCount(event.count, 'worker')} connected`
    case 'fault':
      return `sweep: a worker cannot run the points: ${event.text}`
    case 'link':
      return event.state === 'gone' ? 'sweep: Redis does not answer; waiting for it' : 'sweep: Redis is back'
  }
}
