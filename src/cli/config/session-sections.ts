/**
 * Sections of a config file: settings of `live`, `paper` and `record` that a backtest lacks or has with another value.
 *
 * A setting outside of a section applies to every command that has it; the section takes precedence.
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

/**
 * Settings that apply only to a backtest if they are outside of a section: its directory, database, and tape market.
 */
const NOT_SHARED: readonly string[] = ['out', 'db', 'symbol']

/** The settings of a file for one command. */
export interface SessionConfig {
  readonly strategy: string | undefined
  /** Values by key. */
  readonly values: Readonly<Record<string, unknown>>
  readonly credit: Readonly<Record<string, string>> | undefined
  /** Parameters, without `symbol` if the flag `--symbol` is given. */
  paramsBeside(flags: FlagValues): Readonly<Record<string, unknown>>
}

type Given = Readonly<Record<string, unknown>>

/** The parts of a config file used here. */
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
