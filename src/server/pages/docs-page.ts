/** HTML pages of the server: index and API documentation. Self-contained: they load nothing. */
import { plainPageHeaders } from '../window/page-files.ts'
import { JsonShapes, isBodyless, type Json } from '../service/json-shapes.ts'
import { errorsOf } from '../service/route-errors.ts'
import type { Route } from '../service/route.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

/** A group of routes with the address of its OpenAPI document. */
export interface Surface {
  readonly title: string
  readonly prefix: string
  readonly documentUrl: string
  readonly routes: readonly Route[]
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'pre,.wide{overflow:auto}pre{background:#f4f4f4;padding:.7rem}h3,li,code,p{overflow-wrap:anywhere}' +
  'td,th{text-align:left;padding:.1rem 1rem .1rem 0;vertical-align:top}td{overflow-wrap:normal}' +
  'h3{margin-top:2.5rem}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}pre{background:#222}a{color:#8bf}}'

/** Headers of these pages. */
export const DOCS_HEADERS = plainPageHeaders(STYLE)

export function docsPage(surfaces: readonly Surface[]): string {
  const shapes = new JsonShapes()
  const parts = surfaces.map((surface) => surfaceHtml(surface, shapes))
  const schemas = Object.entries(shapes.named).map(
    ([name, shape]) => `<h3 id="schema-${escaped(name)}">${escaped(name)}</h3>${json(shape as Json)}`,
  )
  return page('Every call', [...parts, '<h2>Schemas</h2>', ...schemas].join('\n'))
}

/** Index page for browsers. */
export function indexPage(surfaces: readonly Surface[]): string {
  const links = [
    ['/window', 'a live view of markets, orders, accounts, faults and the clock'],
    ['/docs', 'every call, with its parameters and responses'],
    ...surfaces.map(({ documentUrl, title }) => [documentUrl, `${title}: OpenAPI`]),
    ['/health', 'whether the server is working'],
    ['/metrics', 'counts and times of orders, streams and refusals, for Prometheus'],
  ].map(([href = '', text = '']) => `<li><a href="${href}">${href}</a>: ${escaped(text)}</li>`)
  const streams = 'Streams are at <code>/v1/ws</code>, the calls of the service under <code>/v1</code>.'
  return page('papertape serve', `<p>A simulated trading service.</p><ul>${links.join('')}</ul><p>${streams}</p>`)
}

function page(title: string, body: string): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escaped(title)}</h1>`,
    body,
    '</main></body></html>\n',
  ].join('\n')
}

function surfaceHtml({ title, prefix, documentUrl, routes }: Surface, shapes: JsonShapes): string {
  const links = routes.map((route) => `<li><a href="#${route.operationId}">${nameOf(prefix, route)}</a></li>`)
  return [
    `<h2>${escaped(title)}</h2><p>As OpenAPI: <a href="${documentUrl}">${documentUrl}</a></p><ul>${links.join('')}</ul>`,
    ...routes.map((route) => routeHtml(prefix, route, shapes)),
  ].join('\n')
}

function routeHtml(prefix: string, route: Route, shapes: JsonShapes): string {
  const { operationId, summary, description = '', access, query = {}, body, answer, status } = route
  const rows = Object.entries(query).map(([name, schema]) => {
    const { description: meaning, ...shape } = shapes.of(schema, 'input')
    return `<tr><td><code>${name}</code></td><td>${escaped(typeof meaning === 'string' ? meaning : '')}</td><td><code>${linked(JSON.stringify(shape))}</code></td></tr>`
  })
  const errors = Array.from(errorsOf(route), ([code, codes]) => `<tr><td>${code}</td><td>${codes.join(', ')}</td></tr>`)
  return [
    `<h3 id="${operationId}"><code>${nameOf(prefix, route)}</code></h3>`,
    `<p>${escaped(`${summary}. ${description}`)} Access: <code>${access}</code>.</p>`,
    rows.length === 0 ? '' : `<p>Query</p>${table(rows)}`,
    body === undefined ? '' : `<p>Body</p>${json(shapes.of(body, 'input'))}`,
    `<p>Answer ${status}</p>${isBodyless(answer) ? '' : json(shapes.of(answer, 'output'))}`,
    `<details><summary>Errors</summary>${table(errors)}</details>`,
  ].join('')
}

const nameOf = (prefix: string, { method, path }: Route): string => `${method} ${prefix}${escaped(path)}`

/** Scrolls by itself where it is wider than the screen, by the keys as well. */
const table = (rows: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table>${rows.join('')}</table></div>`

const json = (shape: Json): string => `<pre tabindex="0">${linked(JSON.stringify(shape, undefined, 2))}</pre>`

/** Turns references to schemas into links within the page. */
const linked = (text: string): string =>
  escaped(text).replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$1</a>')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
