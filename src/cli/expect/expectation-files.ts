/**
 * The two files of an expectation in `expect/`: NAME.json, and the journal of its run, with which the first difference
 * is found. Both belong into version control.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { type Expectation, expectationText, readExpectation } from '../../report/expectation/expectation.ts'
import type { ComparedRun } from '../../report/run-difference/run-trace.ts'
import { readComparedRun } from '../../run/compared-run-files.ts'

const FOLDER = 'expect'
const NAME = /^[\w][\w.-]*$/
/** Position of the operating system in a gzip header, which is left unknown: the same bytes everywhere. */
const OS_AT = 9
const UNKNOWN_OS = 255

export class ExpectationFiles {
  readonly name: string
  readonly #folder = FOLDER

  /** @throws {InputError} for a name that is no file name */
  constructor(name: string) {
    if (!NAME.test(name) || name === 'save')
      throw new InputError('expect', `expected a name of letters, digits, - and _, got '${name}'`)
    this.name = name
  }

  /** @throws {InputError} without any */
  static all(): readonly ExpectationFiles[] {
    const names = namesIn(FOLDER)
    if (names.length > 0) return names.map((name) => new ExpectationFiles(name))
    throw new InputError(`${FOLDER}/`, 'has no expectations: save one with papertape expect save NAME -- backtest ...')
  }

  get path(): string {
    return join(this.#folder, `${this.name}.json`)
  }

  get #journal(): string {
    return join(this.#folder, `${this.name}.journal.gz`)
  }

  /** Message in place of the first difference. */
  get withoutJournal(): string {
    return `the first difference is unknown, because there is no ${this.#journal}`
  }

  /** @throws {InputError} naming the line of a fault */
  read(): Expectation {
    if (existsSync(this.path)) return readExpectation(this.path, readFileSync(this.path, 'utf8'))
    throw new InputError(this.path, `no such expectation${nearestNameHint(this.name, namesIn(this.#folder))}`)
  }

  write(expectation: Expectation, journal: Buffer): void {
    try {
      mkdirSync(this.#folder, { recursive: true })
      const packed = gzipSync(journal)
      packed[OS_AT] = UNKNOWN_OS
      writeFileSync(this.#journal, packed)
      writeFileSync(this.path, expectationText(expectation))
    } catch (error) {
      throw writeFault(this.path, 'cannot be written', error)
    }
  }

  /** The saved run, for a comparison; without its journal its trace has no head. @param folder  to unpack it in */
  unpacked(expectation: Expectation, folder: string): ComparedRun {
    const directory = join(folder, 'saved')
    mkdirSync(directory)
    writeFileSync(join(directory, 'run.json'), JSON.stringify(expectation))
    writeFileSync(join(directory, 'journal.jsonl'), existsSync(this.#journal) ? this.#unzipped() : '')
    return readComparedRun(directory)
  }

  #unzipped(): Buffer {
    try {
      return gunzipSync(readFileSync(this.#journal))
    } catch (error) {
      throw new InputError(this.#journal, 'is damaged: restore it, or delete it', { cause: error })
    }
  }
}

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder)
        .flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
        .sort()
    : []
