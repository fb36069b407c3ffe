/**
 * `papertape live`, once its flags are read: the sessions until a signal ends them, and what happens meanwhile as lines.
 */
import picocolors from 'picocolors'
import { AbortError, InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { eventLine } from '../../report/live/event-text.ts'
import { summary } from '../../report/summary/summary.ts'
import type { EndedSession, LiveOnlooker, LiveResult } from '../../run/live-options.ts'
import { live } from '../../run/live.ts'
import { LiveNews, type LiveEvent } from '../../runtime/live/live-event.ts'
import { apiKey } from '../api-key.ts'
import type { FlagText } from '../option-values.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { EXIT } from '../exit-code.ts'
import { liveOptionsOf } from './live-flags.ts'
import { notifyWebhook } from './live-webhook.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** @returns the exit code */
export async function liveUntilStopped(
  strategies: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Promise<number> {
  consoleToStderr()
  if (strategies.length === 0) {
    throw new InputError('live', 'expected a strategy: the name of a ready one, or a file')
  }
  if (values.url === undefined) {
    throw new InputError(setting('url'), 'expected the base URL of a service, such as http://127.0.0.1:8080/v1')
  }
  const isJson = values.json === true
  const options = liveOptionsOf(strategies, values, apiKey())
  const news = new LiveNews()
  news.listen((event) => {
    process.stdout.write(`${isJson ? JSON.stringify(event) : eventLine(event)}\n`)
  })
  const closeWebhook = notifyWebhook(values.notify as FlagText, news, options.url)
  const end = new AbortController()
  const forget = onFirstSignal(() => {
    process.stderr.write('stopping: orders are settled and cancelled; once more ends at once\n')
    end.abort()
  })
  try {
    const { url } = options
    const watcher = onlookerOf(news, url, (ended) => {
      if (!isJson) process.stdout.write(`${summaryOf(ended)}\n`)
    })
    const result = await live({ ...options, signal: end.signal, watcher })
    return exitCodeOf(result, options.keepOrders === true)
  } catch (error) {
    if (!(error instanceof AbortError)) throw error
    process.stderr.write('stopped before it began\n')
    return EXIT.done
  } finally {
    await closeWebhook()
    forget()
  }
}

/** The second one ends the process as it would have without us. */
function onFirstSignal(stop: () => void): () => void {
  const onSignal = (): void => {
    forget()
    stop()
  }
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return forget
}

type Told<Type extends LiveEvent['type']> = Omit<Extract<LiveEvent, { type: Type }>, 'time' | 'owner' | 'type'>

function onlookerOf(news: LiveNews, url: string, onEnd: (ended: EndedSession) => void): Partial<LiveOnlooker> {
  const tell = <Type extends LiveEvent['type']>(
    type: Type,
    owner: string | undefined,
    told: Told<Type>,
    time = Date.now(),
  ): void => {
    news.tell({ type, owner, time, ...told } as unknown as LiveEvent)
  }
  return {
    onStart: (sessions) => {
      for (const { owner, directory } of sessions) {
        tell('started', owner, { baseUrl: url, runDirectory: directory })
      }
    },
    onFill: (owner, { symbol, side, price, qty, orderId, tag }) => {
      tell('fill', owner, { symbol, side, price: price.toFixed(), qty: qty.toFixed(), orderId, tag })
    },
    onLog: (owner, time, message) => {
      tell('log', owner, { message }, time)
    },
    onRefusal: (owner, code, by) => {
      tell('refusal', owner, { code, message: `by ${by}` })
    },
    onState: (owner, { state, why, time }) => {
      tell('state', owner, { state, why }, time)
    },
    events: () => news.last,
    onHalt: ({ symbol, why, reason }) => {
      tell('halt', undefined, { symbol, why, reason })
    },
    onFault: (message) => {
      tell('fault', undefined, { message })
    },
    onWarning: (message) => {
      tell('warning', undefined, { message })
    },
    onEnd: (ended) => {
      tell('ended', ended.owner, { exitCode: endOf(ended), message: endText(ended) })
      onEnd(ended)
    },
  }
}

const endOf = ({ report: { failure, live: facts } }: EndedSession): number =>
  facts?.fault === null ? (failure === null ? EXIT.done : EXIT.failed) : EXIT.service

function endText({ directory, report }: EndedSession): string {
  const { failure } = report
  if (failure === null) return `its files are in ${directory}`
  const where = failure.place === null ? '' : ` (${failure.place})`
  return `failed at ${isoTime(failure.time)}: ${failure.message}${where}; its files are in ${directory}`
}

const summaryOf = ({ report }: EndedSession): string =>
  // In a pipe `isTTY` is not false but undefined, whatever its type says.
  summary(report, [], process.stdout.isTTY ? picocolors.isColorSupported : false)

function exitCodeOf({ sessions, fault, halted }: LiveResult, keepsOrders: boolean): number {
  const isOpen = sessions.some(({ report }) => report.live !== undefined && report.live.openOrders.length > 0)
  if (fault !== undefined || halted.length > 0 || (isOpen && !keepsOrders)) return EXIT.service
  return sessions.some(({ report }) => report.failure !== null) ? EXIT.failed : EXIT.done
}
