/**
 * A virtual time of no service, for the routes that report and move one.
 */
import { VirtualTime } from '../../../src/server/service/virtual-time.ts'
import { VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'

const nothing = (): void => undefined

export const standingTime = (): VirtualTime =>
  new VirtualTime({ clock: new VirtualClock(0), onTime: nothing, onRest: nothing, onError: nothing })
