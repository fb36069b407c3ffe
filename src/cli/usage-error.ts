/** Usage errors in one line each, with the nearest valid name. */
import type { Options } from 'yargs'
import { InputError } from '../domain/errors.ts'
import { nearestName } from '../domain/nearest-name.ts'
import { commandOf, commandWords, COMMAND_MODULES } from './commands.ts'
import { INVITE_FLAGS } from './arena/arena-command.ts'
import { DIFF_FLAGS } from './diff/diff-command.ts'
import { BRANCH_FLAGS, EMULATOR_FLAGS, REWIND_FLAGS, SNAPSHOT_FLAGS } from './emulator/emulator-command.ts'
import { EXPECT_FLAGS } from './expect/expect-command.ts'
import { EXPORT_FLAGS } from './export/export-command.ts'
import { FETCH_FLAGS } from './fetch/fetch-command.ts'
import { GENERATE_FLAGS } from './generate/generate-command.ts'
import { INIT_FLAGS } from './init/init-command.ts'
import { MCP_FLAGS } from './mcp/mcp-command.ts'
import { NEW_FLAGS } from './new/new-command.ts'
import { CONFORMANCE_FLAGS } from './conformance/conformance-command.ts'
import { QUERY_FLAGS } from './query/query-command.ts'
import { RUNS_FLAGS } from './runs/runs-command.ts'
import { STRATEGIES_FLAGS } from './strategies/strategies-command.ts'
import { REPLAY_FLAGS } from './replay/replay-command.ts'
import { REPORT_FLAGS } from './report/report-command.ts'
import { TAPES_FLAGS } from './tapes/tapes-command.ts'
import { ACCOUNT_FLAGS, CANCEL_FLAGS, HISTORY_FLAGS } from './account/account-command.ts'
import { TRACK_FLAGS } from './track/track-command.ts'
import { DOCTOR_FLAGS } from './doctor/doctor-command.ts'
import { WHY_FLAGS } from './why/why-command.ts'
import { WORKER_FLAGS } from './worker/worker-command.ts'

type Flags = Readonly<Record<string, Options>>

/** Flags by command, loaded on demand. */
const FLAGS_BY_COMMAND: Readonly<Record<string, () => Promise<Flags>>> = {
  init: () => Promise.resolve(INIT_FLAGS),
  new: () => Promise.resolve(NEW_FLAGS),
  backtest: async () => (await import('./backtest/backtest-flags.ts')).BACKTEST_FLAGS,
  sweep: async () => (await import('./sweep/sweep-flags.ts')).SWEEP_FLAGS,
  worker: () => Promise.resolve(WORKER_FLAGS),
  verify: async () => (await import('./verify/verify-flags.ts')).VERIFY_FLAGS,
  fork: async () => (await import('./fork/fork-flags.ts')).FORK_FLAGS,
  twin: async () => (await import('./twin/twin-flags.ts')).TWIN_FLAGS,
  check: async () => (await import('./check/check-flags.ts')).CHECK_FLAGS,
  why: () => Promise.resolve(WHY_FLAGS),
  diff: () => Promise.resolve(DIFF_FLAGS),
  expect: () => Promise.resolve(EXPECT_FLAGS),
  replay: () => Promise.resolve(REPLAY_FLAGS),
  report: () => Promise.resolve(REPORT_FLAGS),
  runs: () => Promise.resolve(RUNS_FLAGS),
  track: () => Promise.resolve(TRACK_FLAGS),
  fetch: () => Promise.resolve(FETCH_FLAGS),
  import: async () => (await import('./import/import-flags.ts')).IMPORT_FLAGS,
  export: () => Promise.resolve(EXPORT_FLAGS),
  query: () => Promise.resolve(QUERY_FLAGS),
  tapes: () => Promise.resolve(TAPES_FLAGS),
  generate: () => Promise.resolve(GENERATE_FLAGS),
  serve: async () => (await import('./serve/serve-flags.ts')).SERVE_FLAGS,
  emulator: () => Promise.resolve({ ...EMULATOR_FLAGS, ...SNAPSHOT_FLAGS, ...BRANCH_FLAGS, ...REWIND_FLAGS }),
  arena: async () => ({
    ...EMULATOR_FLAGS,
    ...INVITE_FLAGS,
    ...(await import('./arena/arena-serve-flags.ts')).ARENA_SERVE_FLAGS,
  }),
  paper: async () => (await import('./paper/paper-flags.ts')).PAPER_FLAGS,
  record: async () => (await import('./record/record-flags.ts')).RECORD_FLAGS,
  account: () => Promise.resolve({ ...ACCOUNT_FLAGS, ...CANCEL_FLAGS, ...HISTORY_FLAGS }),
  doctor: () => Promise.resolve(DOCTOR_FLAGS),
  conformance: () => Promise.resolve(CONFORMANCE_FLAGS),
  live: async () => ({
    ...(await import('./operator/operator-flags.ts')).OPERATOR_FLAGS,
    ...(await import('./live/live-flags.ts')).LIVE_FLAGS,
  }),
  parity: async () => (await import('./parity/parity-flags.ts')).PARITY_FLAGS,
  strategies: () => Promise.resolve(STRATEGIES_FLAGS),
  mcp: () => Promise.resolve(MCP_FLAGS),
  completion: () => Promise.resolve({}),
}

/** Names of flags in other tools, and their equivalents. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['balance', 'balances', 'capital', 'cash', 'deposit', 'funds', 'money'].map((name) => [name, ['credit']]),
  ),
  ...Object.fromEntries(['commission', 'fee', 'fees'].map((name) => [name, ['taker-fee']])),
  ...Object.fromEntries(['begin', 'since', 'start'].map((name) => [name, ['from', 'start']])),
  ...Object.fromEntries(['end', 'until'].map((name) => [name, ['to']])),
  file: ['tape'],
  data: ['tape'],
  latency: ['order-latency'],
  output: ['out'],
  slippage: ['liquidity'],
  arg: ['param'],
  args: ['param'],
  params: ['param'],
  market: ['symbol'],
  pair: ['symbol'],
}

/** All commands, in the order of the help. */
const COMMANDS = COMMAND_MODULES.map((each) => commandWords(each).name)

export const isSwitch = ({ type }: Options): boolean => type === 'boolean'

/** Flags of the command named first; empty for an unknown command. */
export const flagsOf = async (args: readonly string[]): Promise<Flags> =>
  (await FLAGS_BY_COMMAND[args[0] ?? '']?.()) ?? {}

/**
 * Refuses input that yargs would silently ignore: a value of a switch, which it reads as false unless it is `true`, and
 * everything after `--`.
 *
 * @throws {InputError} at the first one
 */
export async function refuseIgnored(args: readonly string[]): Promise<void> {
  const switches = Object.entries(await flagsOf(args)).flatMap(([name, options]) => (isSwitch(options) ? [name] : []))
  for (const arg of args) {
    if (arg === '--') throw new InputError('--', 'there is nothing to separate: remove it')
    const [, no = '', name = '', value = ''] = /^--(no-)?([^=]+)=(.*)$/s.exec(arg) ?? []
    if (switches.includes(name)) throw new InputError(`--${no}${name}`, `expected no value, got '${value}'`)
  }
}

/**
 * @param message  English message of yargs
 * @param args     the command line
 */
export async function usageError(message: string, args: readonly string[]): Promise<InputError> {
  const [, valueless] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (valueless !== undefined) return new InputError(`--${valueless}`, 'expected a value')
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? []
  if (unknown !== undefined)
    return new InputError('papertape', await unknownArgument(unknown.split(', ')[0] ?? '', args))
  const [, given] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? []
  return given === undefined ? new InputError('papertape', message) : missingArgument(args, Number(given))
}

/** @param given  number of required arguments that are present */
function missingArgument(args: readonly string[], given: number): InputError {
  const command = commandOf(args)
  const needed = command === undefined ? [] : commandWords(command.module).needed
  const name = needed[Math.min(given, needed.length - 1)]
  const path = command?.path ?? ''
  return new InputError(
    path,
    `expected ${name === undefined ? 'an argument' : `<${name}>`}; see papertape ${path} --help`,
  )
}

/** @throws {InputError} for an unknown command */
export function knownCommand(name: string): void {
  if (!COMMANDS.includes(name)) throw new InputError('papertape', unknownCommand(name))
}

async function unknownArgument(name: string, args: readonly string[]): Promise<string> {
  const flags = args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? [])
  const flag = flags.find((each) => each === name || each === `no-${name}`)
  if (flag !== undefined) {
    const names = await flagNames(args)
    const meant = (MEANT[flag] ?? []).find((each) => names.includes(each))
    return `unknown flag --${flag}${hint(meant ?? nearestName(flag, names), '--')}`
  }
  if (args.some((arg) => /^-[^-]/.test(arg) && arg.includes(name))) return `unknown flag -${name}`
  return `unexpected argument '${name}'`
}

const unknownCommand = (name: string): string => {
  const nearest = nearestName(name, COMMANDS)
  return `unknown command '${name}'${nearest === undefined ? '; see papertape --help' : hint(nearest, '')}`
}

async function flagNames(args: readonly string[]): Promise<readonly string[]> {
  const named = Object.entries(await flagsOf(args)).flatMap(([name, options]) =>
    isSwitch(options) ? [name, `no-${name}`] : [name],
  )
  return [...named, 'help', 'version']
}

const hint = (nearest: string | undefined, prefix: string): string =>
  nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
