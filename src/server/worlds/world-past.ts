/**
 * The past of a world with a state, in a folder next to it: parts, each with the world at its start and a journal of
 * everything since.
 *
 * The journal is written within a tenth of a second, without waiting for the disk: after a power loss its end may be
 * missing here, though not in the state. A part whose end is torn is read up to there. Invariant: nothing here can
 * fail a request; after a failed write the past ends, and its reason is known.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import { thrownText } from '../../domain/thrown-text.ts'
import { writeWhole } from '../../store/whole-file.ts'
import { worldFileText } from './world-file.ts'
import { readWorld } from './world-shelf.ts'
import type { WorldSnapshot } from './world-snapshot.ts'
import type { PastStretch } from './worlds.ts'

/** A line of the journal: market time, secrets drawn so far, and what happened. */
export type PastLine = readonly [
  time: number,
  drawn: number,
  entry: { readonly type: string; readonly account?: string },
]

const LONGEST_WAIT_MS = 100
const MAX_BUFFERED = 64 * 1024
/** Lines after which another part begins, so that no replay is long. */
const MAX_LINES = 100_000
/** Bytes of all parts; older ones are removed. */
const MAX_BYTES = 256 * 1024 * 1024
const WORLD_FILE = /^((\d{6,})-(\d+))\.world\.json$/
/** A compressed journal has the time of its end in its name. Until it is whole, that of its process and `.new`. */
const COMPRESSED = /^(\d{6,}-\d+)-(\d+)\.jsonl\.gz$/
const UNFINISHED = /\.jsonl-(\d+)-\d+\.new$/
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

interface Part {
  readonly number: number
  readonly from: number
  readonly world: string
  /** Path, not compressed. */
  readonly journal: string
  readonly compressed: { readonly path: string; readonly to: number } | undefined
}

interface OpenPart extends Part {
  readonly descriptor: number
}

export class WorldPast {
  readonly #folder: string
  #isNew: boolean
  #open: OpenPart | undefined
  #lines = 0
  #lastTime = 0
  #lastDrawn = 0
  #buffer: string[] = []
  #buffered = 0
  #timer: NodeJS.Timeout | undefined
  #fault: string | undefined
  /** Undefined while nothing is compressed. */
  #compressing: Promise<void> | undefined
  readonly #stop = new AbortController()

  /** @param isNew  true for the past of a new world: another one in the folder is put away */
  constructor(folder: string, isNew: boolean) {
    this.#folder = folder
    this.#isNew = isNew
  }

  /** Why there is no more of it; undefined if there is. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** True if a part is so long that another should begin. */
  get isLong(): boolean {
    return this.#lines >= MAX_LINES
  }

  /** Begins another part. @param present  takes a snapshot of the world */
  begin(present: () => WorldSnapshot): void {
    this.#attempt(() => {
      const world = present()
      if (this.#isNew) putAway(this.#folder)
      this.#isNew = false
      this.#close()
      mkdirSync(this.#folder, { recursive: true, mode: PRIVATE_FOLDER })
      removeUnfinished(this.#folder)
      const part = this.#partOf((this.#parts().at(-1)?.number ?? 0) + 1, world.time, undefined)
      writeWhole(part.world, worldFileText(world), PRIVATE_FILE)
      this.#open = { ...part, descriptor: openSync(part.journal, 'w', PRIVATE_FILE) }
      this.#lines = 0
      this.#lastTime = world.time
      this.#lastDrawn = world.secrets?.drawn ?? 0
      this.#removeOld()
      this.#compressing ??= this.#compressOld().finally(() => {
        this.#compressing = undefined
      })
    })
  }

  /** @param entry  JSON */
  add(time: number, drawn: number, entry: string): void {
    if (this.#open === undefined) return
    const line = `[${time},${drawn},${entry}]\n`
    this.#buffer.push(line)
    this.#buffered += line.length
    this.#lines += 1
    this.#lastTime = time
    this.#lastDrawn = drawn
    if (this.#buffered >= MAX_BUFFERED) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), LONGEST_WAIT_MS).unref()
  }

  /** Every part, oldest first. */
  parts(): readonly PastStretch[] {
    this.#flush()
    return this.#parts().map((part) => ({ from: part.from, to: this.#endOf(part) }))
  }

  /**
   * World and journal of a part.
   *
   * @throws {InputError} naming a file that cannot be read
   */
  read(index: number): { readonly world: WorldSnapshot; readonly lines: readonly PastLine[] } | undefined {
    this.#flush()
    const part = this.#parts().at(index)
    return part && { world: readWorld(part.world), lines: linesOf(part) }
  }

  /** Ends the past at a time. Resolves when nothing is written any more. */
  async end(time: number): Promise<void> {
    this.add(Math.max(time, this.#lastTime), this.#lastDrawn, '{"type":"time"}')
    this.#attempt(() => {
      this.#close()
    })
    // What is not compressed yet stays as it is, until the next start.
    this.#stop.abort()
    await this.#compressing
  }

  #close(): void {
    this.#flush()
    const part = this.#open
    this.#open = undefined
    if (part !== undefined) closeSync(part.descriptor)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#buffer.join('')
    this.#buffer = []
    this.#buffered = 0
    const part = this.#open
    if (part === undefined || text === '') return
    this.#attempt(() => {
      let bytes = Buffer.from(text)
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(part.descriptor, bytes))
    })
  }

  #attempt(action: () => void): void {
    if (this.#fault !== undefined) return
    try {
      action()
    } catch (error) {
      this.#fault = thrownText(error)
      this.#open = undefined
    }
  }

  #parts(): readonly Part[] {
    const names = namesIn(this.#folder)
    const compressed = new Map(
      names.flatMap((name) => {
        const [, stem, to] = COMPRESSED.exec(name) ?? []
        return stem === undefined ? [] : [[stem, { path: join(this.#folder, name), to: Number(to) }]]
      }),
    )
    return names
      .flatMap((name) => {
        const [, stem = '', number, from] = WORLD_FILE.exec(name) ?? []
        return number === undefined ? [] : [this.#partOf(Number(number), Number(from), compressed.get(stem))]
      })
      .sort((a, b) => a.number - b.number)
  }

  #partOf(number: number, from: number, compressed: Part['compressed']): Part {
    const path = join(this.#folder, `${String(number).padStart(6, '0')}-${from}`)
    return { number, from, world: `${path}.world.json`, journal: `${path}.jsonl`, compressed }
  }

  #endOf(part: Part): number {
    if (part.number === this.#open?.number) return this.#lastTime
    return part.compressed?.to ?? endOf(part.journal) ?? part.from
  }

  async #compressOld(): Promise<void> {
    const { signal } = this.#stop
    for (const { number, from, journal } of this.#parts()) {
      if (signal.aborted) break
      const isOld = number !== this.#open?.number && existsSync(journal)
      if (isOld) await compress(journal, endOf(journal) ?? from, signal)
    }
  }

  #removeOld(): void {
    const parts = this.#parts().map((part) => ({
      part,
      bytes: sizeOf(part.world) + sizeOf(part.journal) + sizeOf(part.compressed?.path ?? ''),
    }))
    let bytes = parts.reduce((sum, each) => sum + each.bytes, 0)
    for (const { part, bytes: ofPart } of parts) {
      if (bytes <= MAX_BYTES || part.number === this.#open?.number) return
      // First the world: without it, a part is none.
      for (const path of [part.world, part.journal, part.compressed?.path]) {
        if (path !== undefined) rmSync(path, { force: true })
      }
      bytes -= ofPart
    }
  }
}

/** Gives the past of another world another name. */
function putAway(folder: string): void {
  if (namesIn(folder).length === 0) return
  let number = 1
  while (existsSync(`${folder}-old-${number}`)) number += 1
  renameSync(folder, `${folder}-old-${number}`)
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing has been written yet, or cannot be.
    return []
  }
}

/** Removes the files of processes that ended while they compressed. */
function removeUnfinished(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid] = UNFINISHED.exec(name) ?? []
    if (pid !== undefined && Number(pid) !== process.pid) rmSync(join(folder, name), { force: true })
  }
}

let compressions = 0

/**
 * Replaces a journal by a compressed one, a sixteenth as long. It stays as it is if that fails.
 *
 * Each compression writes a file of its own: what another server of the folder compresses at the same time must not be
 * put in place half.
 */
async function compress(file: string, to: number, signal: AbortSignal): Promise<void> {
  compressions += 1
  const unfinished = `${file}-${process.pid}-${compressions}.new`
  try {
    await pipeline(
      createReadStream(file),
      createGzip(),
      createWriteStream(unfinished, { mode: PRIVATE_FILE, flush: true }),
      { signal },
    )
    renameSync(unfinished, file.replace(/\.jsonl$/, `-${to}.jsonl.gz`))
    rmSync(file, { force: true })
  } catch {
    rmSync(unfinished, { force: true })
  }
}

/** Time of the last whole line; undefined if there is none. */
function endOf(journal: string): number | undefined {
  if (sizeOf(journal) === 0) return undefined
  const text = readFileSync(journal, 'utf8')
  const end = text.lastIndexOf('\n')
  return end < 0 ? undefined : lineOf(text.slice(text.lastIndexOf('\n', end - 1) + 1, end))[0]
}

const lineOf = (text: string): PastLine => JSON.parse(text) as PastLine

function textOf({ journal, compressed }: Part): string {
  if (existsSync(journal)) return readFileSync(journal, 'utf8')
  return compressed === undefined ? '' : gunzipSync(readFileSync(compressed.path)).toString()
}

/** Whole lines of a journal. */
function linesOf(part: Part): readonly PastLine[] {
  // After a kill the last one may be torn.
  return textOf(part).split('\n').slice(0, -1).map(lineOf)
}
