/** All commands by purpose, in the order of the help. */
import type { CliCommand } from './cli-command.ts'
import { ACCOUNT_COMMANDS, accountCommand } from './account/account-command.ts'
import { ARENA_COMMANDS, arenaCommand } from './arena/arena-command.ts'
import { backtestCommand } from './backtest/backtest-command.ts'
import { checkCommand } from './check/check-command.ts'
import { completionCommand } from './completion/completion-command.ts'
import { diffCommand } from './diff/diff-command.ts'
import {
  BRANCH_COMMANDS,
  EMULATOR_COMMANDS,
  emulatorCommand,
  SCENARIO_COMMANDS,
  SNAPSHOT_COMMANDS,
} from './emulator/emulator-command.ts'
import { EXPECT_COMMANDS, expectCommand } from './expect/expect-command.ts'
import { twinCommand } from './twin/twin-command.ts'
import { fetchCommand } from './fetch/fetch-command.ts'
import { forkCommand } from './fork/fork-command.ts'
import { exportCommand } from './export/export-command.ts'
import { generateCommand } from './generate/generate-command.ts'
import { importCommand } from './import/import-command.ts'
import { initCommand } from './init/init-command.ts'
import { liveCommand } from './live/live-command.ts'
import { OPERATOR_COMMANDS, ORDERS_COMMANDS } from './operator/operator-commands.ts'
import { mcpCommand } from './mcp/mcp-command.ts'
import { newCommand } from './new/new-command.ts'
import { paperCommand } from './paper/paper-command.ts'
import { parityCommand } from './parity/parity-command.ts'
import { conformanceCommand } from './conformance/conformance-command.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { queryCommand } from './query/query-command.ts'
import { recordCommand } from './record/record-command.ts'
import { replayCommand } from './replay/replay-command.ts'
import { reportCommand } from './report/report-command.ts'
import { RUNS_COMMANDS, runsCommand } from './runs/runs-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { strategiesCommand } from './strategies/strategies-command.ts'
import { sweepCommand } from './sweep/sweep-command.ts'
import { TAPES_COMMANDS, tapesCommand } from './tapes/tapes-command.ts'
import { trackCommand } from './track/track-command.ts'
import { verifyCommand } from './verify/verify-command.ts'
import { whyCommand } from './why/why-command.ts'
import { workerCommand } from './worker/worker-command.ts'

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly CliCommand[]
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Get started', commands: [initCommand, newCommand] },
  {
    title: 'Run a strategy on recorded data',
    commands: [strategiesCommand, backtestCommand, sweepCommand, workerCommand, checkCommand],
  },
  {
    title: 'Inspect a run',
    commands: [
      reportCommand,
      replayCommand,
      whyCommand,
      diffCommand,
      forkCommand,
      twinCommand,
      verifyCommand,
      expectCommand,
      runsCommand,
      trackCommand,
    ],
  },
  {
    title: 'Recorded data',
    commands: [fetchCommand, importCommand, exportCommand, queryCommand, tapesCommand, generateCommand, recordCommand],
  },
  {
    title: 'Local exchange, paper and live',
    commands: [
      serveCommand,
      emulatorCommand,
      arenaCommand,
      paperCommand,
      liveCommand,
      accountCommand,
      doctorCommand,
      conformanceCommand,
      parityCommand,
    ],
  },
  { title: 'Shell and agents', commands: [completionCommand, mcpCommand] },
]

export const COMMAND_MODULES: readonly CliCommand[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)

/** Subcommands, by the words of their command. */
const BELOW: ReadonlyMap<string, readonly CliCommand[]> = new Map([
  ['expect', EXPECT_COMMANDS],
  ['arena', ARENA_COMMANDS],
  ['emulator', EMULATOR_COMMANDS],
  ['emulator snapshot', SNAPSHOT_COMMANDS],
  ['emulator branch', BRANCH_COMMANDS],
  ['emulator scenario', SCENARIO_COMMANDS],
  ['runs', RUNS_COMMANDS],
  ['tapes', TAPES_COMMANDS],
  ['live', OPERATOR_COMMANDS],
  ['account', ACCOUNT_COMMANDS],
  ['live orders', ORDERS_COMMANDS],
])

/** Name and required arguments of a command: `diff <a> <b>` is `diff`, with `a` and `b`. */
export function commandWords({ command }: CliCommand): {
  readonly name: string
  readonly needed: readonly string[]
  readonly positionals: string
} {
  const [name = '', ...behind] = String(command).split(' ')
  const needed = behind.flatMap((word) => /^<(\w+)(?:\.\.)?>$/.exec(word)?.[1] ?? [])
  return { name, needed, positionals: behind.join(' ') }
}

/** Subcommands of a command. @param path  words so far, such as `live orders` */
export const commandsBelow = (path: string): readonly CliCommand[] => BELOW.get(path) ?? []

/** The command named by the first words of a command line, subcommands included. */
export function commandOf(args: readonly string[]): { readonly path: string; readonly module: CliCommand } | undefined {
  const [first = '', ...others] = args
  let module = COMMAND_MODULES.find((each) => commandWords(each).name === first)
  if (module === undefined) return undefined
  let path = first
  for (const word of others) {
    const next = commandsBelow(path).find((each) => commandWords(each).name === word)
    if (next === undefined) break
    path = `${path} ${word}`
    module = next
  }
  return { path, module }
}
