/** The streams, the environment, the signals and the end of this process. */
import type { CliIo } from './cli-io.ts'
import { notBeforeDone, outliveOutput, report } from './process-end.ts'

/** Read when it is made: a stream of a thread may be another later. */
export const processIo = (): CliIo => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  life: {
    pid: process.pid,
    onSignal: (signal, listener) => {
      process.on(signal, listener)
    },
    offSignal: (signal, listener) => {
      process.off(signal, listener)
    },
    raise: (signal) => {
      process.kill(process.pid, signal)
    },
    onCrash: (listener) => {
      process.once('uncaughtExceptionMonitor', listener)
      return () => {
        process.off('uncaughtExceptionMonitor', listener)
      }
    },
    report,
    outliveOutput,
    notBeforeDone,
    endWithin: (ms, code) => {
      setTimeout(() => process.exit(code), ms).unref()
    },
  },
  runStrategy: async (job, onShown) => {
    const { inRunThread } = await import('./thread/run-thread.ts')
    return await inRunThread(job, onShown)
  },
})
