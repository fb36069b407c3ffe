/**
 * Config of a backtest, as `papertape.config.ts|js|json` has it and as the flags are read into: one schema for both.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { expected } from '../../runtime/settings/form.ts'
import { EACH_TERM, rateLimits } from '../../runtime/settings/run-terms.ts'
import { EACH_READING, type GivenReading } from '../../runtime/settings/tape-reading.ts'
import { turnLimitForm } from '../thread/turn-limit.ts'
import type { TurnLimit } from '../thread/turn-watch.ts'

const reading = Object.fromEntries(EACH_READING.map(([name, { form }]) => [name, form.schema.optional()]))
const terms = Object.fromEntries(EACH_TERM.map(([, { key, form }]) => [key, form.schema.optional()]))

const tapeFile = z.strictObject({ file: z.string(), ...reading })
const tape = z.union([z.string(), tapeFile], expected("'[SYMBOL=]FILE' or { file, symbol, ... }"))

const backtestConfig = z.strictObject({
  strategy: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  tape: z
    .union([tape, z.array(tape)], expected("'[SYMBOL=]FILE', { file, symbol, ... }, or a list of these"))
    .optional(),
  ...reading,
  /** Decimal strings by asset. */
  credit: z.record(z.string(), z.string()).optional(),
  ...terms,
  bounds: z.boolean().optional(),
  out: z.string().optional(),
  force: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  turnLimit: turnLimitForm.schema.optional(),
})

export type TapeConfig = string | ({ readonly file: string } & GivenReading)

/** Terms of the run stand under their keys, each in its form. */
export interface BacktestConfig extends GivenReading {
  readonly [key: string]: unknown
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly tape?: TapeConfig | readonly TapeConfig[] | undefined
  /** Decimal strings by asset. */
  readonly credit?: Readonly<Record<string, string>> | undefined
  readonly bounds?: boolean | undefined
  readonly out?: string | undefined
  readonly force?: boolean | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  /** Seconds of the machine that one turn of the strategy, or its loading, may take. */
  readonly turnLimit?: TurnLimit | undefined
}

/**
 * Checks a config that came from a file.
 *
 * @throws {InputError} at the first key that is unknown or has the wrong form
 */
export function checkConfig(where: string, value: unknown): BacktestConfig {
  const parsed = backtestConfig.safeParse(value)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  if (first === undefined) throw new InputError(where, 'not a config')
  const issue = innermost(first)
  const place = [where, ...issue.path].join(' ')
  throw issue.code === 'unrecognized_keys'
    ? unknownKey(place, issue.keys[0] ?? '', keysAt(issue.path))
    : new InputError(place, issue.message)
}

type Issue = z.core.$ZodIssue

/**
 * Of a union, what the form that fits furthest has to say; the union itself when none goes into the value. An unknown key says
 * more than the key that is missing because of it.
 */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map((each) => innermost({ ...each, path: [...issue.path, ...each.path] }))
  const depth = ({ code, path }: Issue): number => path.length + (code === 'unrecognized_keys' ? 2 : 0)
  return inner.reduce<Issue>((best, each) => (depth(each) > depth(best) ? each : best), issue)
}

function keysAt([top]: readonly PropertyKey[]): readonly string[] {
  if (top === undefined) return Object.keys(backtestConfig.shape)
  return Object.keys(top === 'limits' ? rateLimits.shape : tapeFile.shape)
}

function unknownKey(where: string, key: string, known: readonly string[]): InputError {
  return new InputError(where, `unknown key '${key}'${nearestNameHint(key, known)}`)
}
