/**
 * `papertape emulator`, after its flags are parsed: one or two requests to a running emulator, and its answer in words.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ExchangeError, InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { isoTime } from '../../domain/time.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { printable } from '../../report/terminal-text.ts'
import { integer, readTime } from '../../runtime/settings/form.ts'
import { tokenForm } from '../../server/emulator/emulator-settings.ts'
import { isHash, tokenHash } from '../../server/http/token-proof.ts'
import { givenAdminToken, TOKEN_VARIABLE } from '../api-key.ts'
import type { FlagValues } from '../cli-command.ts'
import { board, boardLines } from './board-lines.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import type { EmulatorAction } from './emulator-action.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'

const snapshot = z.object({
  name: z.string(),
  time: z.number(),
  users: z.number(),
  openOrders: z.number(),
  agents: z.boolean(),
})
const branch = z.object({
  name: z.string(),
  snapshot: z.string().optional(),
  baseUrl: z.string(),
  windowUrl: z.string(),
})
const markets = z.array(z.object({ symbol: z.string(), paused: z.boolean(), reason: z.string().optional() }))
const stretch = z.object({ from: z.number(), to: z.number() })
const invited = z.object({ codes: z.array(z.string()) })
const actions = z.array(z.object({ time: z.number(), action: z.string() }))
const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** Shown as JSON, or as lines. */
interface Outcome {
  readonly answer: unknown
  readonly lines: readonly string[]
}

/**
 * @param values  flags and arguments as parsed by yargs
 * @returns       the exit code
 * @throws {InputError} for a wrong argument, or one that the emulator refuses
 * @throws {ExchangeError} if no emulator answers
 */
export async function runEmulatorCommand(action: EmulatorAction, values: FlagValues): Promise<number> {
  const { answer, lines } = await ACTIONS[action](new Client(values), values)
  io.stdout.write(
    values.json === true ? `${JSON.stringify(answer ?? null)}\n` : lines.map((line) => `${printable(line)}\n`).join(''),
  )
  return EXIT.done
}

const nameOf = ({ name }: FlagValues): string => encodeURIComponent(String(name))

const ACTIONS: Readonly<Record<EmulatorAction, (client: Client, values: FlagValues) => Promise<Outcome>>> = {
  show: async (client) => {
    const [states, saved, branches] = await Promise.all([
      client.ask(markets, 'GET', '/markets'),
      client.ask(z.array(snapshot), 'GET', '/snapshots'),
      client.ask(z.array(branch), 'GET', '/branches'),
    ])
    const ofMarkets = states.map(({ symbol, paused, reason }) => `${symbol}: ${paused ? `paused, ${reason}` : 'open'}`)
    return {
      answer: { markets: states, snapshots: saved, branches },
      lines: [client.url, ...ofMarkets, ...saved.map(snapshotLine), ...branches.map(branchLine)],
    }
  },
  save: async (client, { name, replace }) => {
    const answer = await client.ask(snapshot, 'POST', '/snapshots', { name, replace: replace === true })
    return { answer, lines: [`saved ${snapshotLine(answer)}`] }
  },
  list: async (client) => {
    const answer = await client.ask(z.array(snapshot), 'GET', '/snapshots')
    return { answer, lines: orNone(answer.map(snapshotLine), 'no snapshots') }
  },
  load: async (client, values) => {
    const answer = await client.ask(snapshot, 'POST', `/snapshots/${nameOf(values)}/load`)
    return { answer, lines: [`loaded ${snapshotLine(answer)}`] }
  },
  diff: async (client, values) => {
    const to = typeof values.to === 'string' ? `?to=${encodeURIComponent(values.to)}` : ''
    const answer = await client.ask(z.array(z.string()), 'GET', `/snapshots/${nameOf(values)}/diff${to}`)
    return { answer, lines: answer }
  },
  export: async (client, values) => {
    const file = String(values.file)
    const text = await client.text('GET', `/snapshots/${nameOf(values)}`)
    try {
      writeFileSync(file, `${text.trimEnd()}\n`, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      throw asWriteFault(file, error)
    }
    return { answer: { file }, lines: [`wrote ${file}`] }
  },
  import: async (client, values) => {
    const body = {
      name: values.name,
      replace: values.replace === true,
      file: jsonIn(String(values.file), 'is not the file of a snapshot of an emulator'),
    }
    const answer = await client.ask(snapshot, 'POST', '/snapshots', body)
    return { answer, lines: [`added ${snapshotLine(answer)}`] }
  },
  delete: async (client, values) => {
    await client.text('DELETE', `/snapshots/${nameOf(values)}`)
    return { answer: { name: values.name }, lines: [`removed snapshot ${String(values.name)}`] }
  },
  'start-branch': async (client, values) => {
    const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
    const [from, port] = [text('snapshot'), text('port')]
    const body = {
      name: values.name,
      ...(from === undefined ? {} : { snapshot: from }),
      ...(port === undefined ? {} : { port: portForm.ofText('--port', port) }),
    }
    const answer = await client.ask(branch, 'POST', '/branches', body)
    return { answer, lines: [branchLine(answer)] }
  },
  'list-branches': async (client) => {
    const answer = await client.ask(z.array(branch), 'GET', '/branches')
    return { answer, lines: orNone(answer.map(branchLine), 'no branches') }
  },
  play: async (client, { scenario, market }) => {
    const given = String(scenario)
    const isReady = /^[a-z-]+$/.test(given)
    if (!isReady && market !== undefined)
      throw new InputError('market', 'a file names its markets itself: leave it out')
    const body = isReady ? { ready: given, market: market ?? 'BTC_USD' } : await scenarioIn(given)
    const answer = await client.ask(actions, 'POST', '/scenarios', body as object)
    return { answer, lines: actionLines(answer) }
  },
  'list-actions': async (client) => {
    const answer = await client.ask(actions, 'GET', '/scenarios')
    return { answer, lines: orNone(actionLines(answer), 'no actions to come') }
  },
  stop: async (client) => {
    await client.text('DELETE', '/scenarios')
    return { answer: null, lines: ['cancelled all actions to come'] }
  },
  'hash-token': async (_, values) => {
    const given = tokenOf(values)
    const token = given === undefined ? randomBytes(32).toString('base64url') : tokenForm.ofText('token', given)
    const answer = { ...(given === undefined ? { token } : {}), hash: await tokenHash(token) }
    return { answer, lines: Object.entries(answer).map(([name, text]) => `${name.padEnd(7)}${text}`) }
  },
  rewind: async (client, values) => {
    const order = single('--before-order', values['before-order'] as FlagText)
    const time = single('time', values.time as FlagText)
    if (time === undefined && order === undefined) {
      const past = await client.ask(z.array(stretch), 'GET', '/past')
      const lines = past.map(({ from, to }) => `${isoTime(from)} to ${isoTime(to)}`)
      return { answer: past, lines: orNone(lines, 'no past') }
    }
    const body = {
      ...(time === undefined ? {} : { time: readTime('time', time) }),
      ...(order === undefined ? {} : { beforeOrder: String(orderForm.ofText('--before-order', order)) }),
    }
    const answer = await client.ask(z.object({ time: z.number() }), 'POST', '/rewind', body)
    return { answer, lines: [`went back to ${isoTime(answer.time)}`] }
  },
  board: async (client) => {
    const answer = await client.ask(board, 'GET', '/arena/board', undefined, '')
    return { answer, lines: boardLines(answer) }
  },
  invite: async (client, values) => {
    const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
    const [count, name] = [text('count'), text('name')]
    const body = {
      ...(count === undefined ? {} : { count: countForm.ofText('--count', count) }),
      ...(name === undefined ? {} : { name }),
    }
    return linksOf(client, await client.ask(invited, 'POST', '/invitations', body))
  },
  'reset-player': async (client, { name }) =>
    linksOf(client, await client.ask(invited, 'POST', '/players/reset', { name })),
  'close-branch': async (client, values) => {
    await client.text('DELETE', `/branches/${nameOf(values)}`)
    return { answer: { name: values.name }, lines: [`closed branch ${String(values.name)}`] }
  },
}

/** @throws {InputError} for a hash, which only a server can use */
function tokenOf(values: FlagValues): string | undefined {
  const ofFlag = single('--admin-token', values['admin-token'] as FlagText)
  const token = ofFlag ?? givenAdminToken()
  if (token === undefined || !isHash(token)) return token
  throw new InputError(ofFlag === undefined ? TOKEN_VARIABLE : '--admin-token', 'is a hash: give the token itself')
}

const portForm = integer(0, 65_535)
const orderForm = integer(1, 999_999_999_999_999)
const countForm = integer(1, 1_000)

/** Links for players, which are shown only once. */
function linksOf({ url }: Client, { codes }: z.output<typeof invited>): Outcome {
  const links = codes.map((code) => `${url}/join/${code}`)
  return { answer: { links }, lines: links }
}

const orNone = (lines: readonly string[], none: string): readonly string[] => (lines.length === 0 ? [none] : lines)

function snapshotLine({ name, time, users, openOrders, agents }: z.output<typeof snapshot>): string {
  const traders = agents ? 'with agents' : 'without agents'
  return `snapshot ${name}: ${isoTime(time)}, users: ${users}, their open orders: ${openOrders}, ${traders}`
}

const branchLine = ({ name, snapshot: from, baseUrl, windowUrl }: z.output<typeof branch>): string =>
  `branch ${name}${from === undefined ? '' : ` of ${from}`}: ${baseUrl}, window ${windowUrl}`

/** One line per action, or per series of the same action. */
function actionLines(all: z.output<typeof actions>): readonly string[] {
  const starts = all.flatMap(({ action }, index) => (action === all[index - 1]?.action ? [] : [index]))
  return starts.map((from, series) => {
    const same = all.slice(from, starts[series + 1])
    const [first, last] = [same[0], same.at(-1)]
    if (first === undefined || last === undefined) return ''
    const until = same.length === 1 ? '' : ` to ${isoTime(last.time)}, ${same.length} times:`
    return `${isoTime(first.time)}${until} ${first.action}`
  })
}

/** @returns the scenario in a JSON file, or the default export of a TypeScript or JavaScript file */
async function scenarioIn(file: string): Promise<unknown> {
  if (!/\.[cm]?[jt]s$/.test(file)) return jsonIn(file, 'is not JSON')
  const { importFile } = await import('../../runtime/strategies/strategy-file.ts')
  const { exports } = await importFile(file, resolve(io.cwd, file))
  if (typeof exports.default === 'object' && exports.default !== null) return exports.default
  throw new InputError(file, 'has no scenario: write `export default { steps: [...] }`')
}

function jsonIn(file: string, otherwise: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new InputError(file, `cannot be read (${thrownText(error)})`, { cause: error })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(file, otherwise, { cause: error })
  }
}

/** Requests to the control API of an emulator. */
class Client {
  /** Address without a path. */
  readonly url: string
  readonly #values: FlagValues

  constructor(values: FlagValues) {
    const given = single('--url', values.url as FlagText) ?? DEFAULT_URL
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
      throw new InputError('--url', `expected an address such as ${DEFAULT_URL}, got '${given}'`)
    }
    const { origin, pathname } = new URL(given)
    this.url = origin + pathname.replace(/\/(?:v1|emulator|window|arena)?\/?$/, '')
    this.#values = values
  }

  /** @throws {ExchangeError} also for an answer of another form */
  async ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: object, prefix?: string): Promise<T> {
    const text = await this.text(method, path, body, prefix)
    const parsed = schema.safeParse(jsonOf(text))
    if (parsed.success) return parsed.data
    throw new ExchangeError('SCHEMA_FAULT', `${this.url} answers, but not as an emulator of this version`)
  }

  /** @throws {InputError} if the emulator refuses, {ExchangeError} if none answers */
  async text(method: string, path: string, body?: object, prefix = '/emulator'): Promise<string> {
    // Only the control API needs the token.
    const token = prefix === '/emulator' ? tokenOf(this.#values) : undefined
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    let response: Response
    let text: string
    try {
      response = await fetch(this.url + prefix + path, request)
      text = await response.text()
    } catch (error) {
      const why = thrownText(error instanceof Error && error.cause !== undefined ? error.cause : error)
      const next = 'start one with papertape serve, or give its address with --url'
      throw new ExchangeError('SERVICE_UNAVAILABLE', `no emulator answers at ${this.url} (${why}): ${next}`, {
        cause: error,
      })
    }
    if (response.ok) return text
    const { data } = refusal.safeParse(jsonOf(text))
    if (data === undefined)
      throw new ExchangeError('SCHEMA_FAULT', `${this.url} is not an emulator (${response.status})`)
    if (response.status === 401) {
      throw new InputError('--admin-token', `${data.error.message}: give the token, or set ${TOKEN_VARIABLE}`)
    }
    throw new InputError(this.url, data.error.message)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
