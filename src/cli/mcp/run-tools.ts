/** Tools that run a strategy on recorded data, and those that explain a run. */
import { basename } from 'node:path'
import { z } from 'zod'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'
import { CHECK_FLAGS } from '../check/check-flags.ts'
import { SWEEP_FLAGS } from '../sweep/sweep-flags.ts'
import { TWIN_FLAGS } from '../twin/twin-flags.ts'
import {
  type GivenFlags,
  flagArgs,
  flags,
  flagsIn,
  paramArgs,
  params,
  strategy,
  strategyArg,
  tapeArgs,
  tapes,
} from './command-flags.ts'
import type { Workspace } from './child-command.ts'
import { checkedTool, type Tool, type ToolAnswer } from './tool.ts'

const RUN_GROUPS = ['Reading a tape:', 'Terms of the run:', 'Risk limits:']
const BACKTEST = [...flagsIn(BACKTEST_FLAGS, ...RUN_GROUPS), 'vary', 'robustness', 'null']
const SWEEP = flagsIn(SWEEP_FLAGS, ...RUN_GROUPS, 'The sweep:', 'Tests of the best result:')
const CHECK = Object.keys(CHECK_FLAGS).filter((name) => ['runs', 'seed', 'symbol'].includes(name))
const TWIN = Object.keys(TWIN_FLAGS).filter((name) => !['out', 'force', 'json', 'turn-limit'].includes(name))

const run = z.string().describe('directory of a run, such as runs/grid-1')
const asText = z.boolean().default(false).describe('answer with the summary for people instead of JSON')

const jsonUnless = (isText: boolean): readonly string[] => (isText ? [] : ['--json'])

export const runTools = (workspace: Workspace): readonly Tool[] => [
  backtestTool(workspace),
  sweepTool(workspace),
  checkTool(workspace),
  ...explainTools(workspace),
]

const backtestTool = (workspace: Workspace): Tool =>
  checkedTool({
    name: 'backtest',
    scope: 'read',
    describe: 'Run a strategy on recorded data. The files of the run are in the directory that is named at the end.',
    isReadOnly: false,
    input: z.strictObject({ strategy, tapes, params, flags, asText }),
    call: async (given, signal) => {
      const args = runArgs('backtest', workspace, given, BACKTEST)
      // Runs in other worlds write no directory.
      const isOne = !['vary', 'robustness', 'null'].some((each) => given.flags?.[each] !== undefined)
      return isOne ? await intoRun(workspace, args, signal) : await workspace.commands.answer(args, signal)
    },
  })

const sweepTool = (workspace: Workspace): Tool =>
  checkedTool({
    name: 'sweep',
    scope: 'read',
    describe: 'Run a strategy with many parameter values, rank the results, and test whether the best is luck.',
    isReadOnly: false,
    input: z.strictObject({
      strategy,
      tapes,
      params: params.describe('values of parameters by name, such as {"fast": "5..50/5", "slow": [20, 50]}'),
      flags,
      asText,
    }),
    call: (given, signal) => intoRun(workspace, runArgs('sweep', workspace, given, SWEEP), signal),
  })

const checkTool = ({ sandbox, commands }: Workspace): Tool =>
  checkedTool({
    name: 'check',
    scope: 'read',
    describe: 'Look for faults of a strategy on randomly generated markets.',
    isReadOnly: false,
    input: z.strictObject({ strategy, params, flags, asText }),
    call: (given, signal) =>
      commands.answer(
        [
          ...['check', strategyArg(sandbox, given.strategy), ...paramArgs(given.params)],
          ...[...flagArgs(sandbox, CHECK, given.flags), ...jsonUnless(given.asText)],
        ],
        signal,
        [0, 1],
      ),
  })

const explainTools = ({ sandbox, commands }: Workspace): readonly Tool[] => [
  whyTool({ sandbox, commands }),
  checkedTool({
    name: 'diff',
    scope: 'read',
    describe: 'Show where two runs diverge, and why.',
    isReadOnly: true,
    input: z.strictObject({
      a: run,
      b: run,
      all: z.boolean().default(false).describe('list every difference'),
      asText,
    }),
    call: ({ a, b, all, asText: isText }, signal) =>
      commands.answer(
        [
          ...['diff', sandbox.argument('a', a), sandbox.argument('b', b)],
          ...[...(all ? ['--all'] : []), ...jsonUnless(isText)],
        ],
        signal,
        [0, 1],
      ),
  }),
  checkedTool({
    name: 'twin',
    scope: 'read',
    describe: 'Split the gap between a paper or live session and its backtest into causes.',
    isReadOnly: true,
    input: z.strictObject({ session: run, flags, asText }),
    call: ({ session, flags: given, asText: isText }, signal) =>
      commands.answer(
        ['twin', sandbox.argument('session', session), ...flagArgs(sandbox, TWIN, given), ...jsonUnless(isText)],
        signal,
      ),
  }),
]

const whyTool = ({ sandbox, commands }: Workspace): Tool =>
  checkedTool({
    name: 'why',
    scope: 'read',
    describe: 'Explain why an order filled, filled late, or did not fill. Orders are in orders.csv of the run.',
    isReadOnly: true,
    input: z.strictObject({
      run,
      order: z
        .string()
        .regex(/^\w[\w:.-]*$/, 'expected the id of an order, or ref:N')
        .describe('id of the order; ref:N for a refused request of journal.jsonl'),
      asText,
    }),
    call: ({ run: path, order, asText: isText }, signal) =>
      commands.answer(['why', sandbox.argument('run', path), order, ...jsonUnless(isText)], signal),
  })

interface GivenRun {
  readonly strategy: string
  readonly tapes: readonly string[]
  readonly params?: GivenFlags
  readonly flags?: GivenFlags
  readonly asText: boolean
}

/** A command line of `backtest` or `sweep`. */
const runArgs = (
  command: string,
  { sandbox }: Workspace,
  given: GivenRun,
  allowed: readonly string[],
): readonly string[] => [
  command,
  strategyArg(sandbox, given.strategy),
  ...tapeArgs(sandbox, given.tapes),
  ...paramArgs(given.params),
  ...flagArgs(sandbox, allowed, given.flags),
  ...jsonUnless(given.asText),
]

/** Runs a command that writes a directory of its own, and names it. */
async function intoRun(
  { sandbox, commands }: Workspace,
  args: readonly string[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const name = basename(args[1] ?? '').replace(/\.[cm]?[jt]s$/, '')
  if (commands.isDryRun) return commands.planned([...args, `--out=runs/${name}-N`])
  const out = sandbox.newRun(`${name}${args[0] === 'sweep' ? '-sweep' : ''}`)
  const answer = await commands.answer([...args, `--out=${out}`], signal)
  if (!sandbox.keepRun(out)) return answer
  return { ...answer, text: `${answer.text}\n\nfiles: ${out.slice('./'.length)}` }
}
