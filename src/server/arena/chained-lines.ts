/**
 * Lines of a journal that prove each other: `[ENTRY,"DIGEST"]`, with the SHA-256 of the digest before and the entry, in
 * base64url. A line that was changed, removed, added or moved breaks the chain at that line.
 *
 * Known limit: the owner of the file can write all lines again, with a valid chain. So the board shows the digest of
 * the last line while a season runs, for players to note.
 */
import { hash } from 'node:crypto'

const LINE = /^\[(\{.*\}),"([\w-]{43})"\]\n$/s

export class LineChain {
  /** Digest of the last line; empty before the first. */
  digest = ''
  lines = 0

  /** @param entry  JSON text @returns the next line, with its line feed */
  add(entry: string): string {
    this.digest = this.#next(entry)
    this.lines += 1
    return `[${entry},"${this.digest}"]\n`
  }

  /** @param line  with its line feed @returns its entry; undefined if it does not continue the chain */
  follow(line: string): string | undefined {
    const [, entry, digest] = LINE.exec(line) ?? []
    if (entry === undefined || digest !== this.#next(entry)) return undefined
    this.digest = digest
    this.lines += 1
    return entry
  }

  #next(entry: string): string {
    return hash('sha256', this.digest + entry, 'base64url')
  }
}
