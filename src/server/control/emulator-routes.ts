/**
 * The emulator's own surface: users, keys, credits, faults, audit, clock and a look into the books. Not part of the service.
 */
import type { Faults } from '../faults/faults.ts'
import type { Route } from '../service/route.ts'
import type { VirtualTime } from '../service/virtual-time.ts'
import { BOOK_ROUTES } from './book-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { USER_ROUTES } from './user-routes.ts'

export interface EmulatorParts {
  readonly faults: Faults
  /** Undefined when the time is the machine's. */
  readonly time: VirtualTime | undefined
}

export function emulatorRoutes({ faults, time }: EmulatorParts): readonly Route[] {
  return [...USER_ROUTES, ...faultRoutes(faults), ...BOOK_ROUTES, ...(time === undefined ? [] : clockRoutes(time))]
}
