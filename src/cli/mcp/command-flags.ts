/** Flags of a command as the input of a tool, and as arguments: the same names and checks as on a command line. */
import type { Options } from 'yargs'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import type { Sandbox } from './sandbox.ts'

/** Flags whose value is a name, or a file with code. */
const NAME_OR_FILE: ReadonlySet<string> = new Set(['liquidity', 'objective'])
/** Flags that a tool has as inputs of their own, or that reach another place than the folder. */
const OWN: ReadonlySet<string> = new Set(['tape', 'depth', 'series', 'param', 'redis', 'url'])

const value = z.union([z.string(), z.number(), z.boolean()])

export const params = z
  .record(z.string(), z.union([value, z.array(value)]))
  .optional()
  .describe('parameters of the strategy by name')

export const flags = z
  .record(z.string(), z.union([value, z.array(value)]))
  .optional()
  .describe('more flags of the command by name, such as {"taker-fee": 10, "from": "2024-01-05"}; see read_docs')

export const tapes = z
  .array(z.string())
  .min(1)
  .max(20)
  .describe('recordings, [SYMBOL=]FILE, such as BTC_USD=data/btc_usd.csv.gz')

export const strategy = z.string().describe('name of a ready strategy, or path of a file in the folder')

export type GivenFlags = Readonly<Record<string, z.output<typeof value> | z.output<typeof value>[]>> | undefined

/** Flags of some groups of a command. */
export const flagsIn = (all: Readonly<Record<string, Options>>, ...groups: readonly string[]): readonly string[] =>
  Object.entries(all).flatMap(([name, { group }]) => (groups.includes(group ?? '') && !OWN.has(name) ? [name] : []))

/** @throws {InputError} for a flag that is not allowed */
export const flagArgs = (sandbox: Sandbox, allowed: readonly string[], given: GivenFlags): readonly string[] =>
  Object.entries(given ?? {}).flatMap(([name, values]) => {
    if (!allowed.includes(name))
      throw new InputError(`flags.${name}`, `is no flag of this tool${nearestNameHint(name, allowed)}`)
    return [values].flat().map((each) => {
      if (typeof each === 'boolean') return each ? `--${name}` : `--no-${name}`
      const isPath = NAME_OR_FILE.has(name) && /[/\\.]/.test(String(each))
      return `--${name}=${isPath ? sandbox.argument(`flags.${name}`, String(each)) : each}`
    })
  })

/** Several values of a parameter, as of a sweep, are one argument. */
export const paramArgs = (given: GivenFlags): readonly string[] =>
  Object.entries(given ?? {}).map(([name, values]) => `--param=${name}=${[values].flat().join(',')}`)

/** @throws {InputError} for a path that leads out of the folder */
export const tapeArgs = (sandbox: Sandbox, given: readonly string[]): readonly string[] =>
  given.map((each) => {
    const [, symbol = '', file = ''] = /^([A-Za-z0-9_]+=)?(.+)$/s.exec(each) ?? []
    return `--tape=${symbol}${sandbox.recording('tapes', file)}`
  })

/** A name as it is; a path from the folder. */
export const strategyArg = (sandbox: Sandbox, given: string): string =>
  /^[a-z][a-z\d-]*$/.test(given) ? given : sandbox.argument('strategy', given)
