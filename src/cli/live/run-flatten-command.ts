/**
 * `papertape live flatten`, once its flags are read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { InputError } from '../../domain/errors.ts'
import { accountView } from '../../run/operator.ts'
import { flatten, type FlattenOptions } from '../../run/flatten.ts'
import { readDuration } from '../../runtime/settings/form.ts'
import type { FlattenCommand, OperatorAnswer } from '../../store/state/live/operator-command.ts'
import { apiKey } from '../api-key.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { operatorAccount, type FlagValues } from './operator-flags.ts'

const DEFAULT_WITHIN = '2m'

/** Sends the command. @param waitMs  timeout for the answer of a process */
export type Flatten = (command: FlattenCommand, waitMs: number) => Promise<OperatorAnswer>

const WAIT_MS = 15_000

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
      print(plan, isJson)
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
  print(answer, isJson)
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

function print({ isDone, message, result }: OperatorAnswer, isJson: boolean): void {
  if (isJson) io.stdout.write(`${JSON.stringify(result ?? { isDone, message })}\n`)
  else io.stdout.write(`${message}\n`)
}
