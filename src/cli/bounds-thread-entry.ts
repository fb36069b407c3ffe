/**
 * The thread of bounding runs, from its first line on. It begins to load what every run needs before it knows what to
 * run.
 *
 * Nothing that its strategy prints is shown: the first run has shown it.
 */
import { workerData, type MessagePort } from 'node:worker_threads'
import { Heartbeat, shareHeartbeat } from '../runtime/heartbeat.ts'
import { consoleToStderr } from './console-to-stderr.ts'
import { saveCode } from '../runtime/modules/save-code.ts'
import type { BoundsAnswer, BoundsJob, BoundsThreadData } from './thread/bounds-thread.ts'
import { silenceOutput, startHeartbeat } from './thread/thread-messages.ts'

const data = workerData as BoundsThreadData
const { port } = data
delete data.port
if (port !== undefined) void work(port)

async function work(own: MessagePort): Promise<void> {
  const post = own.postMessage.bind(own)
  silenceOutput('stdout')
  silenceOutput('stderr')
  consoleToStderr(process.stderr, false)
  shareHeartbeat(data.memory, Heartbeat.BYTES, () => undefined)
  startHeartbeat()
  const { boundsRun } = await import('./bounds-run.ts')
  own.on('message', (job: BoundsJob) => {
    void boundsRun(job).then((run) => {
      post({ run } satisfies BoundsAnswer)
      saveCode()
    })
  })
}
