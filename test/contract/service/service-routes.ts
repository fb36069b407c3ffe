/**
 * The route table of the service, and which of its rows an address belongs to.
 */
import { z } from 'zod'
import { ACCOUNT_ROUTES } from '../../../src/server/service/account-routes.ts'
import { emulatorRoutes } from '../../../src/server/served-routes.ts'
import { Faults } from '../../../src/server/faults/faults.ts'
import { MARKET_ROUTES } from '../../../src/server/service/market-routes.ts'
import { openApiRoute } from '../../../src/server/service/open-api.ts'
import { ORDER_ROUTES } from '../../../src/server/service/order-routes.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { standingTime } from '../../server/rig/standing-time.ts'

export const SERVICE_ROUTES: readonly Route[] = [...MARKET_ROUTES, ...ORDER_ROUTES, ...ACCOUNT_ROUTES]

/** Without the worlds of an emulator, which the service below it does not have. */
export const EMULATOR_ROUTES: readonly Route[] = emulatorRoutes({
  ...{ faults: new Faults([]), time: standingTime() },
  worlds: undefined,
})

const DESCRIPTION = openApiRoute(SERVICE_ROUTES)

export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Every route by the whole template of its path. */
const ALL: readonly (readonly [string, Route])[] = [
  ...[...SERVICE_ROUTES, DESCRIPTION].map((route) => [`/v1${route.path}`, route] as const),
  [`/emulator${DESCRIPTION.path}`, DESCRIPTION] as const,
  ...EMULATOR_ROUTES.map((route) => [`/emulator${route.path}`, route] as const),
]

const placeholders = (path: string): number => path.split('{').length

/** The route of a path as it is sent; undefined when there is none. */
export function routeOf(method: string, sent: string): Route | undefined {
  const path = sent.replace(/^https?:\/\/[^/]*/, '').replace(/\?.*$/s, '')
  const found = ALL.filter(([template, route]) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return route.method === method && pattern.test(path)
  })
  return found.sort(([left], [right]) => placeholders(left) - placeholders(right))[0]?.[1]
}

/** Of an answer without a body. */
export const isBodyless = (route: Route): boolean => route.answer instanceof z.ZodUndefined
