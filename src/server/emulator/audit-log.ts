/**
 * The audit log of an emulator: a file of JSON lines, one per recorded request.
 *
 * Invariants: a line is in the file before its request is answered, so a killed process loses none; after a power loss
 * the last ones can be missing. A file that was moved or removed is opened again, so that others can rotate it. A full
 * disk stops no request: it is reported once, and the number of lost lines is recorded when there is room again.
 */
import { closeSync, openSync, fstatSync, statSync, writeSync } from 'node:fs'
import { asWriteFault, fileRemedy } from '../../domain/write-fault.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { isoTime } from '../../domain/time.ts'
import type { AuditEvent } from '../http/audit-event.ts'
import { MACHINE_CLOCK } from '../service/machine-clock.ts'

export class AuditLog<Event extends object = AuditEvent> {
  readonly #file: string
  readonly #onNotice: (message: string) => void
  #descriptor: number | undefined
  #isClosed = false
  #lost = 0
  /** True if the last line of the file is incomplete. */
  #isTorn = false

  /** @throws {InputError} if the file cannot be written */
  constructor(file: string, onNotice: (message: string) => void) {
    this.#file = file
    this.#onNotice = onNotice
    try {
      this.#descriptor = openForLines(file)
    } catch (error) {
      throw asWriteFault(file, error)
    }
  }

  /** @returns false if the line is lost */
  readonly record = (event: Event): boolean => {
    if (this.#isClosed) return false
    const time = isoTime(MACHINE_CLOCK.now())
    try {
      this.#openAgain()
      if (this.#isTorn) this.#write('\n')
      if (this.#lost > 0) this.#write(lineOf({ time, event: 'lost', lines: this.#lost }))
      this.#lost = 0
      this.#write(lineOf({ time, ...event }))
      return true
    } catch (error) {
      if (this.#lost === 0) {
        const reason = `${thrownText(error)}${fileRemedy(error)}`
        this.#onNotice(
          `the audit log ${this.#file} cannot be written (${reason}); nothing is recorded until that works again`,
        )
      }
      this.#lost += 1
      return false
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closeFile()
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Opens the file again if another process has moved or removed it. */
  #openAgain(): void {
    const present = statSync(this.#file, { throwIfNoEntry: false })
    if (this.#descriptor !== undefined && present?.ino === fstatSync(this.#descriptor).ino) return
    this.#closeFile()
    this.#descriptor = openForLines(this.#file)
    this.#isTorn = false
  }

  #write(text: string): void {
    if (this.#descriptor === undefined) return
    const bytes = Buffer.from(text)
    let written = 0
    while (written < bytes.length) {
      written += writeSync(this.#descriptor, bytes, written)
      this.#isTorn = written < bytes.length
    }
  }
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** Readable only by its owner, because it has addresses. */
const openForLines = (file: string): number => openSync(file, 'a', 0o600)
