/** `papertape mcp`, after its flags are parsed: serves the tools on stdin and stdout until the client ends. */
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { integer } from '../../runtime/settings/form.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { version } from '../../runtime/version.ts'
import { AuditLog } from '../../server/emulator/audit-log.ts'
import { apiKey } from '../api-key.ts'
import type { FlagValues } from '../cli-command.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { type FlagText, several, single } from '../option-values.ts'
import { onEndSignals } from '../until-signalled.ts'
import { HttpClients } from './http-clients.ts'
import { AnswerPages } from './answer-pages.ts'
import { Commands } from './child-command.ts'
import { fileTools } from './file-tools.ts'
import { type CallRecord, mcpServer, type McpPackages, type ServerParts } from './mcp-server.ts'
import { Confirmations, liveTools } from './live-tools.ts'
import { reportTool } from './report-tool.ts'
import { runTools } from './run-tools.ts'
import { Sandbox } from './sandbox.ts'
import { sessionTools } from './session-tools.ts'
import { Sessions } from './sessions.ts'
import { type Scope, SCOPES, type Tool } from './tool.ts'

const DEFAULT_CALL_TIME = '300'
const DEFAULT_MEMORY = '2048'
const TOKEN = 'PAPERTAPE_MCP_TOKEN'

/** @throws {InputError} if the SDK is not installed */
async function loadPackages(): Promise<McpPackages> {
  try {
    const [{ McpServer }, schemas] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    return { McpServer, schemas }
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const message = `needs the package @modelcontextprotocol/sdk; run npm install @modelcontextprotocol/sdk (${why})`
    throw new InputError('mcp', message, { cause: error })
  }
}

/** @throws {InputError} for an unknown scope */
function scopesOf(text: string): ReadonlySet<Scope> {
  const names = text.split(',').map((each) => each.trim())
  const scopes = SCOPES.filter((each) => names.includes(each))
  const unknown = names.find((name) => !SCOPES.some((each) => each === name))
  if (unknown !== undefined)
    throw new InputError('--scope', `expected names of ${SCOPES.join(', ')} separated by commas, got '${unknown}'`)
  return new Set(scopes)
}

/** @returns the exit code @throws {InputError} for an invalid flag, or without the SDK */
export async function serveTools(folder: string, values: FlagValues): Promise<number> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const http = text('http')
  const scopes = scopesOf(text('scope') ?? 'read')
  const port = http === undefined ? undefined : integer(0, 65_535).ofText(setting('http'), http)
  if (port === undefined && values.json === true) throw new InputError('--json', 'is for the address of --http')
  const packages = await loadPackages()
  const pages = new AnswerPages()
  const sessions = new Sessions()
  const tools = toolsOf(new Sandbox(folder), sessions, scopes, values)
  const file = text('audit-log')
  const audit = file === undefined ? undefined : new AuditLog<CallRecord>(file, report)
  let calls = 0
  const parts: ServerParts = {
    packages,
    tools: [...tools, pages.tool],
    scopes,
    pages,
    record: (record) => audit?.record(record) ?? true,
    onBug: (error) => report(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    now: () => performance.now(),
    nextCall: () => (calls += 1),
  }
  try {
    if (port === undefined) await serveStdio(parts)
    else await serveHttp(parts, port, givenToken(), values.json === true)
  } finally {
    await sessions.close()
    audit?.close()
  }
  return EXIT.done
}

/** All tools, also those outside of the scope. @throws {InputError} for an invalid flag */
function toolsOf(
  sandbox: Sandbox,
  sessions: Sessions,
  scopes: ReadonlySet<Scope>,
  values: FlagValues,
): readonly Tool[] {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const whole = (flag: string, max: number, given: string): number => integer(1, max).ofText(setting(flag), given)
  const timeMs = whole('call-time', 86_400, text('call-time') ?? DEFAULT_CALL_TIME) * 1_000
  const memoryMb = whole('memory', 1_048_576, text('memory') ?? DEFAULT_MEMORY)
  const isDryRun = values['dry-run'] === true
  const commands = new Commands({ folder: sandbox.folder, env: io.env, timeMs, memoryMb, isDryRun })
  const urls = several('--url', values.url as FlagText).map((url) => serviceUrlForm.ofText(setting('url'), url))
  const isLive = scopes.has('live')
  if (isLive && urls.length !== 1) throw new InputError('--url', 'the scope live needs the base URL of one service')
  const workspace = { sandbox, commands }
  const confirmations = new Confirmations(tokenWriter(sandbox, text('confirm-file')), () => performance.now())
  return [
    ...fileTools(workspace),
    ...runTools(workspace),
    reportTool(workspace),
    ...sessionTools({ ...workspace, sessions, urls, emulators: new Map() }),
    ...liveTools({ ...workspace, url: urls[0] ?? '', apiKey: isLive ? apiKey() : '', confirmations, timeMs }),
  ]
}

/** Shows tokens in a file that no tool reads, or on stderr. @throws {InputError} for a file in the folder */
function tokenWriter(sandbox: Sandbox, file: string | undefined): (text: string) => void {
  if (file === undefined) return report
  const path = resolve(file)
  if (!relative(sandbox.folder, path).startsWith('..'))
    throw new InputError('--confirm-file', `'${file}' is in the folder of the tools; choose another place`)
  return (line) => appendFileSync(path, `${isoTime(Date.now())} ${line}\n`, { mode: 0o600 })
}

const report = (text: string): void => void io.stderr.write(`papertape: ${text}\n`)

/** Serves one client until it closes stdin, or a signal. */
async function serveStdio(parts: ServerParts): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const server = mcpServer(parts)
  const ended = new Promise<void>((resolve) => {
    io.stdin.once('end', resolve)
    io.stdin.once('close', resolve)
    onEndSignals({ first: () => resolve() })
  })
  await server.connect(new StdioServerTransport(io.stdin, io.stdout))
  await ended
  // Aborts the calls that go on.
  await server.close()
}

/** Serves clients on this machine until a signal. @param token  undefined to make one */
async function serveHttp(parts: ServerParts, port: number, token: string | undefined, isJson: boolean): Promise<void> {
  const secret = token ?? randomBytes(24).toString('base64url')
  const clients = new HttpClients(parts, secret)
  const url = await clients.listen(port)
  const shown = token === undefined ? secret : null
  io.stdout.write(
    isJson
      ? `${JSON.stringify({ url, token: shown })}\n`
      : `papertape ${version()} offers its tools at ${url}; press Ctrl-C to stop\ntoken  ${shown ?? `that of ${TOKEN}`}\n`,
  )
  await new Promise<void>((resolve) => {
    onEndSignals({ first: () => resolve() })
  })
  await clients.close()
}

/** Bearer token of the environment, which no other user sees. @throws {InputError} for one that is easy to guess */
function givenToken(): string | undefined {
  const token = io.env[TOKEN]?.trim() ?? ''
  if (token === '') return undefined
  if (/^[\x21-\x7e]{16,}$/.test(token)) return token
  throw new InputError(TOKEN, 'expected at least 16 characters that an HTTP header can carry')
}
