/**
 * CSV of the skipped rows, next to the recording: line, reason and the original row.
 *
 * It gets its name when it is complete.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { BadRow } from '../../csv/bad-rows.ts'
import { writeFault } from '../../../domain/write-fault.ts'

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

export class RejectsFile {
  readonly path: string
  readonly #partial: string
  #descriptor: number | undefined

  /** @param path  of the file; nothing is made before the first row */
  constructor(path: string) {
    this.path = path
    this.#partial = `${path}.${process.pid}.partial`
  }

  /** @throws {InputError} when it cannot be written */
  add({ line, message, text }: BadRow): void {
    try {
      if (this.#descriptor === undefined) {
        this.#descriptor = openSync(this.#partial, 'w')
        writeSync(this.#descriptor, 'line,error,row\n')
      }
      writeSync(this.#descriptor, `${line},${quoted(message)},${quoted(text)}\n`)
    } catch (error) {
      throw writeFault(this.path, 'the rejected rows cannot be written', error)
    }
  }

  /** Gives it its name. @returns the path; undefined when nothing was rejected */
  finish(): string | undefined {
    if (this.#descriptor === undefined) return undefined
    closeSync(this.#descriptor)
    renameSync(this.#partial, this.path)
    return this.path
  }

  /** Removes the partial file. */
  abandon(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    rmSync(this.#partial, { force: true })
  }
}
