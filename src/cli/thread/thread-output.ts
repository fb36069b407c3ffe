/**
 * The streams stdout and stderr in the thread that runs strategies: what is written is out at once, in the order in which it was written,
 * and whoever writes more than is read waits.
 *
 * The streams that Node gives a thread hold everything in memory until both threads have time for it.
 */
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
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

const nobody = new Int32Array(new SharedArrayBuffer(4))

/** Puts such a stream in the place of the one that Node gave the thread. */
export function replaceOutput(name: 'stdout' | 'stderr', { isTTY, columns, rows }: TerminalSize): void {
  const descriptor = name === 'stdout' ? 1 : 2
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _, done) => {
      unwatched(() => writeAll(descriptor, chunk))
      done()
    },
  })
  // Elsewhere than on a terminal there is no such property.
  Object.assign(stream, { fd: descriptor }, isTTY && { isTTY, columns, rows })
  Object.defineProperty(process, name, { configurable: true, enumerable: true, writable: true, value: stream })
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
