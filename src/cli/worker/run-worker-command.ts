/**
 * `papertape worker`, once its flags are read.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { sweepWorker, type SweepWorkerEvent } from '../../run/sweep/machines/sweep-worker.ts'
import { MAX_WORKERS } from '../../run/sweep/thread-pool.ts'
import { integer } from '../../runtime/settings/form.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../flag-values.ts'
import { single, type FlagText } from '../option-values.ts'
import { givenRedisUrl } from '../redis-url.ts'
import { untilSignalled } from '../until-signalled.ts'
import { eventJson, WorkerOutput } from './worker-output.ts'

/**
 * Works until a signal, and finishes the running points; the second signal ends the process immediately.
 *
 * @returns the exit code
 */
export async function workUntilStopped(values: FlagValues): Promise<number> {
  const redis = givenRedisUrl(values)
  if (redis === undefined) throw new InputError('--redis', 'expected a URL such as redis://127.0.0.1:6379')
  const workers = single('--workers', values.workers as FlagText)
  const signal = untilSignalled()
  io.life.outliveOutput()
  const hear = listenerOf(values)
  const onStop = (): void => {
    if (values.json !== true && values.quiet !== true) {
      io.life.tell(
        'worker: stopping after the current points; press Ctrl-C again to quit now and leave them to other workers',
      )
    }
  }
  signal.addEventListener('abort', onStop, { once: true })
  await sweepWorker({
    redis,
    workers: workers === undefined ? undefined : integer(1, MAX_WORKERS).ofText(setting('workers'), workers),
    cache: single('--cache', values.cache as FlagText),
    packages: single('--packages', values.packages as FlagText),
    signal,
    onEvent: hear,
  })
  return EXIT.done
}

function listenerOf({ json, quiet }: FlagValues): (event: SweepWorkerEvent) => void {
  if (json === true) return (event) => void io.stdout.write(eventJson(event))
  const output = new WorkerOutput({
    write: (text) => void io.stdout.write(text),
    tell: (line) => {
      io.life.tell(line)
    },
    isQuiet: quiet === true,
    isTerminal: io.stdout.isTTY === true,
    clock: Date.now,
  })
  return (event) => {
    output.hear(event)
  }
}
