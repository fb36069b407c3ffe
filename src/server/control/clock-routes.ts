/** The time of an emulator with a virtual clock: read, advance and stop it. */
import { z } from 'zod'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError } from '../envelope/service-error.ts'
import type { Call, Route } from '../service/route.ts'
import type { VirtualTime } from '../service/virtual-time.ts'

const clockRequest = z.strictObject({
  advanceMs: z
    .int()
    .min(0)
    .max(366 * 86_400_000),
})
const clockSchema = z.strictObject({
  now: z.int(),
  until: z.int().optional().meta({ description: 'the target time, while the clock is advancing' }),
  stopped: z.literal(true).optional().meta({ description: 'the clock was stopped before it reached its target' }),
})

/** Most clients give up after half a minute, and some after ten seconds. */
const LONGEST_ANSWER_MS = 5_000
const ACCEPTED = 202

/** The last moment of the year 9999: later ones have no ISO date of the usual form. */
const LAST_TIME = 253_402_300_799_999

type Outcome = boolean | 'under-way'

/** @throws {ServiceError} VALIDATION_ERROR when it can go no such way */
export function advanceMsOf(body: unknown, time: VirtualTime): number {
  const { advanceMs } = shapeOf(clockRequest, body)
  if (time.target + advanceMs > LAST_TIME) throw fieldError('advanceMs', 'goes beyond the year 9999')
  return advanceMs
}

async function advance({ service, body }: Call, time: VirtualTime): Promise<object> {
  const outcome = await orUnderWay(time.advance(service, advanceMsOf(body, time)))
  const now = service.catchUp()
  if (outcome === 'under-way') return { now, until: time.target }
  return outcome ? { now } : { now, stopped: true }
}

async function orUnderWay(arrival: Promise<boolean>): Promise<Outcome> {
  let patience: NodeJS.Timeout | undefined
  const underWay = new Promise<Outcome>((resolve) => {
    patience = setTimeout(() => {
      resolve('under-way')
    }, LONGEST_ANSWER_MS)
  })
  try {
    return await Promise.race([arrival, underWay])
  } finally {
    clearTimeout(patience)
  }
}

function stop({ service }: Call, time: VirtualTime): object {
  const isMoving = time.until !== undefined
  time.stop()
  return isMoving ? { now: service.catchUp(), stopped: true } : { now: service.catchUp() }
}

export const clockRoutes = (time: VirtualTime): readonly Route[] => [
  {
    method: 'GET',
    path: '/clock',
    operationId: 'getClock',
    tag: 'Clock',
    summary: 'the current time, and its target while it advances',
    access: 'emulator',
    status: 200,
    answer: clockSchema,
    handle: ({ now }) => ({ now, ...(time.until === undefined ? {} : { until: time.until }) }),
  },
  {
    method: 'POST',
    path: '/clock',
    operationId: 'advanceClock',
    tag: 'Clock',
    summary: 'advances the time; answers 202 if this takes long and continues in the background',
    access: 'emulator',
    body: clockRequest,
    status: 200,
    statusOf: (answer) => ((answer as z.output<typeof clockSchema>).until === undefined ? undefined : ACCEPTED),
    otherStatuses: { [ACCEPTED]: 'the advance continues up to `until`; `GET /emulator/clock` shows its progress' },
    answer: clockSchema,
    handle: (call) => advance(call, time),
  },
  {
    method: 'DELETE',
    path: '/clock',
    operationId: 'stopClock',
    tag: 'Clock',
    summary: 'stops an advance at the current time',
    access: 'emulator',
    status: 200,
    answer: clockSchema,
    handle: (call) => stop(call, time),
  },
]
