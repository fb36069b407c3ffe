/** All routes of a server by prefix, and their API documents. */
import { ACCOUNT_CONTROL_ROUTES } from './control/account-control-routes.ts'
import { BOOK_ROUTES } from './control/book-routes.ts'
import { clockRoutes } from './control/clock-routes.ts'
import { EMULATOR_EXAMPLES } from './control/emulator-examples.ts'
import { faultRoutes } from './control/fault-routes.ts'
import { MARKET_CONTROL_ROUTES } from './control/market-control-routes.ts'
import { worldRoutes } from './control/world-routes.ts'
import { USER_ROUTES } from './control/user-routes.ts'
import type { Faults } from './faults/faults.ts'
import type { Surface } from './pages/docs-page.ts'
import type { Measured } from './pages/metrics-text.ts'
import { pageRoutes, watchRoutes, WINDOW_ROUTES } from './pages/page-routes.ts'
import { ACCOUNT_ROUTES } from './service/account-routes.ts'
import { MARKET_ROUTES } from './service/market-routes.ts'
import { openApiRoute, type DocumentHead } from './service/open-api.ts'
import { ORDER_ROUTES } from './service/order-routes.ts'
import type { Route } from './service/route.ts'
import type { SideLine, SideLineParts } from './streams/side-line.ts'
import type { Worlds } from './worlds/worlds.ts'
import type { VirtualTime } from './service/virtual-time.ts'

/** Sections 2 and 4 of the specification. */
export const SERVICE_ROUTES: readonly Route[] = [...MARKET_ROUTES, ...ORDER_ROUTES, ...ACCOUNT_ROUTES]

const EMULATOR_HEAD: DocumentHead = {
  title: 'Emulator',
  description:
    'Own calls of the emulator: users, keys, money, faults, snapshots and time. They are not part of the service.',
  server: { url: '/', description: 'this server' },
  securitySchemes: {
    adminToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'the admin token; without one, only this machine may call',
    },
  },
  securityOf: ({ access }) => (access === 'open' ? [] : [{}, { adminToken: [] }]),
  examples: EMULATOR_EXAMPLES,
}

export interface EmulatorParts {
  readonly faults: Faults
  /** Undefined with the clock of the machine. */
  readonly time: VirtualTime | undefined
  /** Undefined without snapshots and branches. */
  readonly worlds: Worlds | undefined
}

/** The emulator's control API, which is not part of the service. */
export const emulatorRoutes = ({ faults, time, worlds }: EmulatorParts): readonly Route[] => [
  ...USER_ROUTES,
  ...ACCOUNT_CONTROL_ROUTES,
  ...faultRoutes(faults),
  ...BOOK_ROUTES,
  ...MARKET_CONTROL_ROUTES,
  ...(time === undefined ? [] : clockRoutes(time)),
  ...(worlds === undefined ? [] : worldRoutes(worlds)),
]

/** Routes besides those of the service. */
export interface ServedRoutes {
  /** Routes under `/emulator`. */
  readonly control: (parts: EmulatorParts) => readonly Route[]
  /** Routes at the root, described with those under `/emulator`. */
  readonly open: readonly Route[]
  /** Pages at the root, and their files. */
  readonly pages: readonly Route[]
  /** WebSocket endpoints besides the streams and the windows; default: none. */
  readonly lines?: (parts: SideLineParts) => readonly SideLine[]
}

const EMULATOR_ROUTES: ServedRoutes = { control: emulatorRoutes, open: [], pages: WINDOW_ROUTES }

export interface ServedParts extends EmulatorParts {
  /** Default: those of an emulator. */
  readonly routes?: ServedRoutes | undefined
  /** Returns the present counters. */
  readonly measured: () => Measured
}

type RoutesByPrefix = ReadonlyMap<string, readonly Route[]>

/** Routes by prefix, such as `/v1`. */
export function servedRoutes({ measured, routes = EMULATOR_ROUTES, ...parts }: ServedParts): RoutesByPrefix {
  const own = routes.control(parts)
  const watching = [...routes.open, ...watchRoutes(measured)]
  const described = [...own.map((route) => ({ ...route, path: `/emulator${route.path}` })), ...watching]
  const surfaces: readonly Surface[] = [
    { title: 'Trading service', prefix: '/v1', documentUrl: '/v1/openapi.json', routes: SERVICE_ROUTES },
    { title: 'Emulator', prefix: '', documentUrl: '/emulator/openapi.json', routes: described },
  ]
  return new Map([
    ['/v1', [...SERVICE_ROUTES, openApiRoute(SERVICE_ROUTES)]],
    ['/emulator', [...own, { ...openApiRoute(described, EMULATOR_HEAD), access: 'emulator' }]],
    ['', [...watching, ...pageRoutes(surfaces), ...routes.pages]],
  ])
}
