/**
 * The streams stdout and stderr in the thread that runs strategies: what is written is out at once, in the order in
 * which it was written, and whoever writes more than is read waits.
 *
 * The streams that Node gives a thread hold everything in memory until both threads have time for it.
 */
import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { unwatched } from '../../runtime/heartbeat.ts'

/** As the stream of the process has it. */
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

/** Does something of which nothing is shown. */
export async function muted<T>(action: () => Promise<T>): Promise<T> {
  isMuted = true
  try {
    return await action()
  } finally {
    isMuted = false
  }
}

const nobody = new Int32Array(new SharedArrayBuffer(4))

type Output = 'stdout' | 'stderr'

/** Lets a stream of this thread write so, and say that it is such a terminal. */
export function directOutput(name: Output, { isTTY, columns, rows }: TerminalSize): void {
  const descriptor = name === 'stdout' ? 1 : 2
  writeBy(name, (bytes) => {
    if (!isMuted) unwatched(() => writeAll(descriptor, bytes))
  })
  // Elsewhere than on a terminal there is no such property.
  Object.assign(process[name], { fd: descriptor }, isTTY && { isTTY, columns, rows })
}

/** Lets a stream of this thread write nothing. */
export function silenceOutput(name: Output): void {
  writeBy(name, () => undefined)
}

/** The stream stays that of Node, which speaks to it in ways of its own: another in its place ends the thread. */
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

/** What cannot be written is lost here; who prints the result will meet the same. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(descriptor, bytes, from)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(nobody, 0, 0, WAIT_MS)
    }
  }
}
