/**
 * A terminal of 20 columns and 3 rows that remembers what was written to it.
 */
import { EventEmitter } from 'node:events'
import type { Terminal } from '../../../../src/cli/live/live-output.ts'

export class FakeTerminal extends EventEmitter implements Terminal {
  readonly isTTY: boolean = true
  columns = 20
  rows = 3
  written = ''

  write(text: string): void {
    this.written += text
  }

  /** What was written since the last look. */
  look(): string {
    const { written } = this
    this.written = ''
    return written
  }
}
