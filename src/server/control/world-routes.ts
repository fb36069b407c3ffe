/** Snapshots of the world of an emulator, and branches of it: saved, listed, loaded, compared, and started. */
import { z } from 'zod'
import { shapeOf } from '../envelope/body-shape.ts'
import type { Call, Route } from '../service/route.ts'
import { readySchema, scenarioSchema } from '../worlds/scenario.ts'
import type { Worlds } from '../worlds/worlds.ts'

const name = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: "letters, digits, '.', '_' and '-', beginning with a letter or digit",
    examples: ['before-news'],
  })
const snapshotRequest = z.strictObject({
  name,
  replace: z.boolean().default(false).meta({ description: 'true to replace a snapshot of that name' }),
  file: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'an exported snapshot to add, instead of one of the present' }),
})
const branchRequest = z.strictObject({
  name,
  snapshot: name.optional().meta({ description: 'the snapshot to start from; default: the present' }),
  port: z.int().min(0).max(65_535).default(0).meta({ description: 'TCP port; 0 takes a free one' }),
})
const snapshotSchema = z
  .strictObject({
    name,
    time: z.int().meta({ description: 'market time, Unix milliseconds' }),
    users: z.int(),
    openOrders: z.int().meta({ description: 'open orders of users' }),
    agents: z.boolean(),
  })
  .meta({ id: 'Snapshot' })
const url = z.string()
const branchSchema = z
  .strictObject({ name, snapshot: name.optional(), baseUrl: url, streamUrl: url, emulatorUrl: url, windowUrl: url })
  .meta({ id: 'Branch' })
const exported = z
  .strictObject({ papertapeWorld: z.int(), digest: z.string(), world: z.record(z.string(), z.unknown()) })
  .meta({ id: 'ExportedSnapshot' })

/** Large enough for a day of busy markets. */
const LONGEST_FILE = 256 * 1024 * 1024

const nameOf = ({ params }: Call): string => params.name ?? ''

function save({ body }: Call, worlds: Worlds): object {
  const { name: wanted, replace, file } = shapeOf(snapshotRequest, body)
  return file === undefined ? worlds.save(wanted, replace) : worlds.add(wanted, file, replace)
}

const savingRoutes = (worlds: Worlds): readonly Route[] => [
  {
    method: 'GET',
    path: '/snapshots',
    operationId: 'listSnapshots',
    tag: 'Worlds',
    summary: 'every snapshot',
    access: 'emulator',
    status: 200,
    answer: z.array(snapshotSchema),
    handle: () => worlds.list(),
  },
  {
    method: 'POST',
    path: '/snapshots',
    operationId: 'saveSnapshot',
    tag: 'Worlds',
    summary: 'saves the present world under a name, or adds an exported one',
    access: 'emulator',
    body: snapshotRequest,
    longestBody: LONGEST_FILE,
    status: 201,
    answer: snapshotSchema,
    handle: (call) => save(call, worlds),
  },
  {
    method: 'GET',
    path: '/snapshots/{name}',
    operationId: 'exportSnapshot',
    tag: 'Worlds',
    summary: 'a snapshot as one file',
    access: 'emulator',
    status: 200,
    answer: exported,
    handle: (call) => worlds.fileText(nameOf(call)),
  },
  {
    method: 'DELETE',
    path: '/snapshots/{name}',
    operationId: 'deleteSnapshot',
    tag: 'Worlds',
    summary: 'removes a snapshot',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: (call) => {
      worlds.remove(nameOf(call))
    },
  },
]

const loadingRoutes = (worlds: Worlds): readonly Route[] => [
  {
    method: 'POST',
    path: '/snapshots/{name}/load',
    operationId: 'loadSnapshot',
    tag: 'Worlds',
    summary: 'replaces the world by a snapshot; earlier requests get 503, and streams close',
    access: 'emulator',
    status: 200,
    answer: snapshotSchema,
    handle: (call) => worlds.load(nameOf(call)),
  },
  {
    method: 'GET',
    path: '/snapshots/{name}/diff',
    operationId: 'diffSnapshot',
    tag: 'Worlds',
    summary: 'what differs between a snapshot and another, or the present, in words',
    access: 'emulator',
    query: { to: name.optional().meta({ description: 'name of another snapshot; default: the present' }) },
    status: 200,
    answer: z.array(z.string()),
    handle: (call) => worlds.diff(nameOf(call), call.query.to),
  },
]

const moment = z.int().min(0).meta({ description: 'market time, Unix milliseconds' })
const rewindRequest = z.strictObject({
  time: moment.optional(),
  beforeOrder: z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/)
    .optional()
    .meta({ description: 'id of an order of a client, instead of a time', examples: ['12'] }),
})

const rewindRoutes = (worlds: Worlds): readonly Route[] => [
  {
    method: 'GET',
    path: '/past',
    operationId: 'listPast',
    tag: 'Worlds',
    summary: 'the stretches of time that can be gone back to',
    access: 'emulator',
    status: 200,
    answer: z.array(z.strictObject({ from: moment, to: moment }).meta({ id: 'PastStretch' })),
    handle: () => worlds.past(),
  },
  {
    method: 'POST',
    path: '/rewind',
    operationId: 'rewind',
    tag: 'Worlds',
    summary: 'goes back to a moment of the past; earlier requests get 503, and streams close',
    access: 'emulator',
    body: rewindRequest,
    status: 200,
    answer: z.strictObject({ time: moment }).meta({ id: 'Rewound' }),
    handle: ({ body }) => worlds.rewind(shapeOf(rewindRequest, body)),
  },
]

const comingAction = z
  .strictObject({ time: z.int().meta({ description: 'market time, Unix milliseconds' }), action: z.string() })
  .meta({ id: 'ComingAction' })

const scenarioRoutes = (worlds: Worlds): readonly Route[] => [
  {
    method: 'GET',
    path: '/scenarios',
    operationId: 'listScenarioActions',
    tag: 'Worlds',
    summary: 'every action of scenarios that is to come',
    access: 'emulator',
    status: 200,
    answer: z.array(comingAction),
    handle: () => worlds.coming(),
  },
  {
    method: 'POST',
    path: '/scenarios',
    operationId: 'playScenario',
    tag: 'Worlds',
    summary: 'plays a scenario from now on; returns its actions',
    access: 'emulator',
    body: z.union([readySchema, scenarioSchema]),
    status: 201,
    answer: z.array(comingAction),
    handle: ({ body }) => worlds.play(body),
  },
  {
    method: 'DELETE',
    path: '/scenarios',
    operationId: 'stopScenarios',
    tag: 'Worlds',
    summary: 'cancels every action to come',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: () => {
      worlds.stopScenarios()
    },
  },
]

const branchRoutes = (worlds: Worlds): readonly Route[] => [
  {
    method: 'GET',
    path: '/branches',
    operationId: 'listBranches',
    tag: 'Worlds',
    summary: 'every branch, with its addresses',
    access: 'emulator',
    status: 200,
    answer: z.array(branchSchema),
    handle: () => worlds.branches(),
  },
  {
    method: 'POST',
    path: '/branches',
    operationId: 'startBranch',
    mayMiss: true,
    tag: 'Worlds',
    summary: 'starts another emulator in the same process, from a snapshot or the present',
    access: 'emulator',
    body: branchRequest,
    status: 201,
    answer: branchSchema,
    handle: ({ body }) => worlds.branch(shapeOf(branchRequest, body)),
  },
  {
    method: 'DELETE',
    path: '/branches/{name}',
    operationId: 'closeBranch',
    tag: 'Worlds',
    summary: 'closes a branch',
    access: 'emulator',
    status: 204,
    answer: z.undefined(),
    handle: (call) => worlds.closeBranch(nameOf(call)),
  },
]

export const worldRoutes = (worlds: Worlds): readonly Route[] => [
  ...savingRoutes(worlds),
  ...loadingRoutes(worlds),
  ...rewindRoutes(worlds),
  ...branchRoutes(worlds),
  ...scenarioRoutes(worlds),
]
