/**
 * Bytes of a file for yauzl.
 *
 * Its own reader lets a place far behind the end of the file, which a damaged archive may name, end the process.
 */
import type { FileHandle } from 'node:fs/promises'
import type { RandomAccessReader } from 'yauzl'

type Reader = abstract new () => RandomAccessReader

/** @param Base  of yauzl, which is loaded only where there is an archive */
export function readerOf(Base: Reader, handle: FileHandle, size: number): RandomAccessReader {
  class FileReader extends Base {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      if (position + length > size) {
        callback(new Error('a place behind the end of the file'))
        return
      }
      handle.read(buffer, offset, length, position).then(
        ({ bytesRead }) => callback(bytesRead < length ? new Error('the file ends early') : null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      )
    }
  }
  return new FileReader()
}
