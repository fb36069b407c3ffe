/**
 * Runs strategies in a separate thread with a watchdog: whatever a strategy does, a signal ends the process
 * immediately, an endless turn is terminated, and a broken run leaves no files.
 *
 * Known limit: a blocking system call, such as a child process that a strategy waits for, ends only with the process.
 */
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { isoTime } from '../../domain/time.ts'
import { Heartbeat } from '../../runtime/heartbeat.ts'
import type { WrittenPlace } from '../../store/runs/pending-runs.ts'
import { REPORT_FILE } from '../../store/runs/run-file-names.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../process-end.ts'
import type {
  LineJob,
  Shown,
  SingleJob,
  ThreadData,
  ThreadJob,
  ThreadMessage,
  WatchedRound,
} from './thread-messages.ts'
import { EXIT_TEXT, threadFaultText, workText } from '../../runtime/thread-text.ts'
import { terminalSize } from './thread-messages.ts'
import { DEFAULT_TURN_LIMIT, NOTICE_SECONDS, TurnWatch, type TurnLimit } from '../../runtime/turn-watch.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const LOOK_MS = 1000
/** Maximum wait for the end of the thread before the process is killed. */
const END_MS = 5000
const MIB = 2 ** 20

/**
 * Executes the command, and prints the result.
 *
 * @param onShown  receives the result instead; then it is not printed, and no page is made
 * @returns the exit code
 */
export async function inRunThread(job: SingleJob | LineJob, onShown?: (shown: Shown) => void): Promise<number> {
  const thread = new RunThread()
  const { code, pageOf, shown } = await thread.run(job)
  if (onShown !== undefined) {
    await thread.end()
    if (shown !== undefined) onShown(shown)
    return code
  }
  if (shown !== undefined) show(shown)
  if (pageOf !== undefined) {
    // The page is made in the main thread: the run is complete, no turn limit applies, and a signal ends the process
    // immediately.
    await thread.end()
    const { pageBeside } = await import('../page-beside.ts')
    for (const directory of [pageOf].flat()) process.stderr.write(pageBeside(directory))
  }
  return code
}

interface RunEnd extends Pick<Shown, 'code' | 'pageOf'> {
  /** Undefined for a thread that ended early, whose reason is already printed. */
  readonly shown?: Shown
}

/** Receives the runs of a watch job. */
export interface RoundsListener {
  readonly onRound: (round: WatchedRound) => void
  readonly onSources: (files: readonly string[]) => void
}

/** Identity of the report in a directory; undefined if there is none. */
const reportId = (target: string): bigint | undefined =>
  lstatSync(join(target, REPORT_FILE), { throwIfNoEntry: false, bigint: true })?.ino

/**
 * @param place   undefined for a run that is not written
 * @param before  identity of the report there when the run began
 */
function interruptedText(job: ThreadJob, place: WrittenPlace | undefined, before: bigint | undefined): string {
  if ((job.command === 'line' ? job.name : job.command) !== 'backtest') return 'papertape: interrupted'
  if (place === undefined) return 'papertape: interrupted: the run was not saved'
  const name = basename(place.target)
  const now = reportId(place.target)
  if (now !== undefined && now !== before)
    return `papertape: interrupted: the run had finished and is complete in '${name}'`
  const held = before === undefined ? `'${name}' was not written` : `'${name}' still has the earlier run`
  return `papertape: interrupted: the run was not saved, and ${held}`
}

export class RunThread {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #heartbeat: Heartbeat
  /** Heartbeat of the thread for bounding runs. */
  readonly #besides: Heartbeat
  #limit: TurnLimit = DEFAULT_TURN_LIMIT
  #who = 'the strategy'
  #place: WrittenPlace | undefined
  #before: bigint | undefined
  #isIdle = false
  #isEnding = false
  #finish: (end: RunEnd) => void = () => undefined
  #listener: RoundsListener | undefined

  constructor() {
    // Node has no time zone per thread: a thread inherits that of the process when it starts.
    process.env.TZ = 'UTC'
    const memory = new SharedArrayBuffer(2 * Heartbeat.BYTES)
    this.#heartbeat = new Heartbeat(memory)
    this.#besides = new Heartbeat(memory, Heartbeat.BYTES)
    // Until a strategy is loaded: loading the program may take long on a busy machine.
    this.#heartbeat.enter('waiting')
    this.#besides.enter('waiting')
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const { stdout, stderr } = process
    const workerData: ThreadData = {
      port: port2,
      memory,
      stdout: terminalSize(stdout),
      stderr: terminalSize(stderr),
    }
    this.#worker = new Worker(new URL(import.meta.url.replace(/thread\/run-thread(\.[jt]s)$/, 'run-thread-entry$1')), {
      workerData,
      transferList: [port2],
      argv: process.argv.slice(2),
      // The same as in the main thread.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MIB) },
    })
    // An invalid command line ends without it.
    this.#worker.unref()
    this.#port.unref()
  }

  /** @param listener  of a watch job; its owner handles signals */
  async run(job: ThreadJob, listener?: RoundsListener): Promise<RunEnd> {
    this.#listener = listener
    const finished = new Promise<RunEnd>((resolve) => {
      this.#finish = resolve
    })
    this.#worker.ref()
    this.#port.on('message', (message: ThreadMessage) => this.#hear(message))
    this.#worker.on('error', (error) => void this.#breakOff(faultText(error)))
    this.#worker.on('exit', () => void this.#onExit())
    let isSignalled = false
    const onSignal = (signal: NodeJS.Signals): void => {
      // A Ctrl-C may arrive twice: from the terminal and from npm.
      if (isSignalled) return
      isSignalled = true
      void this.#clear().finally(() => {
        report(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${interruptedText(job, this.#place, this.#before)}`)
        for (const name of SIGNALS) process.off(name, onSignal)
        process.kill(process.pid, signal)
      })
    }
    if (listener === undefined) for (const name of SIGNALS) process.on(name, onSignal)
    const watched = [this.#heartbeat, this.#besides].map((pulse) => ({ pulse, watch: new TurnWatch(pulse) }))
    const timer = setInterval(() => {
      for (const { pulse, watch } of watched) this.#look(pulse, watch)
    }, LOOK_MS)
    this.#port.postMessage(job)
    try {
      return await finished
    } finally {
      clearInterval(timer)
      for (const name of SIGNALS) process.off(name, onSignal)
    }
  }

  /** Starts another run of a watch job. */
  again(): void {
    this.#port.postMessage('again')
  }

  /** Ends the thread, and removes partial files. */
  async stop(): Promise<void> {
    await this.#clear()
  }

  #hear(message: ThreadMessage): void {
    if (this.#isEnding && message.type !== 'place') return
    switch (message.type) {
      case 'working':
        this.#who = message.who
        return
      case 'limit':
        this.#limit = message.limit
        return
      case 'place':
        this.#place = message.place
        this.#before = reportId(message.place.target)
        return
      case 'idle':
        this.#isIdle = true
        return
      case 'round':
        this.#place = undefined
        this.#listener?.onRound(message.round)
        return
      case 'sources':
        this.#listener?.onSources(message.files)
        return
      case 'done':
        this.#isEnding = true
        this.#finish({ ...message.shown, shown: message.shown })
    }
  }

  #look(pulse: Heartbeat, watch: TurnWatch): void {
    const found = watch.look(this.#limit)
    if (found === 'fine' || this.#isEnding) return
    if (found === 'crawling') process.stderr.write(`${this.#start()}${crawling(pulse)}\n`)
    else void this.#reportOf(found, pulse, watch.isCircling)
  }

  /** Start of a line about the running code. @param place  `file:line` of user code */
  #start(place?: string): string {
    const clear = process.stderr.isTTY ? '\r\u001b[K' : ''
    if (place === undefined) return `${clear}papertape: ${this.#who}: `
    const [file = '', line = ''] = place.split(/:(?=\d+$)/)
    return basename(this.#who) === file
      ? `${clear}papertape: ${this.#who}:${line}: `
      : `${clear}papertape: ${this.#who}: ${place}: `
  }

  async #reportOf(found: 'slow' | 'over', pulse: Heartbeat, isCircling: boolean): Promise<void> {
    const limit = this.#limit
    const what = workText(pulse, isCircling)
    const { threadPlace } = await import('../../runtime/thread-place.ts')
    const place = await threadPlace(pulse === this.#besides ? 'bounds-thread-entry' : 'run-thread-entry')
    if (this.#isEnding) return
    if (found === 'over') {
      await this.#breakOff(`${this.#start(place)}${what} did not end within ${limit} s (--turn-limit)`)
      return
    }
    const until = limit === 'off' ? '' : `; it is stopped after ${limit} s (--turn-limit)`
    process.stderr.write(`${this.#start(place)}${what} is taking more than ${NOTICE_SECONDS} s${until}\n`)
  }

  /** The thread exited without a result. */
  async #onExit(): Promise<void> {
    this.#drain()
    await this.#breakOff(
      this.#isIdle
        ? 'papertape: ended early: a promise that it waits for never settles'
        : `papertape: ended early: ${EXIT_TEXT}`,
    )
  }

  async #breakOff(text: string): Promise<void> {
    this.#drain()
    if (this.#isEnding) return
    this.#isEnding = true
    report(text)
    const isEnded = await this.#clear()
    this.#finish({ code: EXIT.failed })
    // The process would wait for it.
    if (!isEnded) process.kill(process.pid, 'SIGKILL')
  }

  /** Ends the thread, which releases its memory. @returns false if it did not end */
  end(): Promise<boolean> {
    return Promise.race([
      this.#worker.terminate().then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, END_MS, false)),
    ])
  }

  /** Ends the thread and removes its partial files. @returns false if it did not end */
  async #clear(): Promise<boolean> {
    this.#isEnding = true
    const isEnded = await this.end()
    this.#drain()
    if (this.#place === undefined || !isEnded) return isEnded
    try {
      const { clearWrittenPlace } = await import('../../store/runs/run-directory.ts')
      clearWrittenPlace(this.#place)
    } catch {
      // The next run there removes them.
    }
    return isEnded
  }

  /** Processes messages that were sent but not delivered. */
  #drain(): void {
    for (;;) {
      const received = receiveMessageOnPort(this.#port)
      if (received === undefined) return
      this.#hear(received.message as ThreadMessage)
    }
  }
}

const crawling = ({ time }: Heartbeat): string =>
  `slow run: its events are about a millisecond apart at ${isoTime(time[0] ?? 0)}; does it use a timer of 0 or 1 ms, such as timer(0, 0)?`

function show({ stdout, stderr }: Shown): void {
  if (stdout !== '') process.stdout.write(stdout)
  if (stderr !== '') process.stderr.write(stderr)
}

function faultText(error: Error): string {
  const text = threadFaultText(error)
  const [, place] = /\bat (?:.*\()?((?!node:)[^()\n]+:\d+:\d+)/.exec(error.stack ?? '') ?? []
  return `papertape: ended early: ${text}${place === undefined ? '' : ` (${place})`}`
}
