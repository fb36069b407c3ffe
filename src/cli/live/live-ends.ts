/**
 * The ends of the sessions of `papertape live`: what is said of each, the page beside its files, the last line, and the exit code.
 */
import { isoTime } from '../../domain/time.ts'
import type { EndedSession, LiveResult } from '../../run/live-options.ts'
import { EXIT } from '../exit-code.ts'

export class LiveEnds {
  readonly #keepsOrders: boolean
  readonly #ended: EndedSession[] = []

  constructor(keepsOrders: boolean) {
    this.#keepsOrders = keepsOrders
  }

  /** @returns what is said of it */
  add(ended: EndedSession): { readonly exitCode: number; readonly message: string } {
    this.#ended.push(ended)
    return { exitCode: this.#exitCode(ended), message: endText(ended) }
  }

  exitCodeOf({ fault, halted }: LiveResult): number {
    const codes = this.#ended.map((ended) => this.#exitCode(ended))
    if (fault !== undefined || halted.length > 0 || codes.includes(EXIT.service)) return EXIT.service
    return codes.includes(EXIT.failed) ? EXIT.failed : EXIT.done
  }

  /** A page of each session, and a line that names what is left. It does nothing before the first session has ended. */
  async writeLast(note: (line: string) => void): Promise<void> {
    if (this.#ended.length === 0) return
    const { pageBeside } = await import('../page-beside.ts')
    for (const { directory } of this.#ended) {
      const fault = pageBeside(directory)
      if (fault !== '') note(fault.trimEnd())
    }
    if (this.#keepsOrders) return
    for (const { owner, left } of this.#ended) {
      if (left.length > 0) note(`papertape: ${owner}: ${leftText(left)}`)
    }
  }

  #exitCode({ report: { failure, live: facts }, left }: EndedSession): number {
    const isLeft = left.length > 0 && !this.#keepsOrders
    if (facts?.fault !== null || isLeft) return EXIT.service
    return failure === null ? EXIT.done : EXIT.failed
  }
}

const leftText = (left: readonly string[]): string =>
  `still open on the service: ${left.join(', ')}; start again with the same --state to take over, or close it on the service`

function endText({ directory, report, left }: EndedSession): string {
  const { failure } = report
  const files = `files: ${directory}`
  const last = left.length === 0 ? files : `${leftText(left)}; ${files}`
  if (failure === null) return last
  const where = failure.place === null ? '' : ` (${failure.place})`
  return `failed at ${isoTime(failure.time)}: ${failure.message}${where}; ${last}`
}
