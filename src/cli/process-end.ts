/**
 * The end of the process: not before a command is done, whatever user code does, and then immediately, whatever it has
 * left running.
 */
import { writeSync } from 'node:fs'
import { EXIT } from './exit-code.ts'

const STDERR = 2

/** Does what runs code of others. Should the process end meanwhile, it says so, and never exits with 0. */
export async function notBeforeDone(work: () => Promise<number>): Promise<number> {
  // Node would silently exit if nothing is left to wait for.
  const onBeforeExit = (): void => {
    report('papertape: ended early: a promise that it waits for never settles')
    process.exit(EXIT.failed)
  }
  const onExit = (code: number): void => {
    if (code !== 0) return
    report('papertape: ended early: process.exit() was called')
    process.exitCode = EXIT.failed
  }
  process.on('beforeExit', onBeforeExit)
  process.on('exit', onExit)
  try {
    return await work()
  } finally {
    process.off('beforeExit', onBeforeExit)
    process.off('exit', onExit)
  }
}

/** True for commands that continue without their output. */
let outlivesOutput = false
let isLossReported = false

/** A closed pipe is not an error, as in `papertape ... | head`; other output errors are. */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (outlivesOutput) reportLoss(error)
    else if (error.code !== 'EPIPE') {
      report(`papertape: stdout: cannot be written (${error.message})`)
      process.exit(EXIT.input)
    }
  })
  // There is no other place to report it.
  process.stderr.on('error', () => undefined)
}

/**
 * From now on lost output is reported and ends nothing: for commands that go on in real time, some of them with orders.
 */
export function outliveOutput(): void {
  outlivesOutput = true
}

function reportLoss({ message }: Error): void {
  if (isLossReported) return
  isLossReported = true
  report(
    `papertape: stdout: cannot be written (${message}); the command continues, but its output is lost until stdout works again`,
  )
}

/** Ends the process after its output is flushed, regardless of timers and threads of a strategy. */
export async function leave(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      if (stream.destroyed) resolve()
      else stream.write('', () => resolve())
    })
  }
  process.exit()
}

/** Writes directly, because the stream may have failed and the process may be ending. */
export function report(text: string): void {
  try {
    writeSync(STDERR, `${text}\n`)
  } catch {
    // There is no other place to report it.
  }
}
