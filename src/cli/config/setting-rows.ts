/** Settings of a real-time command, one row each, from which its flag and its config key are made. */
import type { Options } from 'yargs'
import type { z } from 'zod'
import { setting } from '../../domain/setting-name.ts'
import type { Form } from '../../runtime/settings/form.ts'
import type { FlagValues } from '../cli-command.ts'
import { flagName } from '../flag-words.ts'
import { single, type FlagText } from '../option-values.ts'

export interface SettingRow {
  readonly words: string
  readonly form: Form<unknown>
  /** Heading in the help. */
  readonly group?: string
  /** Path in error messages; default: the key. */
  readonly option?: string
}

/** Rows by config key. */
export type SettingRows = Readonly<Record<string, SettingRow>>

export const flagsOfRows = (rows: SettingRows, more: Options = {}): Readonly<Record<string, Options>> =>
  Object.fromEntries(
    Object.entries(rows).map(([key, { words, form, group }]): [string, Options] => [
      flagName(key),
      {
        ...(form.ofText === undefined ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
        describe: words,
        ...(group !== undefined && { group }),
        ...more,
      },
    ]),
  )

export const shapeOfRows = (rows: SettingRows): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    Object.entries(rows).map(([key, { form, words }]) => [key, form.schema.optional().describe(words)]),
  )

/**
 * The value of each setting: from the flag, otherwise from the file, otherwise undefined.
 *
 * @throws {InputError} naming a flag with an invalid value
 */
export function valuesOfRows(
  rows: SettingRows,
  flags: FlagValues,
  file: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(rows).map(([key, row]) => [key, flagValue(key, row, flags) ?? file[key]] as const),
  )
}

function flagValue(key: string, { form, option = key }: SettingRow, flags: FlagValues): unknown {
  const flag = flagName(key)
  if (form.ofText === undefined) return flags[flag]
  const given = single(`--${flag}`, flags[flag] as FlagText)
  return given === undefined ? undefined : form.ofText(setting(option), given)
}
