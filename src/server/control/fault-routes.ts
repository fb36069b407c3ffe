/** Faults that an emulator is to have: planned and forgotten. */
import { z } from 'zod'
import { shapeOf } from '../envelope/body-shape.ts'
import { ServiceError } from '../envelope/service-error.ts'
import { faultRequest } from '../faults/fault-plan.ts'
import { FAULT_KINDS, type Faults } from '../faults/faults.ts'
import type { Route } from '../service/route.ts'

/** @returns its id @throws {ServiceError} when it could never happen */
export const planFault = (faults: Faults, body: unknown): string => faults.plan(shapeOf(faultRequest, body))

const plannedFault = z
  .strictObject({
    id: z.string(),
    fault: z.enum(FAULT_KINDS),
    route: z.string(),
    count: z.int().min(1).optional().meta({ description: 'how many times it can still happen' }),
    probability: z.number().min(0).max(1).optional(),
    seed: z.int32(),
    ms: z.int().min(0).max(600_000),
    rows: z.int().min(1).max(500).optional(),
  })
  .meta({ id: 'Fault' })

const lookRoutes = (faults: Faults): readonly Route[] => [
  {
    method: 'GET',
    path: '/faults',
    operationId: 'listFaults',
    tag: 'Faults',
    summary: 'faults that can still happen, in the order of their creation',
    access: 'emulator',
    status: 200,
    answer: z.array(plannedFault),
    handle: () => faults.list(),
  },
  {
    method: 'DELETE',
    path: '/faults/{id}',
    operationId: 'forgetFault',
    tag: 'Faults',
    summary: 'removes one fault',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: ({ params }) => {
      if (!faults.forget(params.id ?? '')) throw new ServiceError('VALIDATION_ERROR', 'no such fault', { status: 404 })
    },
  },
]

export const faultRoutes = (faults: Faults): readonly Route[] => [
  ...lookRoutes(faults),
  {
    method: 'POST',
    path: '/faults',
    operationId: 'planFault',
    tag: 'Faults',
    summary: 'plans a fault',
    access: 'emulator',
    body: faultRequest,
    status: 201,
    answer: z.strictObject({ id: z.string() }),
    handle: ({ body }) => ({ id: planFault(faults, body) }),
  },
  {
    method: 'DELETE',
    path: '/faults',
    operationId: 'forgetFaults',
    tag: 'Faults',
    summary: 'removes every fault',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: () => {
      faults.clear()
    },
  },
]
