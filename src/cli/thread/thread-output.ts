/**
 * stdout and stderr of the strategy thread: synchronous and in order; a writer blocks if the reader is slow.
 *
 * The streams that Node gives to a thread buffer everything until both threads are idle.
 */
import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setInterval } from 'node:timers'
import { heartbeat, unwatched } from '../../runtime/heartbeat.ts'

const BEAT_MS = 500

/**
 * Starts the heartbeat, which runs until the thread ends. It beats while a tape is waited for, which lets the event
 * loop turn, and stops for a strategy that never ends its turn. Not for loading, which must end by itself.
 */
export function startHeartbeat(): void {
  setInterval(() => {
    const pulse = heartbeat()
    if (pulse.stage !== 'loading') pulse.beat()
  }, BEAT_MS).unref()
}

/** Properties of the process's stream. */
export interface TerminalSize {
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly rows: number | undefined
}

export const terminalSize = ({ isTTY, columns, rows }: Partial<NodeJS.WriteStream>): TerminalSize => ({
  isTTY: isTTY === true,
  columns,
  rows,
})

const WAIT_MS = 2

let isMuted = false

/** Runs an action without output. */
export async function muted<T>(action: () => Promise<T>): Promise<T> {
  isMuted = true
  try {
    return await action()
  } finally {
    isMuted = false
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4))

type Output = 'stdout' | 'stderr'

/** Makes a stream of this thread write directly, with the properties of the terminal. */
export function directOutput(name: Output, { isTTY, columns, rows }: TerminalSize): void {
  const descriptor = name === 'stdout' ? 1 : 2
  writeBy(name, (bytes) => {
    if (!isMuted) unwatched(() => writeAll(descriptor, bytes))
  })
  // Without a terminal these properties are absent.
  Object.assign(process[name], { fd: descriptor }, isTTY && { isTTY, columns, rows })
}

/** Makes a stream of this thread discard its output. */
export function silenceOutput(name: Output): void {
  writeBy(name, () => undefined)
}

/** Patches Node's stream instead of replacing it, because a replaced stream ends the thread. */
function writeBy(name: Output, write: (bytes: Buffer) => void): void {
  const stream: Pick<Writable, '_write' | '_writev'> = process[name]
  const bytesOf = (chunk: Buffer | string, encoding: BufferEncoding): Buffer =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
  stream._write = (chunk: Buffer | string, encoding, done) => {
    write(bytesOf(chunk, encoding))
    done()
  }
  stream._writev = (chunks, done) => {
    for (const { chunk, encoding } of chunks) write(bytesOf(chunk as Buffer | string, encoding))
    done()
  }
}

/** Errors are ignored: printing the result will report the same. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(descriptor, bytes, from)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(neverNotified, 0, 0, WAIT_MS)
    }
  }
}
