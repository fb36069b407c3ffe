/**
 * The thread that runs strategies, from its first line on.
 *
 * Invariant: the port is taken out of the reach of others before any code of theirs is loaded.
 */
import { workerData, type MessagePort } from 'node:worker_threads'
import { withIo, type CliIo } from './cli-io.ts'
import { processIo } from './process-io.ts'
import { shareHeartbeat } from '../runtime/heartbeat.ts'
import { saveCode } from '../runtime/modules/save-code.ts'
import type { Shown, SingleJob, ThreadData, ThreadJob, ThreadMessage } from './thread/thread-messages.ts'
import { directOutput, startHeartbeat } from './thread/thread-messages.ts'
import { boundsThreadFor } from './thread/bounds-thread.ts'

const data = workerData as ThreadData
const { port } = data
delete data.port
if (port !== undefined) void work(port)

async function work(ownPort: MessagePort): Promise<void> {
  const post = ownPort.postMessage.bind(ownPort)
  const report = (message: ThreadMessage): void => {
    post(message)
  }
  // Before anything that looks whether they are a terminal.
  directOutput('stdout', data.stdout)
  directOutput('stderr', data.stderr)
  shareHeartbeat(data.memory, 0, (who) => {
    report({ type: 'working', who })
  })
  const job = new Promise<ThreadJob>((resolve) => ownPort.once('message', resolve))
  startHeartbeat()
  const given = await job
  process.on('beforeExit', () => {
    report({ type: 'idle' })
  })
  const run = async (single: SingleJob): Promise<Shown> => {
    const { runJob } = await import('./run-job.ts')
    const elsewhere = boundsThreadFor(single, data.memory)
    try {
      return await runJob(single, elsewhere, report)
    } finally {
      void elsewhere?.end()
    }
  }
  const args = process.argv.slice(2)
  const own = processIo()
  if (given.command === 'watch') {
    const { watchRuns } = await import('./backtest/watched-runs.ts')
    return await withIo(args, own, () => watchRuns(given, ownPort, report))
  }
  const shown = given.command === 'line' ? await shownOfLine(args, own, run) : await withIo(args, own, () => run(given))
  saveCode()
  report({ type: 'done', shown })
}

/** Parses the command line, and runs it. A usage error is printed here. */
async function shownOfLine(
  args: readonly string[],
  own: CliIo,
  run: (job: SingleJob) => Promise<Shown>,
): Promise<Shown> {
  const { main } = await import('./command-line.ts')
  let shown: Shown | undefined
  const runStrategy = async (job: SingleJob): Promise<number> => {
    shown = await run(job)
    return shown.code
  }
  const code = await main(args, { ...own, runStrategy })
  return shown ?? { code, stdout: '', stderr: '' }
}
