/**
 * A lock on a recording, held by one process at a time, until that process ends in any way: a folder next to the
 * recording.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { FolderLock, type HeldLock } from '../locks/folder-lock.ts'
import { writeFault } from '../../domain/write-fault.ts'

export interface RecordingLock {
  release(): void
}

/**
 * @param file  for errors: the recording
 * @param path  of the folder
 * @throws {InputError} when the recording is under way already
 */
export function lockRecording(file: string, path = `${file}.lock`): RecordingLock {
  const taken = takeLock(file, path)
  if (taken instanceof FolderLock) return taken
  const message = taken.isSeen
    ? 'is being recorded by another process'
    : `is locked by a recording in another container or on another machine: if it has ended, delete '${join(path, 'lock')}'`
  throw new InputError(file, message)
}

function takeLock(file: string, path: string): FolderLock | HeldLock {
  try {
    return FolderLock.take(path, { make: () => mkdirSync(path, { recursive: true }), waitMs: 0 })
  } catch (error) {
    throw writeFault(file, `cannot be locked with ${path}`, error)
  }
}
