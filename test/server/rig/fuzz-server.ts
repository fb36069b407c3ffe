/**
 * Any number of fuzzed requests and stream messages against a served market, and what came of them.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FuzzWorker, type FuzzRun } from './fuzz-worker.ts'
import { serveMarket } from './served-market.ts'

const WORKERS = 8
/** Before it the memory has not found its size. */
const WARM_UP = 0.25
/** From here on faults are planned as well. */
const WITH_FAULTS = 0.75

export interface FuzzResult {
  readonly sent: number
  readonly answersByStatus: ReadonlyMap<number, number>
  /** With the bytes that came before. */
  readonly failures: readonly string[]
  /** Megabytes that are reachable after a quarter of the requests, and at the end. */
  readonly heap: readonly [number, number]
  /** Megabytes of the process at the end. */
  readonly rss: number
}

/** @param onProgress  hears how many were sent, now and then */
export async function fuzzServer(
  { requests, seed }: { readonly requests: number; readonly seed: number },
  onProgress: (sent: number) => void = () => undefined,
): Promise<FuzzResult> {
  // Most messages are bad, and their budget has tests of its own.
  const served = await serveMarket({ wire: { streams: { badMessages: Number.POSITIVE_INFINITY } } })
  const users = [await served.user(FUNDS), await served.user(FUNDS), await served.user(FUNDS)]
  const run: FuzzRun = {
    port: served.port,
    streamUrl: served.server.streamUrl,
    known: { keys: users.map(({ key }) => key), users: users.map(({ id }) => id), hasFaults: false },
    excuses: 0,
    sent: 0,
    answersByStatus: new Map(),
    failures: [],
  }
  const workers = Array.from({ length: WORKERS }, (_, index) => new FuzzWorker(run, (seed + index) | 0))
  const progress = setInterval(() => {
    onProgress(run.sent)
  }, 500)
  const workTo = (share: number): Promise<unknown> =>
    Promise.all(workers.map((worker) => worker.work(requests * share)))
  await workTo(WARM_UP)
  const before = heapMegabytes()
  await workTo(WITH_FAULTS)
  run.known = { ...run.known, hasFaults: true }
  await workTo(1)
  const after = heapMegabytes()
  clearInterval(progress)
  const failures = [...run.failures, ...served.errors.map((error) => `internal error: ${String(error)}`)]
  await served.call('DELETE', '/emulator/faults')
  const { body } = await served.call('GET', '/emulator/audit')
  if (!(body as { ok: boolean }).ok) failures.push(`the audit does not add up: ${JSON.stringify(body)}`)
  await served.server.close()
  const rss = process.memoryUsage().rss / 2 ** 20
  return { sent: run.sent, answersByStatus: run.answersByStatus, failures, heap: [before, after], rss }
}

const FUNDS = { USD: '10000000', BTC: '100000', ETH: '100000' }

/** Megabytes that are left when everything else has been collected. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
