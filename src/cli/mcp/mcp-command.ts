/**
 * `papertape mcp`: the commands as tools for language models.
 */
import type { Options } from 'yargs'
import type { CliCommand } from '../cli-command.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const MCP_FLAGS = {
  scope: text('tools to offer, separated by commas: read (with backtests), paper, live (default: read)'),
  url: text('base URL of a service that paper sessions may use, and that of the scope live; repeatable'),
  'confirm-file': text('file for the one-time tokens of live actions (default: stderr)'),
  http: text('port to serve on instead of stdin and stdout, only for this machine; 0 picks a free one'),
  'dry-run': { type: 'boolean', describe: 'answer what tools would write, run or trade, without doing it' },
  'audit-log': text('file to append each call and its outcome to, as JSON lines'),
  'call-time': text('seconds that a call may take (default: 300)'),
  memory: text('megabytes of heap for each thread of a command (default: 2048)'),
  json: { type: 'boolean', describe: 'with --http, print the address and the token as one line of JSON' },
} as const satisfies Record<string, Options>

export const mcpCommand: CliCommand = {
  command: 'mcp <folder>',
  describe: 'offer the commands as tools to language models (MCP)',
  builder: (yargs) =>
    yargs
      .positional('folder', {
        type: 'string',
        demandOption: true,
        describe: 'the one folder that tools read and write; created if it is missing',
      })
      .options(MCP_FLAGS)
      .example('$0 mcp agent', '')
      .example('$0 mcp agent --http 8765', '')
      .example('$0 mcp agent --audit-log agent.jsonl', ''),
  handler: async ({ folder, ...values }) => {
    const { serveTools } = await import('./run-mcp-command.ts')
    return await serveTools(String(folder), values)
  },
}
