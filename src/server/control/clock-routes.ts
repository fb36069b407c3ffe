/**
 * The time of an emulator with a virtual clock: told, and moved on.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { VirtualClock } from '../../simulation/clocks/virtual-clock.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError } from '../envelope/service-error.ts'
import type { Route } from '../service/route.ts'
import type { Service } from '../service/service.ts'

const clockRequest = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(366 * 86_400_000),
})
const clockSchema = z.strictObject({ now: z.int() })

/** Of a market that is moved far on, at once. */
const STEP_MS = 600_000

/** The last moment of the year 9999: later ones have no ISO date of the usual form. */
const LAST_TIME = 253_402_300_799_999

/** Moves the time on step by step, so that others are answered meanwhile and a signal is heard. */
async function advance(service: Service, clock: VirtualClock, ms: number): Promise<object> {
  if (clock.now() + ms > LAST_TIME) throw fieldError('advanceMs', 'goes beyond the year 9999')
  for (let left = ms; left > 0; left -= STEP_MS) {
    clock.advance(Math.min(left, STEP_MS))
    await service.catchUpFully()
    if (left > STEP_MS) await setImmediate()
  }
  return { now: service.catchUp() }
}

export const clockRoutes = (clock: VirtualClock): readonly Route[] => [
  {
    method: 'GET',
    path: '/clock',
    operationId: 'getClock',
    tag: 'Clock',
    summary: 'the time',
    access: 'emulator',
    status: 200,
    answer: clockSchema,
    handle: ({ now }) => ({ now }),
  },
  {
    method: 'POST',
    path: '/clock',
    operationId: 'advanceClock',
    tag: 'Clock',
    summary: 'moves the time on',
    access: 'emulator',
    body: clockRequest,
    status: 200,
    answer: clockSchema,
    handle: ({ service, body }) => advance(service, clock, shapeOf(clockRequest, body).advanceMs),
  },
]
