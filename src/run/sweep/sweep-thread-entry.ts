/**
 * A thread that runs points of a sweep, from its first line on.
 *
 * Invariant: the port is taken out of the reach of others before any code of theirs is loaded.
 */
import { workerData, type MessagePort } from 'node:worker_threads'
import { InputError } from '../../domain/errors.ts'
import { heartbeat, shareHeartbeat } from '../../runtime/heartbeat.ts'
import { saveCode } from '../../runtime/modules/save-code.ts'
import { openShared } from '../../store/tapes/shared-tape.ts'
import type { PointRunner } from './point-runner.ts'
import type { PointThreadData, SweepSetup, ThreadAnswer, ThreadRequest } from './sweep-thread.ts'

const data = workerData as PointThreadData
const { port } = data
delete data.port
if (port !== undefined) work(port)

function work(own: MessagePort): void {
  const post = own.postMessage.bind(own)
  shareHeartbeat(data.memory, 0, () => undefined)
  heartbeat().enter('waiting')
  let runner: PointRunner | undefined
  const answerTo = async (ask: ThreadRequest): Promise<ThreadAnswer> => {
    try {
      if (ask.type === 'run') {
        if (runner === undefined) throw new Error('a point before the thread was opened')
        return { type: 'done', outcome: await runner.run(ask.point) }
      }
      runner = await opened(ask.setup)
      return { type: 'opened', code: runner.code }
    } catch (error) {
      if (error instanceof InputError) return { type: 'refused', error: error.plain() }
      return { type: 'broken', text: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  own.on('message', (ask: ThreadRequest) => {
    void answerTo(ask).then((answer) => {
      post(answer)
      if (answer.type === 'done') saveCode()
    })
  })
}

async function opened({ settings, shared, ...recordings }: SweepSetup): Promise<PointRunner> {
  const { PointRunner } = await import('./point-runner.ts')
  const tapes = shared.map((tape) => tape && openShared(tape))
  return await PointRunner.open(settings, { ...recordings, tapes })
}
