/** Space on a disk that a process shares with a running session. */
import { statfsSync } from 'node:fs'
import { InputError } from '../domain/errors.ts'

const MEGABYTE = 1_000_000

/** @param bytes  that must be free where the folder is. @throws {InputError} if fewer are */
export function checkFreeSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  const [needed, found] = [bytes, free].map((each) => Math.ceil(each / MEGABYTE))
  throw new InputError(folder, `${needed} MB are needed for temporary files, and ${found} MB are free`)
}
