/**
 * The end of the process: not before a command is done, whatever code of others does in it, and then at once, whatever
 * that has left.
 */
import { writeSync } from 'node:fs'
import { EXIT } from './exit-code.ts'

const STDERR = 2

/** Does what runs code of others. Should the process end meanwhile, it says so, and never exits with 0. */
export async function notBeforeDone(work: () => Promise<number>): Promise<number> {
  // Whoever waits for nothing that can still come would be ended by Node without a word.
  const onBeforeExit = (): void => {
    tell('papertape: ended early: a promise that it waits for never settles')
    process.exit(EXIT.failed)
  }
  const onExit = (code: number): void => {
    if (code !== 0) return
    tell('papertape: ended early: process.exit() was called')
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

/** The command goes on whatever becomes of its output. */
let outlivesOutput = false
let isLossReported = false

/** Output that nobody reads any more is no failure, as in `papertape ... | head`; output that is lost is one. */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (outlivesOutput) reportLoss(error)
    else if (error.code !== 'EPIPE') {
      tell(`papertape: stdout: cannot be written (${error.message})`)
      process.exit(EXIT.input)
    }
  })
  // Nobody is left to be told.
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
  tell(
    `papertape: stdout: cannot be written (${message}); the command continues, but its output is lost until stdout works again`,
  )
}

/** Ends the process once what was written is out. Timers and threads that a strategy left behind do not keep it. */
export async function leave(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      if (stream.destroyed) resolve()
      else stream.write('', () => resolve())
    })
  }
  process.exit()
}

/** Not by the stream: it may be what has failed, and the process may be at its end. */
export function tell(text: string): void {
  try {
    writeSync(STDERR, `${text}\n`)
  } catch {
    // Nobody is left to be told.
  }
}
