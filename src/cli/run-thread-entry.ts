/**
 * The thread that runs strategies, from its first line on. It begins to load what every run needs before it knows what
 * to run.
 *
 * Invariant: the port is taken out of the reach of others before any code of theirs is loaded.
 */
import { workerData, type MessagePort } from 'node:worker_threads'
import { withIo } from './cli-io.ts'
import { processIo } from './process-io.ts'
import { shareHeartbeat } from '../runtime/heartbeat.ts'
import { saveCode } from '../runtime/modules/save-code.ts'
import type { ThreadData, ThreadJob, ThreadMessage } from './thread/thread-messages.ts'
import { directOutput, startHeartbeat } from './thread/thread-messages.ts'
import { boundsThreadFor } from './thread/bounds-thread.ts'

const data = workerData as ThreadData
const { port } = data
delete data.port
if (port !== undefined) void work(port)

async function work(own: MessagePort): Promise<void> {
  const post = own.postMessage.bind(own)
  const report = (message: ThreadMessage): void => {
    post(message)
  }
  // Before anything that looks whether they are a terminal.
  directOutput('stdout', data.stdout)
  directOutput('stderr', data.stderr)
  shareHeartbeat(data.memory, 0, (who) => {
    report({ type: 'working', who })
  })
  const job = new Promise<ThreadJob>((resolve) => own.once('message', resolve))
  startHeartbeat()
  const { runJob } = await import('./run-job.ts')
  const given = await job
  process.on('beforeExit', () => {
    report({ type: 'idle' })
  })
  await withIo(process.argv.slice(2), processIo(), async () => {
    if (given.command === 'watch') {
      const { watchRuns } = await import('./backtest/watched-runs.ts')
      return await watchRuns(given, own, report)
    }
    const elsewhere = boundsThreadFor(given, data.memory)
    const shown = await runJob(given, elsewhere, report)
    saveCode()
    report({ type: 'done', shown })
    await elsewhere?.end()
  })
}
