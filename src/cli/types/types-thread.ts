/**
 * Checks types in a thread of its own, so that neither a run nor Ctrl-C waits for TypeScript.
 *
 * Invariant: after a failure, such as a missing TypeScript, it says so once and checks nothing more.
 */
import { relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import { thrownText } from '../../domain/thrown-text.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import type { TypeFault } from './type-check.ts'

/**
 * A line for each, such as `mine.ts:3:7: Cannot find name 'clos'. Did you mean 'close'? (TS2552)`, and the innermost
 * reason.
 */
export const typeFaultsText = (faults: readonly TypeFault[]): string =>
  faults
    .map(({ file, line, column, code, message }) => {
      const [first = '', ...reasons] = message.split('\n').map((each) => printable(each.trim()))
      const head = `${printable(shortPath(file))}:${line}:${column}: ${first} (TS${code})\n`
      return [head, ...reasons.slice(-1).map((reason) => `  ${reason}\n`)].join('')
    })
    .join('')

/** From the folder of the process, unless that leads out of it. */
export function shortPath(file: string): string {
  const path = relative(io.cwd, file)
  return path === '' || path.startsWith('..') ? file : path
}

export interface TypesQuestion {
  readonly id: number
  /** Absolute paths. */
  readonly files: readonly string[]
}

export type TypesAnswer =
  { readonly id: number; readonly faults: readonly TypeFault[] } | { readonly id: number; readonly failure: string }

export class TypesThread {
  #worker: Worker | undefined
  #isOver = false
  #asked = 0
  #answer: (text: string) => void = () => undefined

  /**
   * @param files  absolute paths.
   * @returns lines to print; none for files without errors, or if a later call overtook this one
   */
  async check(files: readonly string[]): Promise<string> {
    this.#answer('')
    if (this.#isOver || files.length === 0) return ''
    this.#worker ??= this.#begun()
    this.#asked += 1
    this.#worker.postMessage({ id: this.#asked, files } satisfies TypesQuestion)
    return await new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  end(): void {
    this.#isOver = true
    this.#answer('')
    void this.#worker?.terminate()
  }

  #begun(): Worker {
    const entry = new URL(import.meta.url.replace(/types\/types-thread(\.[jt]s)$/, 'types-thread-entry$1'))
    const worker = new Worker(entry, { workerData: io.cwd })
    worker.unref()
    worker.on('message', (answer: TypesAnswer) => {
      if ('failure' in answer) this.#fail(answer.failure)
      else if (answer.id === this.#asked) this.#answer(typeFaultsText(answer.faults))
    })
    worker.on('error', (error) => this.#fail(`types: are not checked: ${thrownText(error)}`))
    return worker
  }

  #fail(text: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#answer(`${text}\n`)
    void this.#worker?.terminate()
  }
}
