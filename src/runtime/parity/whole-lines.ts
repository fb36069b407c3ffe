/**
 * Lines of a journal as texts that leave out nothing, so that those of two sessions can be laid beside each other.
 */
import { JournalReader } from '../journal/journal-reader.ts'

export class WholeLines {
  readonly #journal = new JournalReader()

  /** Call with every line of a journal, in their order. */
  whole(text: string): string {
    const line = this.#journal.read('a line of the journal', text)
    // The end has the balances, which reading it leaves out.
    return line === undefined || line.type === 'end' ? text : JSON.stringify(line)
  }
}
