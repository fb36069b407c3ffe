/**
 * Cases that run the shipped command against the emulator through a hostile proxy.
 *
 * A case is one function. It gets a venue, a proxy and `start`; everything it starts is gone after it. The shortest
 * one:
 *
 *     const inCase = liveCases()
 *     it.concurrent('a lost stream connection', () => inCase({}, async ({ venue, proxy, start }) => {
 *       const session = start(RESTS)                       // strategy source, or a list of them
 *       await session.started()
 *       proxy.cutStreams()                                 // or: proxy.hooks = { onRequest: () => refusal(503, 'DOWN') }
 *       await session.until('connection lost')             // polls for two minutes; throws if the session ends
 *       expect(await session.stop('SIGTERM')).toBe(0)
 *       expect(await venue.openOrders()).toEqual([])
 *     }))
 *
 * `it.concurrent` runs two cases of a file at a time. Bundle first: `npm run bundle`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorConfigInput } from '../../../../src/server/emulator/emulator-config.ts'
import { HostileProxy } from './hostile-proxy.ts'
import { SessionProcess, type SessionOptions } from './session-process.ts'
import { Venue } from './venue.ts'

export interface CaseOptions {
  readonly config?: EmulatorConfigInput
  /** Price of the trade that is there before the session starts. */
  readonly lastPrice?: string
}

export interface LiveCase {
  readonly venue: Venue
  readonly proxy: HostileProxy
  readonly folder: string
  /**
   * Starts `papertape live` (or `paper`). All sessions of a case share one state directory unless they are given
   * another.
   */
  readonly start: (source: string | readonly string[], options?: Partial<SessionOptions>) => SessionProcess
}

export const LAST_PRICE = '42000.00'

const MAX_CASES_AT_ONCE = 2

export function liveCases(): (options: CaseOptions, body: (stage: LiveCase) => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let running = 0
  const take = async (): Promise<void> => {
    if (running < MAX_CASES_AT_ONCE) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const give = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (options, body) => {
    await take()
    try {
      await inCase(options, body)
    } finally {
      give()
    }
  }
}

async function inCase({ config, lastPrice }: CaseOptions, body: (stage: LiveCase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-live-'))
  const sessions: SessionProcess[] = []
  const venue = await Venue.start(config)
  const proxy = await HostileProxy.start(venue.emulator.baseUrl)
  const start: LiveCase['start'] = (source, options) => {
    const out = join(folder, `out-${sessions.length + 1}`)
    const strategies = [source].flat().map((text, index) => strategyFile(folder, text, `s${index + 1}`))
    const paths = { cwd: folder, state: join(folder, 'state'), out }
    const session = new SessionProcess({ strategies, url: proxy.url, key: venue.key, ...paths, ...options })
    sessions.push(session)
    return session
  }
  try {
    await venue.trade(lastPrice ?? LAST_PRICE)
    await body({ venue, proxy, folder, start })
  } finally {
    await Promise.all(sessions.map((session) => session.kill()))
    await proxy.close()
    await venue.close()
    rmSync(folder, { recursive: true })
  }
}

function strategyFile(folder: string, text: string, name: string): string {
  const directory = join(folder, 'strategies')
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${name}.ts`)
  writeFileSync(path, text)
  return path
}

/**
 * A strategy file around an expression of RxJS, whose context is `c`; its name is that of its file's directory of
 * results.
 */
export const strategyOf = (name: string, run: string, more = ''): string => `import { defineStrategy } from 'papertape'
import { concat, EMPTY, filter, first, ignoreElements, map, merge, mergeMap, NEVER, of, scan, skip, take, tap } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({ name: '${name}', params: z.object({}), ${more} run: (c) => ${run} })
`

/** Rests a limit buy far below the market at once. */
export const RESTS = strategyOf('rests', "concat(of(c.buyLimit('BTC_USD', '41000.00', '0.01')), NEVER)")

/** Logs `trade PRICE` at each trade and places nothing. */
export const WATCHES = strategyOf(
  'watches',
  "c.trades('BTC_USD').pipe(tap(({ price }) => c.log('trade ' + price.toFixed(2))), ignoreElements())",
)
