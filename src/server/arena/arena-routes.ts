/** Routes of an arena: invitations by its operator, joining by players, and the board and the journal for everyone. */
import { z } from 'zod'
import { isoTime } from '../../domain/time.ts'
import { BOOK_ROUTES } from '../control/book-routes.ts'
import { clockRoutes } from '../control/clock-routes.ts'
import { MARKET_CONTROL_ROUTES } from '../control/market-control-routes.ts'
import { shapeOf } from '../envelope/body-shape.ts'
import { FileBody } from '../envelope/file-body.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { AddressLimit } from '../http/address-limit.ts'
import type { ServedRoutes } from '../served-routes.ts'
import type { Call, Route } from '../service/route.ts'
import { PAGE_HEADERS, pageFile, pageType } from '../window/page-files.ts'
import { BoardLine } from './board-line.ts'
import { ArenaBoard } from './arena-board.ts'
import { nameSchema } from './player-name.ts'
import type { SeasonHost } from './season-host.ts'
import { strategiesOf } from './season.ts'

/** Joins and tries to join per client address. */
const JOINS = { limit: 20, windowMs: 60_000 }
/** Downloads of the journal per client address. */
const DOWNLOADS = { limit: 10, windowMs: 60_000 }
const MAX_COUNT = 1_000

const code = z.string().min(1).max(64).meta({ description: 'code of an invitation, the end of its link' })
const invitationRequest = z.strictObject({
  count: z.int().min(1).max(MAX_COUNT).default(1).meta({ description: 'number of invitations' }),
  name: nameSchema.optional().meta({ description: 'the only name that may use them' }),
})
const codesSchema = z.strictObject({ codes: z.array(code) })
const resetRequest = z.strictObject({ name: nameSchema })
const joinRequest = z.strictObject({
  code,
  name: nameSchema.optional().meta({ description: 'name on the board; default: that of the invitation' }),
})
const joinedSchema = z.strictObject({
  account: z.string(),
  name: z.string(),
  key: z.string().meta({ description: 'API key, shown only once' }),
})
const resultSchema = z.looseObject({ type: z.literal('result'), time: z.int(), players: z.array(z.looseObject({})) })
const unixMs = z.int().meta({ description: 'Unix milliseconds' })
const boardSchema = z.strictObject({
  name: z.string(),
  start: unixMs,
  end: unixMs,
  now: unixMs,
  state: z.enum(['coming', 'running', 'over']),
  quoteAsset: z.string(),
  journal: z
    .strictObject({ lines: z.int(), digest: z.string() })
    .meta({ description: 'lines so far, and the digest of the last one' }),
  result: resultSchema.meta({ description: 'final once the season is over' }),
  times: z.array(unixMs),
  curves: z.record(z.string(), z.array(z.string())).meta({ description: 'equity at these times, by account' }),
})

function invite(host: SeasonHost, { body, now }: Call): object {
  const { count, name } = shapeOf(invitationRequest, body)
  const { players } = host.season.terms
  if (players !== undefined && name === undefined) throw fieldError('name', 'is missing: the season file lists players')
  const isStrategy = strategiesOf(host.season).some((each) => each.name === name)
  if (isStrategy) throw fieldError('name', `${name} is a strategy, which the server runs`)
  if (name !== undefined && players?.includes(name) === false) {
    throw fieldError('name', `the season file lists no player ${name}`)
  }
  return { codes: host.invite(Array<string | undefined>(count).fill(name), now) }
}

function join(host: SeasonHost, call: Call): object {
  const { code: given, name = host.invitedName(given, call.now) } = shapeOf(joinRequest, call.body)
  if (name === undefined) throw fieldError('name', 'is missing: choose one')
  return host.join(call, given, name)
}

function journal({ journal: { fold }, journalFile, season }: SeasonHost): FileBody {
  if (fold.result !== undefined) return new FileBody(journalFile)
  const when = isoTime(season.end)
  throw new ServiceError('FORBIDDEN', `the journal has the orders of all players: it is public from ${when} on`)
}

const controlRoutes = (host: SeasonHost): readonly Route[] => [
  {
    method: 'POST',
    path: '/invitations',
    operationId: 'invitePlayers',
    tag: 'Arena',
    summary: 'makes invitations, each for one player; their codes are shown only once',
    access: 'emulator',
    body: invitationRequest,
    status: 201,
    answer: codesSchema,
    handle: (call) => invite(host, call),
  },
  {
    method: 'POST',
    path: '/players/reset',
    operationId: 'resetPlayer',
    tag: 'Arena',
    summary: 'before the start: revokes the key of a player, and returns a code to join again',
    access: 'emulator',
    body: resetRequest,
    status: 201,
    answer: codesSchema,
    handle: (call) => ({ codes: [host.reset(call, shapeOf(resetRequest, call.body).name)] }),
  },
]

const openRoutes = (host: SeasonHost, board: ArenaBoard): readonly Route[] => [
  {
    method: 'POST',
    path: '/join',
    operationId: 'joinSeason',
    tag: 'Arena',
    summary: 'joins the season before its start; returns the API key, only once',
    access: 'open',
    isJoin: true,
    addressLimit: new AddressLimit(JOINS),
    body: joinRequest,
    status: 201,
    answer: joinedSchema,
    handle: (call) => join(host, call),
  },
  {
    method: 'GET',
    path: '/arena/board',
    operationId: 'getBoard',
    tag: 'Arena',
    summary: 'the board of the season: ranks, equity curves and disqualifications',
    access: 'open',
    status: 200,
    answer: boardSchema,
    handle: ({ now }) => board.text(now),
  },
  {
    method: 'GET',
    path: '/arena/journal',
    operationId: 'getJournal',
    tag: 'Arena',
    summary: 'the journal of a season that is over, for arena verify',
    access: 'open',
    addressLimit: new AddressLimit(DOWNLOADS),
    status: 200,
    contentType: 'application/jsonl',
    headers: { 'content-disposition': 'attachment; filename="season.journal"' },
    answer: z.string(),
    handle: () => journal(host),
  },
]

const page = (path: string, operationId: string, name: string, summary: string): Route => ({
  method: 'GET',
  path,
  operationId,
  tag: 'Arena',
  summary,
  access: 'open',
  status: 200,
  contentType: pageType(name),
  headers: PAGE_HEADERS,
  answer: z.string(),
  handle: () => pageFile(name),
})

const PAGES: readonly Route[] = [
  page('/arena', 'getArena', 'arena.html', 'the board in a browser'),
  page('/join/{code}', 'getJoin', 'join.html', 'a form to join'),
  page('/window/arena.js', 'getArenaScript', 'arena.js', 'script of the board'),
  page('/window/join.js', 'getJoinScript', 'join.js', 'script of the form'),
  page('/window/window.css', 'getWindowStyle', 'window.css', 'style sheet of both'),
]

/** Routes that no operator can change a season with: no money, no keys, no snapshots, no faults. */
export function arenaRoutes(host: SeasonHost): ServedRoutes {
  const board = new ArenaBoard(host)
  return {
    control: ({ time }) => [
      ...controlRoutes(host),
      ...BOOK_ROUTES,
      ...MARKET_CONTROL_ROUTES,
      ...(time === undefined ? [] : clockRoutes(time)),
    ],
    open: openRoutes(host, board),
    pages: PAGES,
    lines: (parts) => [new BoardLine(board, parts)],
  }
}
