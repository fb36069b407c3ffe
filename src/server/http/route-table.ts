/**
 * The routes of a server, found by the method and target of a request (RFC 9112, 3.2).
 *
 * Segments are percent-decoded before they are compared, and case matters. A path that a route spells out wins over one
 * with a parameter in its place, and a parameter is never empty. A GET route answers HEAD as well.
 *
 * Complexity: one look-up for a target that a route spells out; otherwise linear in the routes with as many segments.
 */
import type { Method, Route } from '../service/route.ts'

export interface PlacedRoute {
  readonly route: Route
  /** Path with prefix and parameters, such as `/v1/orders/:orderId`. */
  readonly url: string
  /** Name for planned faults, such as `GET /orders`. */
  readonly name: string
}

export interface FoundRoute {
  readonly placed: PlacedRoute
  readonly params: Readonly<Record<string, string>>
  /** Query after the question mark, undecoded. */
  readonly query: string
}

export interface NoRoute {
  readonly placed: undefined
  /** Allowed methods of the path; empty for an unknown path, undefined for a malformed one. */
  readonly allowed: readonly string[] | undefined
}

/** All routes of one path. */
interface Place {
  readonly segments: readonly string[]
  readonly isSpelledOut: boolean
  readonly routes: Map<string, PlacedRoute>
}

const NO_PARAMS: Readonly<Record<string, string>> = {}
const MALFORMED: NoRoute = { placed: undefined, allowed: undefined }
const UNKNOWN: NoRoute = { placed: undefined, allowed: [] }

export class RouteTable {
  readonly #placesByLength = new Map<number, Place[]>()
  /** Routes without parameters by method and path, for targets that need no decoding. */
  readonly #spelledOut = new Map<string, Map<string, FoundRoute>>()

  /** @param routes  routes by prefix, such as `/v1` */
  constructor(routes: ReadonlyMap<string, readonly Route[]>) {
    for (const [prefix, each] of routes) for (const route of each) this.#add(prefix + route.path, route)
    for (const places of this.#placesByLength.values()) {
      places.sort((a, b) => Number(b.isSpelledOut) - Number(a.isSpelledOut))
    }
  }

  find(method: string, target: string): FoundRoute | NoRoute {
    return this.#spelledOut.get(method)?.get(target) ?? this.#search(method, target)
  }

  #search(method: string, target: string): FoundRoute | NoRoute {
    const local = originForm(target)
    if (typeof local !== 'string') return local
    const [path = '', query = ''] = splitOnce(local, local.search(/[?#]/))
    const segments = segmentsOf(path)
    if (segments === undefined) return MALFORMED
    const places = (this.#placesByLength.get(segments.length) ?? []).filter((place) => isAt(place, segments))
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const place of places) {
      const placed = place.routes.get(wanted)
      if (placed !== undefined) return { placed, params: paramsOf(place, segments), query }
    }
    return places.length === 0 ? UNKNOWN : { placed: undefined, allowed: methodsOf(places) }
  }

  #add(path: string, route: Route): void {
    const segments = path.split('/')
    const places = this.#placesByLength.get(segments.length) ?? []
    this.#placesByLength.set(segments.length, places)
    const isSpelledOut = !path.includes('{')
    let place = places.find((known) => known.segments.join('/') === path)
    if (place === undefined) places.push((place = { segments, isSpelledOut, routes: new Map() }))
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const placed = { route, url, name: `${route.method} ${route.path}` }
    place.routes.set(route.method, placed)
    if (!isSpelledOut) return
    const found = { placed, params: NO_PARAMS, query: '' }
    for (const method of answeredBy(route.method)) {
      const ofMethod = this.#spelledOut.get(method) ?? new Map<string, FoundRoute>()
      this.#spelledOut.set(method, ofMethod.set(path, found))
    }
  }
}

const answeredBy = (method: Method): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Distinct methods, with OPTIONS, which every path has. */
const methodsOf = (places: readonly Place[]): readonly string[] => [
  ...new Set(
    places.flatMap(({ routes }) => Array.from(routes.values(), ({ route }) => answeredBy(route.method)).flat()),
  ),
  'OPTIONS',
]

const isAt = ({ segments }: Place, asked: readonly string[]): boolean =>
  segments.every((segment, index) => segment === asked[index] || (segment.startsWith('{') && asked[index] !== ''))

function paramsOf({ segments, isSpelledOut }: Place, asked: readonly string[]): Readonly<Record<string, string>> {
  if (isSpelledOut) return NO_PARAMS
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    if (segment.startsWith('{') && asked[index] !== '') params[segment.slice(1, -1)] = asked[index] ?? ''
  }
  return params
}

const ABSOLUTE = /^https?:\/\/[^/?#]+([/?][^#]*)?$/i

/** Path and query of a target, which is a whole URL if it was meant for a proxy. */
function originForm(target: string): string | NoRoute {
  if (target.startsWith('/')) return target
  if (!/^https?:\/\//i.test(target)) return UNKNOWN
  const [whole, local = ''] = ABSOLUTE.exec(target) ?? []
  if (whole === undefined || !URL.canParse(target)) return MALFORMED
  return local.startsWith('/') ? local : `/${local}`
}

const splitOnce = (text: string, at: number): readonly string[] =>
  at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]

/** Undefined for a path with invalid percent-encoding. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
