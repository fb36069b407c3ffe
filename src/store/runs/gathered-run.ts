/**
 * The files of a run in memory, compressed as they come, for a store.
 *
 * Known limit: a file of more than 64 MiB when it is compressed, a journal of some hundred million characters, is left
 * out and named.
 */
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { invariant } from '../../domain/errors.ts'
import { REPORT_FILE, type RunFileName } from './run-file-names.ts'
import { sealedText, sealIn } from './run-seal.ts'
import type { ZippedFiles } from './run-store.ts'

const PIECE = 1 << 20
const MAX_BYTES = 64 << 20
/** Quick, and a journal is a tenth of itself by it. */
const LEVEL = 3

export interface FinishedRun {
  readonly id: string
  readonly files: ZippedFiles
  /** Names of files that are too large. */
  readonly left: readonly RunFileName[]
}

export class GatheredRun {
  readonly #filesByName = new Map<RunFileName, ZippedFile>()

  append(name: RunFileName, text: string): void {
    let file = this.#filesByName.get(name)
    if (file === undefined) this.#filesByName.set(name, (file = new ZippedFile()))
    file.append(text)
  }

  /** @param report  which is sealed, and is a file as the others are */
  finish(report: object): FinishedRun {
    const hashes = [...this.#filesByName].map(([name, file]) => [name, file.finish()] as const)
    const text = sealedText(report, Object.fromEntries(hashes))
    const id = sealIn(text)
    invariant(id !== undefined, 'a sealed report has a seal')
    this.append(REPORT_FILE, text)
    this.#filesByName.get(REPORT_FILE)?.finish()
    const files = [...this.#filesByName].map(([name, { bytes }]) => [name, bytes] as const)
    return {
      id,
      files: new Map(files.flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, bytes] as const]))),
      left: files.flatMap(([name, bytes]) => (bytes === undefined ? [name] : [])),
    }
  }
}

class ZippedFile {
  readonly #hash = createHash('sha256')
  #texts: string[] = []
  #length = 0
  #members: Buffer[] | undefined = []
  #size = 0

  /** Undefined for one that is too large. */
  get bytes(): Buffer | undefined {
    return this.#members && Buffer.concat(this.#members)
  }

  append(text: string): void {
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length >= PIECE) this.#flush()
  }

  /** @returns lower-case hex SHA-256 of the text */
  finish(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #flush(): void {
    const bytes = Buffer.from(this.#texts.join(''))
    this.#texts = []
    this.#length = 0
    this.#hash.update(bytes)
    if (this.#members === undefined) return
    const member = gzipSync(bytes, { level: LEVEL })
    this.#size += member.length
    this.#members.push(member)
    if (this.#size > MAX_BYTES) this.#members = undefined
  }
}

/** The text of a file; undefined for one that is not there. */
export function unzipped(files: ZippedFiles, name: RunFileName): string | undefined {
  const bytes = files.get(name)
  return bytes && gunzipSync(bytes).toString()
}
