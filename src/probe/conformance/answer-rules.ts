/**
 * Rules of every answer (sections 1, 2 and 7), and of the stream (section 6): asked last, of all that was answered
 * before.
 */
import type { ProbedAnswer } from '../../adapter/live/probe/service-probe.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { probeStream } from '../../adapter/live/probe/stream-probe.ts'
import { tradeStream } from '../../adapter/live/stream/stream-codec.ts'
import { STATUS_OF_CODE } from '../../wire/error-code.ts'
import { errorSchema, tradeSchema } from '../../wire/schemas.ts'
import { asked, type Row, schemaFault } from './answer-reading.ts'
import { ruleThatNeeds, type Rule } from './rule.ts'
import { Broken, NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

const openRule = ruleThatNeeds('public')

const STREAM_MS = 5_000
const FIRST_TRADE_MS = 3_000

const isError = ({ status }: ProbedAnswer): boolean => status >= 400

/** @throws {Broken} at the first answer with a fault; @throws {NotShown} without answers */
function checkAnswers(
  answers: readonly ProbedAnswer[],
  what: string,
  fault: (answer: ProbedAnswer) => string | undefined,
): void {
  if (answers.length === 0) throw new NotShown(`no ${what} was returned`)
  for (const answer of answers) {
    const found = fault(answer)
    if (found !== undefined) throw new Broken(`${asked(answer)} (${answer.status}): ${found}`)
  }
}

const everyError = (
  id: string,
  section: number,
  title: string,
  fault: (answer: ProbedAnswer) => string | undefined,
): Rule => ({
  id,
  section,
  title,
  needs: 'public',
  check: ({ answers }) => {
    checkAnswers(answers.filter(isError), 'error', fault)
  },
})

const DECIMALS = new Set([
  'price',
  'qty',
  'filledQty',
  'averagePrice',
  'lastPrice',
  'openPrice',
  'high',
  'low',
  'open',
  'close',
  'volume',
  'quoteVolume',
  'priceChange',
  'available',
  'locked',
  'total',
  'markPrice',
  'value',
  'equity',
  'baselineEquity',
  'pnl',
  'pnlPercent',
])
const SIGNED = new Set(['priceChange', 'pnl', 'pnlPercent'])

/** The first decimal that is no string of its pattern, anywhere in an answer. */
function decimalFault(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  for (const [name, value] of Object.entries(json)) {
    const isPlace = DECIMALS.has(name) && (typeof value !== 'object' || value === null)
    const pattern = SIGNED.has(name) ? /^[+-]?\d+(\.\d+)?$/ : /^\d+(\.\d+)?$/
    if (isPlace && !(typeof value === 'string' && pattern.test(value))) return `${name} is ${JSON.stringify(value)}`
    const inside = decimalFault(value)
    if (inside !== undefined) return inside
  }
  return undefined
}

function codeFault({ status, json }: ProbedAnswer): string | undefined {
  const { code } = ((json as Row | null)?.error ?? {}) as Row
  if (typeof code !== 'string') return 'it has no code'
  const expected = (STATUS_OF_CODE as Readonly<Record<string, number | undefined>>)[code]
  if (expected === undefined) return `the code ${code.slice(0, 60)} is not known`
  // Methods, sizes and paths that are none have a status of their own, which is not shown.
  const isOwn = code === 'VALIDATION_ERROR' && [404, 405, 413, 414, 415, 431].includes(status)
  return expected === status || isOwn ? undefined : `${code} belongs to ${expected}`
}

async function checkStream(service: WatchedService): Promise<void> {
  const { symbol } = await service.market()
  const probe = await service.shared('stream', () =>
    probeStream({
      url: service.streamUrl,
      proxy: proxyFor(service.streamUrl),
      stream: tradeStream(symbol),
      timeoutMs: STREAM_MS,
      messageMs: FIRST_TRADE_MS,
    }),
  )
  if ('reason' in probe) throw new NotShown(`${service.streamUrl}: ${probe.reason}`)
}

async function checkStreamedTrade(service: WatchedService): Promise<void> {
  const { symbol } = await service.market()
  await checkStream(service)
  const probe = await service.shared('stream', () => Promise.reject(new NotShown('no stream')))
  const { data } = probe as { readonly data?: unknown }
  if (data === undefined) throw new NotShown(`no trade came within ${FIRST_TRADE_MS / 1000} s`)
  const fault = schemaFault(tradeSchema, data)
  if (fault !== undefined) throw new Broken(fault)
  if ((data as Row).symbol !== symbol) throw new Broken(`a trade of ${String((data as Row).symbol)}`)
}

export const STREAM_RULES: readonly Rule[] = [
  openRule('stream', 6, 'the stream trade:<SYMBOL> accepts subscriptions', checkStream),
  openRule('stream-trade', 6, 'the stream sends the new trades of the market', checkStreamedTrade),
]

export const ANSWER_RULES: readonly Rule[] = [
  openRule('request-id', 1, 'every response has the header X-Request-Id', ({ answers }) => {
    checkAnswers(answers, 'request', ({ headers }) =>
      (headers['x-request-id'] ?? '') === '' ? 'it has none' : undefined,
    )
  }),
  everyError('request-id-in-errors', 1, 'requestId of an error equals the header', ({ headers, json }) => {
    const { requestId } = (json ?? {}) as Row
    return requestId === headers['x-request-id']
      ? undefined
      : `${String(requestId)} and ${headers['x-request-id'] ?? 'none'}`
  }),
  everyError('error-envelope', 2, 'every error has the envelope', ({ json }) => schemaFault(errorSchema, json)),
  everyError('error-details', 2, 'only field-level validation errors have details', ({ json }) => {
    const { code, details } = ((json as Row | null)?.error ?? {}) as Row
    return details === undefined || code === 'VALIDATION_ERROR' ? undefined : `${String(code)} has details`
  }),
  everyError('error-codes', 7, 'every error has a code that belongs to its status', codeFault),
  openRule('decimals', 1, 'decimals are JSON strings that match the pattern', ({ answers }) => {
    checkAnswers(
      answers.filter((answer) => !isError(answer)),
      'read',
      ({ json }) => decimalFault(json),
    )
  }),
  openRule('no-redirect', 4, 'the service answers without a redirect', ({ answers }) => {
    checkAnswers(answers, 'request', ({ status }) => (status >= 300 && status < 400 ? 'a redirect' : undefined))
  }),
]
