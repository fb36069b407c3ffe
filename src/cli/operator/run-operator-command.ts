/**
 * Commands of an operator, such as `papertape live halt` and `papertape paper flatten`, after their flags are parsed.
 */
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import { InputError } from '../../domain/errors.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import { isoTime } from '../../domain/time.ts'
import { statusLines } from '../../report/live/status-lines.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { textTable } from '../../report/text-table.ts'
import { accountView, type AccountView, reportAccount } from '../../run/operator.ts'
import type { LiveStatus } from '../../runtime/live/live-status.ts'
import { paramsText } from '../../runtime/strategies/params.ts'
import type {
  OperatorCommand,
  FlattenCommand,
  OperatorAnswer,
  SetCommand,
} from '../../store/state/live/operator-command.ts'
import type { PersistedMarket } from '../../store/state/live/persisted-facts.ts'
import type { PersistedIntent } from '../../store/state/live/persisted-intent.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { type FlagValues, operatorAccount, type OperatorAccount } from './operator-flags.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { flatten, type FlattenOptions } from '../../run/flatten.ts'
import { readDuration } from '../../runtime/settings/form.ts'
import { apiKey } from '../api-key.ts'
import { single, type FlagText } from '../option-values.ts'
import { readConfigFile } from '../config/config-file.ts'
import { sessionConfig } from '../config/session-sections.ts'

/** Nothing of a status is left out where the output can be scrolled. */
const MANY_ROWS = 1_000

function statusText(view: AccountView, kind: OperatorAccount['kind'], width: number): string {
  const { process, sessionState, holds, params, status, halts, intents, baseUrl } = view
  const undecided = intents.filter(isUndecided)
  const isOver = process === undefined
  // The last status of a session on paper has its balances and orders, which the next one continues.
  const last: AccountView['status'] =
    status === undefined || !isOver
      ? status
      : { ...endedStatus(status, sessionState), connection: 'closed', stream: 'lost' }
  const shown =
    last === undefined || (isOver && kind === 'live') ? [] : statusLines(last, { width, height: MANY_ROWS }, kind)
  const rest = [
    ...(status === undefined || process !== undefined ? [] : [`last seen at ${isoTime(status.time)}`]),
    ...(sessionState === undefined || sessionState.state === 'ACTIVE'
      ? []
      : [`an operator set ${sessionState.state} at ${isoTime(sessionState.since)}; new sessions start in this state`]),
    ...holds.map((hold) => holdText(hold, kind)),
    ...params.map(paramText),
    ...halts.map(({ symbol, why, reason }) => `${symbol} is halted (${why}): ${reason}`),
    ...(undecided.length === 0
      ? []
      : [`${readableCount(undecided.length, 'intent')} with an unknown outcome: run papertape live orders`]),
  ]
  const head = `${processText(process)}${baseUrl === undefined ? '' : ` on ${baseUrl}`}`
  return lines([head, ...rest, ...(shown.length === 0 ? [] : ['', ...shown.map(({ text }) => text.trimEnd())])])
}

/** The states of a session that has ended, unless an operator has resumed the strategies since. */
function endedStatus(status: LiveStatus, sessionState: AccountView['sessionState']): LiveStatus {
  if (sessionState?.state !== 'ACTIVE' || sessionState.since <= status.time) return status
  return { ...status, strategies: status.strategies.map((each) => ({ ...each, state: 'ACTIVE', why: '' })) }
}

function holdText({ owner, rule, since, why }: AccountView['holds'][number], kind: OperatorAccount['kind']): string {
  const resume = `papertape ${kind} resume`
  const end = rule.endsWith('day-loss') ? `the next UTC day, or with ${resume}` : resume
  return `${owner} is REDUCING since ${isoTime(since)}: ${why}; ends at ${end}`
}

const paramText = ({ owner, name, value, configured, since }: AccountView['params'][number]): string =>
  `${owner} has ${paramsText({ [name]: value })} since ${isoTime(since)}; configured is ${paramsText({ [name]: configured })}`

function processText(process: AccountView['process']): string {
  if (process === undefined) return 'no process is trading'
  const pid = process.pid === undefined ? 'a process' : `process ${process.pid}`
  return `${pid} is trading${process.since === undefined ? '' : ` since ${isoTime(process.since)}`}`
}

/** Requests with an unknown outcome first, then those with an open order. */
function ordersText({ intents, markets, halts }: AccountView): string {
  const shown = shownIntents(intents)
  const market = (symbol: string): PersistedMarket | undefined => markets.find((each) => each.symbol === symbol)
  const rows = shown.map((intent) => rowOf(intent, market(intent.symbol)))
  const left = intents.length - shown.length
  return lines([
    ...(rows.length === 0
      ? ['no requests with an unknown outcome and no open orders']
      : textTable(HEADING, rows, NUMBERS)),
    ...(left === 0 ? [] : [`${readableCount(left, 'finished intent')} not shown`]),
    ...halts.map(({ symbol, why, reason }) => `${symbol} is halted (${why}): ${reason}`),
  ])
}

const UNDECIDED: ReadonlySet<PersistedIntent['state']> = new Set<PersistedIntent['state']>([
  ...(['SENDING', 'UNKNOWN', 'QUARANTINED', 'AMBIGUOUS'] as const),
])

const isUndecided = ({ state, isFinished }: PersistedIntent): boolean => UNDECIDED.has(state) && !isFinished

/** A live account as its files have it, as text for people. */
const shownIntents = (intents: readonly PersistedIntent[]): readonly PersistedIntent[] => [
  ...intents.filter(isUndecided),
  ...intents.filter((intent) => !intent.isFinished && !isUndecided(intent)),
]

const HEADING = ['intent', 'owner', 'state', 'order', 'symbol', 'side', 'qty', 'price', 'filled', 'sent']

const NUMBERS: ReadonlySet<string> = new Set(['intent', 'qty', 'price', 'filled'])

function rowOf(intent: PersistedIntent, market: PersistedMarket | undefined): readonly string[] {
  const { id, owner, state, orderId, symbol, side, qty, price, filledQty, sentAt } = intent
  const lots = (value: number): string =>
    market === undefined ? `${value} lots` : formatUnits(value, market.qtyPrecision)
  const ticks = (value: number): string =>
    market === undefined ? `${value} ticks` : formatUnits(value, market.pricePrecision)
  return [
    ...[String(id), owner, state, orderId ?? '-', symbol, side],
    ...[lots(qty), price === undefined ? 'market' : ticks(price), lots(filledQty), isoTime(sentAt)],
  ]
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${printable(text)}\n`).join('')

/** Timeout for a process that polls four times a second, and may have to read an order from the service. */
const WAIT_MS = 15_000

/** Reads the account that the flags mean. */
type ReadAccount = (values: FlagValues) => Promise<OperatorAccount>

/** @returns the exit code: 1 if the command was not executed */
export async function report(
  command: OperatorCommand,
  values: FlagValues,
  account: ReadAccount = operatorAccount,
): Promise<number> {
  const { directory, kind } = await account(values)
  const answer = await reportAccount({ directory, kind, clocks: MACHINE_CLOCKS }, command, WAIT_MS)
  if (values.json === true) printJson(answer)
  else if (answer.isDone) io.stdout.write(`${answer.message}\n`)
  else io.stderr.write(`papertape: ${answer.message}\n`)
  return answer.isDone ? EXIT.done : EXIT.failed
}

/** @returns the exit code */
export async function showStatus(values: FlagValues, account: ReadAccount = operatorAccount): Promise<number> {
  const { directory, kind } = await account(values)
  const { intents, ...view } = accountView(directory, kind)
  if (values.json === true) printJson({ ...view, intents: shownIntents(intents) })
  else io.stdout.write(statusText({ ...view, intents }, kind, (io.stdout.columns ?? 0) || 80))
  return EXIT.done
}

/** @returns the exit code */
export async function showOrders(values: FlagValues): Promise<number> {
  const { directory } = await operatorAccount(values)
  const view = accountView(directory, 'live')
  if (values.json === true) printJson({ intents: shownIntents(view.intents), halts: view.halts })
  else io.stdout.write(ordersText(view))
  return EXIT.done
}

/**
 * The command of `set`: the name of a strategy, if several run, and new values of its parameters.
 * @param words  as `fast=12`
 * @throws {InputError} for anything else
 */
export function setCommand(words: readonly string[]): SetCommand {
  const [first = ''] = words
  const owner = first.includes('=') ? undefined : first
  const changes = owner === undefined ? words : words.slice(1)
  if (changes.length === 0) throw new InputError('set', `expected a parameter and its value, such as fast=12`)
  const values = changes.map((change) => {
    const at = change.indexOf('=')
    if (at < 1) throw new InputError('set', `expected a parameter and its value, such as fast=12, got '${change}'`)
    return [change.slice(0, at), change.slice(at + 1)] as const
  })
  return { kind: 'set', owner, values: Object.fromEntries(values) }
}

/** @throws {InputError} for an invalid id */
export function intentId(text: unknown): number {
  const id = /^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : undefined
  if (id === undefined)
    throw new InputError('INTENT', `expected the number of a request (intent), got '${String(text)}'`)
  return id
}

const printJson = (value: unknown): void => void io.stdout.write(`${JSON.stringify(value)}\n`)

/**
 * `papertape live flatten`, once its flags are read.
 */
const DEFAULT_WITHIN = '2m'

/** Sends the command. @param waitMs  timeout for the answer of a process */
type Flatten = (command: FlattenCommand, waitMs: number) => Promise<OperatorAnswer>

const flattenOfLive = async (values: FlagValues): Promise<Flatten> => {
  const options = await optionsOf(values)
  return (command) => flatten(options, command)
}

/**
 * @param read  finds the account that the flags mean
 * @returns the exit code: 3 when something is left, 1 when it was not confirmed
 */
export async function runFlatten(
  values: FlagValues,
  read: (values: FlagValues) => Promise<Flatten> = flattenOfLive,
): Promise<number> {
  const isJson = values.json === true
  const withinMs = readDuration('--within', single('--within', values.within as FlagText) ?? DEFAULT_WITHIN)
  const send = await read(values)
  const command: FlattenCommand = { kind: 'flatten', wholeAccount: values.wholeAccount === true, isDry: true, withinMs }
  const isAsked = values.yes !== true && values.dryRun !== true
  if (isAsked && !io.stdin.isTTY) {
    throw new InputError('--yes', 'no terminal to confirm on: pass --yes to sell, or --dry-run to see the plan')
  }
  if (values.yes !== true) {
    const plan = await send(command, WAIT_MS)
    if (values.dryRun === true) {
      printAnswer(plan, isJson)
      return plan.isDone ? EXIT.done : EXIT.service
    }
    io.stderr.write(`${plan.message}\n`)
    if (!plan.isDone) return EXIT.service
    if (!(await isConfirmed())) {
      io.stderr.write('papertape: nothing was changed\n')
      return EXIT.failed
    }
  }
  const answer = await send({ ...command, isDry: false }, WAIT_MS + withinMs)
  printAnswer(answer, isJson)
  return answer.isDone ? EXIT.done : EXIT.service
}

async function optionsOf(values: FlagValues): Promise<FlattenOptions> {
  const { directory, url = savedUrl(directory) } = await operatorAccount(values)
  return {
    directory,
    url,
    apiKey: apiKey(),
    onWarning: (text) => {
      io.stderr.write(`${text}\n`)
    },
  }
}

/** URL of the last session. */
function savedUrl(directory: string): string {
  const savedUrl = existsSync(join(directory, 'live.db')) ? accountView(directory).baseUrl : undefined
  if (savedUrl !== undefined) return savedUrl
  throw new InputError('--url', 'missing: pass --url URL, because no saved state of a session was found here')
}

/** Ctrl-C and the end of input are a no. */
async function isConfirmed(): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  const left = new Promise<string>((resolve) => {
    lines.once('SIGINT', () => {
      resolve('')
    })
    lines.once('close', () => {
      resolve('')
    })
  })
  const answer = await Promise.race([lines.question('Continue? [y/N] '), left])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

function printAnswer({ isDone, message, result }: OperatorAnswer, isJson: boolean): void {
  if (isJson) io.stdout.write(`${JSON.stringify(result ?? { isDone, message })}\n`)
  else io.stdout.write(`${message}\n`)
}

/** @throws {InputError} if neither the flag nor the config file names a state */
export async function paperAccount(values: FlagValues): Promise<OperatorAccount> {
  const given = single('--state', values.state as FlagText)
  const file =
    given ?? sessionConfig(await readConfigFile(single('--config', values.config as FlagText)), 'paper').values.state
  if (typeof file !== 'string')
    throw new InputError('--state', 'missing: pass the directory that papertape paper --state has')
  return { kind: 'paper', directory: file, url: undefined }
}

/** The process of the session cancels and sells. */
export async function flattenOfPaper(values: FlagValues): Promise<Flatten> {
  const { directory } = await paperAccount(values)
  return (command, waitMs) => reportAccount({ directory, kind: 'paper', clocks: MACHINE_CLOCKS }, command, waitMs)
}
