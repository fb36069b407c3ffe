/** Routes at the root of a server: health, metrics, and pages for people. */
import { z } from 'zod'
import type { Route } from '../service/route.ts'
import { PAGE_HEADERS, pageFile, pageType } from '../window/page-files.ts'
import { DOCS_HEADERS, docsPage, indexPage, PAGE_TYPE, type Surface } from './docs-page.ts'
import { METRICS_TYPE } from '../http/metric-family.ts'
import { metricsText, type Measured } from './metrics-text.ts'

const healthSchema = z
  .strictObject({
    status: z.literal('ok'),
    now: z.int().meta({ description: 'the time of the market, Unix milliseconds' }),
  })
  .meta({ id: 'Health', examples: [{ status: 'ok', now: 1_735_689_600_000 }] })

/** @param measured  returns the present counters */
export function watchRoutes(measured: () => Measured): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      tag: 'Server',
      summary: 'whether requests are served; 503 after the engine has stopped and while the server stops',
      access: 'open',
      status: 200,
      answer: healthSchema,
      handle: ({ now }) => ({ status: 'ok', now }),
    },
    {
      method: 'GET',
      path: '/metrics',
      operationId: 'getMetrics',
      tag: 'Server',
      summary: 'metrics in the Prometheus text format',
      access: 'emulator',
      status: 200,
      contentType: METRICS_TYPE,
      answer: z.string(),
      handle: () => metricsText(measured()),
    },
  ]
}

/** Made when they are first asked for. */
export function pageRoutes(surfaces: readonly Surface[]): readonly Route[] {
  let docs: string | undefined
  return [
    {
      method: 'GET',
      path: '/',
      operationId: 'getIndex',
      tag: 'Server',
      summary: 'an index page with links to everything',
      access: 'open',
      status: 200,
      contentType: PAGE_TYPE,
      headers: DOCS_HEADERS,
      answer: z.string(),
      handle: () => indexPage(surfaces),
    },
    {
      method: 'GET',
      path: '/docs',
      operationId: 'getDocs',
      tag: 'Server',
      summary: 'a page that documents every call',
      access: 'open',
      status: 200,
      contentType: PAGE_TYPE,
      headers: DOCS_HEADERS,
      answer: z.string(),
      handle: () => (docs ??= docsPage(surfaces)),
    },
  ]
}

const windowRoute = (path: string, operationId: string, name: string, summary: string): Route => ({
  method: 'GET',
  path,
  operationId,
  tag: 'Server',
  summary,
  access: 'open',
  status: 200,
  contentType: pageType(name),
  headers: PAGE_HEADERS,
  answer: z.string(),
  handle: () => pageFile(name),
})

/** The window and what it is made of: it holds no secret, and asks for everything itself. */
export const WINDOW_ROUTES: readonly Route[] = [
  windowRoute('/window', 'getWindow', 'emulator.html', 'the window: the emulator in a browser'),
  windowRoute('/window/emulator.js', 'getWindowScript', 'emulator.js', 'script of the window'),
  windowRoute('/window/window.css', 'getWindowStyle', 'window.css', 'style sheet of the window'),
]
