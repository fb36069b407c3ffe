/**
 * The tools of `papertape mcp` for one client: lists those in the scope, and calls them.
 *
 * Invariants: a tool outside of the scope is not listed and not called. Every call is recorded before it starts and
 * when it ends; a call that cannot be recorded is refused.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type * as schemas from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { ExchangeError, InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { isFileFault } from '../../domain/write-fault.ts'
import { version } from '../../runtime/version.ts'
import type { AnswerPages } from './answer-pages.ts'
import type { Scope, Tool, ToolAnswer } from './tool.ts'

/** The one place that loads the SDK: an optional package, for this command alone. */
export interface McpPackages {
  readonly McpServer: typeof McpServer
  readonly schemas: typeof schemas
}

export interface CallRecord {
  readonly event: 'call' | 'answer'
  /** Number of the call, since the server started. */
  readonly call: number
  readonly tool: string
  readonly arguments: unknown
  readonly outcome?: 'done' | 'error' | 'refused' | 'cancelled'
  readonly durationMs?: number
}

export interface ServerParts {
  readonly packages: McpPackages
  /** All tools, also those outside of the scope. */
  readonly tools: readonly Tool[]
  readonly scopes: ReadonlySet<Scope>
  readonly pages: AnswerPages
  /** @returns false if the record could not be written */
  readonly record: (record: CallRecord) => boolean
  /** Reports a bug. */
  readonly onBug: (error: unknown) => void
  readonly now: () => number
  readonly nextCall: () => number
}

const INSTRUCTIONS = `papertape backtests trading strategies. Begin with read_docs. Write strategies with write_strategy,
check them with check_types, run them with backtest, and judge the result with sweep, check, why and read_report.`

export function mcpServer(parts: ServerParts): McpServer {
  const { packages, tools, scopes } = parts
  const { CallToolRequestSchema, ListToolsRequestSchema } = packages.schemas
  const server = new packages.McpServer({ name: 'papertape', version: version() }, { instructions: INSTRUCTIONS })
  server.server.registerCapabilities({ tools: {} })
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.filter(isGranted(scopes)).map(listed),
  }))
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    resultOf(await recordedCall(parts, params.name, params.arguments ?? {}, signal)),
  )
  return server
}

const listed = ({ name, scope, describe, isReadOnly, input }: Tool): ListToolsResult['tools'][number] => ({
  name,
  description: describe,
  inputSchema: z.toJSONSchema(input, { io: 'input' }) as ListToolsResult['tools'][number]['inputSchema'],
  annotations: {
    readOnlyHint: isReadOnly,
    destructiveHint: scope === 'live',
    openWorldHint: scope === 'paper' || scope === 'live',
  },
})

const isGranted =
  (scopes: ReadonlySet<Scope>) =>
  ({ scope }: Tool): boolean =>
    scope === undefined || scopes.has(scope)

const resultOf = ({ text, picture, isError = false }: ToolAnswer): CallToolResult => ({
  content: [
    { type: 'text', text },
    ...(picture === undefined
      ? []
      : [{ type: 'image' as const, data: picture.toString('base64'), mimeType: 'image/png' }]),
  ],
  isError,
})

async function recordedCall(
  parts: ServerParts,
  name: string,
  given: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const begun = parts.now()
  const call = { call: parts.nextCall(), tool: name, arguments: withoutToken(given) }
  if (!parts.record({ event: 'call', ...call }))
    return { text: 'the audit log cannot be written: no tool is called without it', isError: true }
  const { answer, isRefused } = await answered(parts, name, given, signal)
  const isError = answer.isError === true
  const outcome = signal.aborted ? 'cancelled' : isRefused ? 'refused' : isError ? 'error' : 'done'
  parts.record({ event: 'answer', ...call, outcome, durationMs: Math.round(parts.now() - begun) })
  return { ...answer, text: parts.pages.firstOf(answer.text) }
}

interface Answered {
  readonly answer: ToolAnswer
  readonly isRefused: boolean
}

async function answered(parts: ServerParts, name: string, given: unknown, signal: AbortSignal): Promise<Answered> {
  const { tools, scopes } = parts
  const refused = (text: string): Answered => ({ answer: { text, isError: true }, isRefused: true })
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    const names = tools.filter(isGranted(scopes)).map((each) => each.name)
    return refused(`there is no tool '${name}'${nearestNameHint(name, names)}`)
  }
  if (!isGranted(scopes)(tool))
    return refused(`${name}: needs the scope ${String(tool.scope)}, which the user did not grant`)
  try {
    return { answer: await tool.call(given, signal), isRefused: false }
  } catch (error) {
    if (error instanceof InputError || isFileFault(error)) return refused(error.message)
    if (error instanceof ExchangeError)
      return { answer: { text: `${name}: ${error.message}`, isError: true }, isRefused: false }
    parts.onBug(error)
    return { answer: { text: `${name}: internal error; the user sees it on stderr`, isError: true }, isRefused: false }
  }
}

/** Arguments for the audit log: a one-time token is a secret until it was used. */
const withoutToken = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'token' in given ? { ...given, token: '...' } : given
