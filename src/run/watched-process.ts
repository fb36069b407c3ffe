/**
 * A process of its own, as its parent watches it.
 *
 * Invariant: whatever the process does, its parent goes on. The parent reads a few small messages, kills a process that
 * does not respond, and receives the reason of an early end once.
 */
import type { ChildProcess } from 'node:child_process'
import { thrownText } from '../domain/thrown-text.ts'
import { exitText, forkEntry } from './child-process.ts'

/** V8 ends a process without memory by one of these. */
const ABORTS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL'])

export interface WatchedOptions {
  /** Descriptor of the file that gets what it prints. */
  readonly output: number
  /** Heap in MB; default: that of Node. */
  readonly heapMb?: number | undefined
}

export interface WatchedListener<Message> {
  readonly onMessage: (message: Message) => void
  /** It ended early, with the reason. Called once, and never after `end` or `kill`. */
  readonly onLost: (why: string) => void
}

/** `Command` is what it receives, `Message` what it sends. */
export class WatchedProcess<Command extends object, Message> {
  readonly #child: ChildProcess
  readonly #listener: WatchedListener<Message>
  #isOver = false
  #silentS = 0

  /**
   * @param url  of the script to run
   * @throws if it cannot be started
   */
  constructor(url: string, { output, heapMb }: WatchedOptions, listener: WatchedListener<Message>) {
    this.#listener = listener
    this.#child = forkEntry(url, output, heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`])
    this.#child.on('message', (message: Message) => {
      this.#silentS = 0
      if (!this.#isOver) listener.onMessage(message)
    })
    this.#child.once('error', (error) => {
      this.lose(thrownText(error))
    })
    this.#child.once('exit', (code, signal) => {
      const isFull = heapMb !== undefined && ABORTS.has(signal)
      this.lose(isFull ? `it ran out of memory at ${heapMb} MB` : exitText(code, signal))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Call once a second. @param maxSilentS  seconds without a message that count as an endless loop */
  look(maxSilentS: number): void {
    this.#silentS += 1
    if (this.#silentS > maxSilentS) this.lose(`it did not respond for ${maxSilentS} s`)
  }

  send(message: Command): void {
    if (this.#isOver) return
    try {
      this.#child.send(message, () => undefined)
    } catch (error) {
      // A program may pass values that no message can have.
      this.lose(thrownText(error))
    }
  }

  /** Kills it for a reason. */
  lose(why: string): void {
    if (this.#isOver) return
    this.kill()
    this.#listener.onLost(why)
  }

  /** Ends it without a word if it still runs. */
  kill(): void {
    if (this.#isOver) return
    this.end()
    this.#child.kill('SIGKILL')
  }

  /** Its work is done: it ends when it is disconnected. */
  end(): void {
    this.#isOver = true
    if (this.#child.connected) this.#child.disconnect()
  }
}
