/** The official client of the protocol, connected to `papertape mcp` in a process of its own. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach } from 'vitest'
import { BIN, CODE_CACHE } from '../../rig/run-cli.ts'

const CALL_MS = 300_000

export interface Answer {
  readonly text: string
  readonly isError: boolean
  /** Media types of the pictures. */
  readonly pictures: readonly string[]
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly mimeType?: string
}

export class ToolClient {
  readonly client = new Client({ name: 'test', version: '1.0.0' })
  /** Of the server; undefined over HTTP. */
  pid: number | undefined
  stderr = ''

  async names(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name)
  }

  async call(name: string, given: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> {
    const options = { timeout: CALL_MS, ...(signal && { signal }) }
    const { content, isError } = await this.client.callTool({ name, arguments: given }, undefined, options)
    const parts = content as readonly Part[]
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      isError: isError === true,
      pictures: parts.flatMap(({ type, mimeType = '' }) => (type === 'image' ? [mimeType] : [])),
    }
  }

  /** The first JSON object of an answer. @throws for a failed call */
  async json(name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { text, isError } = await this.call(name, given)
    if (isError) throw new Error(`${name}: ${text}`)
    return JSON.parse(text.split('\n')[0] ?? '')
  }
}

interface ServerSettings {
  readonly cwd: string
  readonly flags?: readonly string[]
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Connects clients that are gone after the test. */
export function toolClients(): {
  readonly start: (settings: ServerSettings) => Promise<ToolClient>
  readonly over: (transport: Transport) => Promise<ToolClient>
} {
  const open: ToolClient[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ client }) => client.close()))
  })
  const over = async (transport: Transport): Promise<ToolClient> => {
    const tools = new ToolClient()
    await tools.client.connect(transport)
    open.push(tools)
    return tools
  }
  return {
    over,
    start: async ({ cwd, flags = [], nodeFlags = [], env = {} }) => {
      const { PATH = '', HOME = '' } = process.env
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...nodeFlags, BIN, 'mcp', 'agent', ...flags],
        env: { PATH, HOME, ...CODE_CACHE, ...env },
        stderr: 'pipe',
        cwd,
      })
      const tools = await over(transport)
      tools.pid = transport.pid ?? undefined
      transport.stderr?.on('data', (chunk: Buffer) => (tools.stderr += chunk.toString()))
      return tools
    },
  }
}
