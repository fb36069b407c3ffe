/** Tools that start, watch and stop emulators and paper sessions. */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { PAPER_FLAGS } from '../paper/paper-flags.ts'
import { SERVE_FLAGS } from '../serve/serve-flags.ts'
import type { Workspace } from './child-command.ts'
import { flagArgs, flags, flagsIn, paramArgs, params, strategy, strategyArg, tapeArgs, tapes } from './command-flags.ts'
import type { Session, Sessions } from './sessions.ts'
import { checkedTool, type Tool, type ToolAnswer } from './tool.ts'

/** Time for the first lines of a session. */
const START_MS = 15_000
const MAX_WAIT_S = 60
const SERVE = Object.keys(SERVE_FLAGS).filter((name) => ['seed', 'speed', 'virtual-clock'].includes(name))
const PAPER = [...flagsIn(PAPER_FLAGS, 'Terms of the run:'), 'symbol']
const ON_MACHINE = /^http:\/\/127\.0\.0\.1:\d+\/v1$/

export interface SessionParts extends Workspace {
  readonly sessions: Sessions
  /** Services that the user allows. */
  readonly urls: readonly string[]
  /** Base URLs of emulators that were started here, by session. */
  readonly emulators: Map<string, string>
}

const session = z.string().describe('id of a session, such as paper-2')

export const sessionTools = (parts: SessionParts): readonly Tool[] => [
  emulatorTool(parts),
  paperTool(parts),
  checkedTool({
    name: 'watch_session',
    scope: 'paper',
    describe: 'Read what an emulator or a paper session has printed, waiting for news.',
    isReadOnly: true,
    input: z.strictObject({
      session,
      after: z.int().min(0).default(0).describe('number of lines that were read before'),
      waitSeconds: z.int().min(0).max(MAX_WAIT_S).default(10),
    }),
    call: async ({ session: id, after, waitSeconds }, signal) => ({
      text: await parts.sessions.of(id).lines(after, waitSeconds * 1_000, signal),
    }),
  }),
  checkedTool({
    name: 'stop_session',
    scope: 'paper',
    describe: 'Stop an emulator or a paper session; a paper session then writes its report.',
    isReadOnly: false,
    input: z.strictObject({ session, after: z.int().min(0).default(0) }),
    call: async ({ session: id, after }, signal) => {
      const found = parts.sessions.of(id)
      await found.stop()
      parts.emulators.delete(id)
      return { text: await found.lines(after, 0, signal) }
    },
  }),
]

const emulatorTool = ({ sandbox, commands, sessions, emulators }: SessionParts): Tool =>
  checkedTool({
    name: 'start_emulator',
    scope: 'paper',
    describe: 'Start a local exchange, with simulated traders or a recording; answers its address and API keys.',
    isReadOnly: false,
    input: z.strictObject({ tapes: tapes.optional(), flags }),
    call: async ({ tapes: recordings = [], flags: given }, signal) => {
      const replay = tapeArgs(sandbox, recordings).map((each) => each.replace(/^--tape=/, '--replay='))
      const args = ['serve', '--port=0', '--json', ...replay, ...flagArgs(sandbox, SERVE, given)]
      if (commands.isDryRun) return commands.planned(args)
      const started = sessions.add('emulator', () => commands.start(args))
      const answer = await begun(started, signal)
      const [, url] = /"baseUrl":"([^"]+)"/.exec(answer.text) ?? []
      if (url !== undefined && ON_MACHINE.test(url)) emulators.set(started.id, url)
      return answer
    },
  })

const paperTool = (parts: SessionParts): Tool =>
  checkedTool({
    name: 'start_paper',
    scope: 'paper',
    describe: 'Run a strategy on live market data with simulated fills, on an emulator or a service the user allows.',
    isReadOnly: false,
    input: z.strictObject({
      strategy,
      params,
      url: z.string().optional().describe('base URL of the service (default: the only one)'),
      flags,
    }),
    call: async (given, signal) => {
      const { sandbox, commands, sessions } = parts
      const name = strategyArg(sandbox, given.strategy)
      const args = [
        ...['paper', name, `--url=${allowedUrl(parts, given.url)}`, '--json'],
        ...[...paramArgs(given.params), ...flagArgs(sandbox, PAPER, given.flags)],
      ]
      if (commands.isDryRun) return commands.planned(args)
      const out = sandbox.newRun('paper')
      const started = sessions.add('paper', () => commands.start([...args, `--out=${out}`]))
      const { text, isError = false } = await begun(started, signal)
      if (isError && !sandbox.keepRun(out)) return { text, isError }
      return { text: `${text}\nfiles: ${out.slice('./'.length)}`, isError }
    },
  })

/** @throws {InputError} if it is none of the allowed services, or the choice is not clear */
function allowedUrl(parts: Pick<SessionParts, 'urls' | 'emulators'>, given: string | undefined): string {
  const allowed = [...parts.urls, ...parts.emulators.values()]
  const list = allowed.length === 0 ? 'none; start_emulator starts one' : allowed.join(', ')
  const url = given ?? (allowed.length === 1 ? allowed[0] : undefined)
  if (url !== undefined && allowed.includes(url)) return url
  throw new InputError('url', `${given === undefined ? 'missing' : `'${given}' is not allowed`}; allowed are: ${list}`)
}

/** First lines of a session, or its failure. */
async function begun(started: Session, signal: AbortSignal): Promise<ToolAnswer> {
  const text = await started.lines(0, START_MS, signal)
  return { text: `session: ${started.id}\n${text}`, isError: !started.isRunning }
}
