/**
 * `papertape live`, once its flags are read: the sessions until a signal ends them.
 */
import { join } from 'node:path'
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import { AbortError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { EndedSession, LiveListener, LiveOptions, LiveResult } from '../../run/live-options.ts'
import { live } from '../../run/live.ts'
import { reportAccount } from '../../run/operator.ts'
import { atExitOf } from '../../runtime/settings/live-settings.ts'
import type { LiveEvent } from '../../runtime/live/live-event.ts'
import { version } from '../../runtime/version.ts'
import { SessionWindow } from '../../server/window/session-window.ts'
import { accountName, userDataDirectory } from '../../store/state/data-directory.ts'
import { apiKey } from '../api-key.ts'
import { io } from '../cli-io.ts'
import { hasColour } from '../colour.ts'
import { readConfigOf } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'
import type { NotifiedSession } from '../notify/notifiers.ts'
import { sessionWatchers, type SessionWatchers } from '../session-watchers.ts'
import { EXIT } from '../exit-code.ts'
import { liveOf } from './live-flags.ts'
import { LiveOutput } from './live-output.ts'
import { onEndSignals } from '../until-signalled.ts'

/** The process looks four times a second. */
const WAIT_MS = 15_000

type Account = Pick<LiveOptions, 'url' | 'apiKey' | 'state'>

/** Executes the commands of operators of the window and of Telegram, as those of the command line. */
function operatorsOf({ url, apiKey, state }: Account): NonNullable<NotifiedSession['report']> {
  const data = userDataDirectory()
  const directory = state ?? join(data, 'live', accountName(url, apiKey))
  return (command) => {
    const waitMs = command.kind === 'flatten' ? command.withinMs + WAIT_MS : WAIT_MS
    return reportAccount({ directory, clocks: MACHINE_CLOCKS }, command, waitMs)
  }
}

/** The ends of the sessions of `papertape live`: their messages, report pages, the last line, and the exit code. */
class LiveEnds {
  readonly #keepsOrders: boolean
  readonly #ended: EndedSession[] = []
  shadow: LiveResult['shadow']

  constructor(keepsOrders: boolean) {
    this.#keepsOrders = keepsOrders
  }

  /** @returns its message and exit code */
  add(ended: EndedSession): { readonly exitCode: number; readonly message: string } {
    this.#ended.push(ended)
    return { exitCode: this.#exitCode(ended), message: endText(ended) }
  }

  exitCodeOf({ fault, halted }: LiveResult): number {
    const codes = this.#ended.map((ended) => this.#exitCode(ended))
    if (fault !== undefined || halted.length > 0 || codes.includes(EXIT.service)) return EXIT.service
    return codes.includes(EXIT.failed) ? EXIT.failed : EXIT.done
  }

  /**
   * Writes a page for each session, and a line about everything left. Does nothing before the first session has ended.
   */
  async writeLast(note: (line: string) => void): Promise<void> {
    if (this.#ended.length === 0) return
    const { pageBeside } = await import('../page-beside.ts')
    for (const { directory } of [...this.#ended, ...(this.shadow === undefined ? [] : [this.shadow])]) {
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

/** @returns the exit code */
export async function liveUntilStopped(
  strategies: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Promise<number> {
  const file = sessionConfig(await readConfigOf(strategies, values), 'live')
  const { options, window: port, json } = liveOf(strategies, values, file, apiKey)
  const output = outputOf(json)
  const report = operatorsOf(options)
  const session = { kind: 'live', baseUrl: options.url, news: output.news, report } as const
  const watchers = await sessionWatchers({ values, file: file.values, ...session })
  const window = port === undefined ? undefined : new SessionWindow({ port, kind: 'live', version: version(), report })
  const end = new AbortController()
  const close = (): void => {
    output.close()
  }
  // Node itself reports an internal error, after the screen is closed.
  const forgetCrash = io.life.onCrash(close)
  const forget = onEndSignals({
    first: () => {
      output.note('stopping: cancelling orders... press Ctrl-C again to quit immediately')
      end.abort()
    },
    second: close,
  })
  const ends = new LiveEnds(atExitOf(options) === 'keep')
  try {
    if (window !== undefined) output.note(`window ${await window.open()}`)
    const listener = seenBy(listenerOf(output, options.url, ends), output, watchers, window)
    const result = await live({ ...options, signal: end.signal, listener })
    ends.shadow = result.shadow
    output.compare(result)
    return ends.exitCodeOf(result)
  } catch (error) {
    close()
    watchers.fail(error)
    if (!(error instanceof AbortError)) throw error
    io.stderr.write('stopped before the session started\n')
    return EXIT.done
  } finally {
    close()
    await ends.writeLast((line) => {
      output.note(line)
    })
    await window?.close()
    await watchers.close()
    forget()
    forgetCrash()
  }
}

/** With the console of strategies. The sessions go on without it when it is lost. */
function outputOf(isJson: boolean): LiveOutput {
  const { stdout, stderr } = io
  io.life.outliveOutput()
  const output = new LiveOutput({ isJson, hasColour: hasColour(stdout), stdout, stderr, wallClock: Date.now })
  globalThis.console = output.console
  return output
}

/** Passes the status to the output and the window, and to the window what it draws. */
const seenBy = (
  listener: Partial<LiveListener>,
  output: LiveOutput,
  watchers: SessionWatchers,
  window: SessionWindow | undefined,
): Partial<LiveListener> => ({
  ...listener,
  onStart: (sessions) => {
    listener.onStart?.(sessions)
    for (const { owner, session } of sessions) window?.chart(owner, () => session.chart.look())
  },
  onFill: (owner, fill) => {
    listener.onFill?.(owner, fill)
    const { createdAt: time, symbol, side, price, qty } = fill
    window?.onFill(owner, { time, symbol, side, price: price.toFixed(), qty: qty.toFixed() })
  },
  onStatus: (status) => {
    output.onStatus(status)
    watchers.onStatus(status)
    window?.onStatus(status)
  },
})

type Reported<Type extends LiveEvent['type']> = Omit<Extract<LiveEvent, { type: Type }>, 'time' | 'owner' | 'type'>

function listenerOf(output: LiveOutput, url: string, ends: LiveEnds): Partial<LiveListener> {
  const { news } = output
  const report = <Type extends LiveEvent['type']>(
    type: Type,
    owner: string | undefined,
    reported: Reported<Type>,
    time = Date.now(),
  ): void => {
    news.report({ type, owner, time, ...reported } as unknown as LiveEvent)
  }
  return {
    onStart: (sessions) => {
      for (const { owner, directory } of sessions) {
        report('started', owner, { baseUrl: url, runDirectory: directory })
      }
    },
    onFill: (owner, { symbol, side, price, qty, orderId, tag, isRecovered }) => {
      const amounts = { price: price.toFixed(), qty: qty.toFixed() }
      report('fill', owner, { symbol, side, ...amounts, orderId, tag, ...(isRecovered === true && { isRecovered }) })
    },
    onLog: (owner, time, message) => {
      report('log', owner, { message }, time)
    },
    onRefusal: (owner, code, by) => {
      report('refusal', owner, { code, message: `by ${by}` })
    },
    onState: (owner, { state, why, time }) => {
      report('state', owner, { state, why }, time)
    },
    events: () => news.last,
    onHalt: ({ symbol, why, reason }) => {
      report('halt', undefined, { symbol, why, reason })
    },
    onFault: (message) => {
      report('fault', undefined, { message })
    },
    onTwin: ({ owner, ...twin }) => {
      report('twin', owner, twin)
    },
    onWarning: (message) => {
      report('warning', undefined, { message })
    },
    onEnd: (ended) => {
      report('ended', ended.owner, ends.add(ended))
      output.onEnd(ended)
    },
  }
}
