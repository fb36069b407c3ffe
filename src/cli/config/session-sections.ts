/**
 * Sections of a config file: the settings of `live`, `paper` and `record` that a backtest does not have, or that differ
 * there.
 *
 * A setting outside a section is shared by every command that has it; the command's own section wins.
 */
import { z } from 'zod'
import type { FlagValues } from '../flag-values.ts'
import { LIVE_ROWS } from './live-rows.ts'
import { PAPER_ROWS } from './paper-rows.ts'
import { RECORD_ROWS } from './record-rows.ts'
import { shapeOfRows } from './setting-rows.ts'

const params = z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy, over those above')
const credit = z.record(z.string(), z.string()).optional().describe('initial balances, a decimal string by asset')

export const SECTIONS = {
  live: z.strictObject({ params, ...shapeOfRows(LIVE_ROWS) }),
  paper: z.strictObject({ params, credit, ...shapeOfRows(PAPER_ROWS) }),
  record: z.strictObject(shapeOfRows(RECORD_ROWS)),
} as const

export type SectionName = keyof typeof SECTIONS

export const isSectionName = (name: PropertyKey): name is SectionName => Object.hasOwn(SECTIONS, name)

/** Of a backtest alone when they are not in a section: its directory, its database, and the market of its tape. */
const NOT_SHARED: readonly string[] = ['out', 'db', 'symbol']

/** The settings of a file that one command uses. */
export interface SessionConfig {
  readonly strategy: string | undefined
  /** By key. */
  readonly values: Readonly<Record<string, unknown>>
  readonly credit: Readonly<Record<string, string>> | undefined
  /** Parameters, without the market when the flag `--symbol` names one. */
  paramsBeside(flags: FlagValues): Readonly<Record<string, unknown>>
}

type Given = Readonly<Record<string, unknown>>

/** What is read of a whole file. */
type FileConfig = Given &
  Readonly<Partial<Record<SectionName | 'params', Given | undefined>>> & { readonly strategy?: string | undefined }

export function sessionConfig(file: FileConfig, name: SectionName): SessionConfig {
  const section = file[name] ?? {}
  const isShared = (key: string): boolean =>
    Object.hasOwn(SECTIONS[name].shape, key) && !NOT_SHARED.includes(key) && !isSectionName(key)
  const values = { ...Object.fromEntries(Object.entries(file).filter(([key]) => isShared(key))), ...section }
  return {
    strategy: file.strategy,
    values,
    credit: values.credit as SessionConfig['credit'],
    paramsBeside: ({ symbol }) => {
      const all: Readonly<Record<string, unknown>> = { ...file.params, ...(section.params as object | undefined) }
      return symbol === undefined ? all : Object.fromEntries(Object.entries(all).filter(([key]) => key !== 'symbol'))
    },
  }
}
