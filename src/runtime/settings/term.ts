/**
 * One setting of a run: its names, form, default and help text, from which flags, config file, options, `run.json` and
 * the journal's head are derived.
 */
import type { z } from 'zod'
import type { Place } from '../../domain/errors.ts'
import type { Form } from './form.ts'

/**
 * @typeParam Given  the type in a config file, an option or a flag
 * @typeParam Value  the type in a run, with every default filled in; stored in `run.json`
 */
export interface Term<Given, Value> {
  /** Path among the options of `backtest()`, used in errors. */
  readonly option: string
  /** Key in `papertape.config`; its kebab case is the flag. */
  readonly key: string
  /** Names from before a rename: accepted in place of the ones above, and not documented. */
  readonly formerly?: { readonly option: string; readonly key?: string } | undefined
  /** Text in the help of the flag, including the default. */
  readonly words: string
  /** Group of the flag in the help. */
  readonly group: TermGroup
  readonly form: Form<Given>
  readonly value: z.ZodType<Value>
  /** Whether the journal's head contains it; a setting that is there in another form is not repeated. */
  readonly inJournal: InJournal
  /** @param given  undefined for the default. @throws {InputError} at `place` */
  resolve(given: Given | undefined, place: Place): Value
}

export type TermGroup = 'reading' | 'terms' | 'risk'

/** `if-set`: omitted while it is null, so that a run without it has the same digest as before the setting existed. */
export type InJournal = 'always' | 'if-set' | 'never'

export type GivenOf<T> = T extends { readonly form: Form<infer Given> } ? Given : never
export type ValueOf<T extends { resolve: (...args: never[]) => unknown }> = ReturnType<T['resolve']>

type Names = Pick<Term<unknown, unknown>, 'option' | 'key' | 'words'> &
  Partial<Pick<Term<unknown, unknown>, 'group' | 'inJournal' | 'formerly'>>

/** A setting whose value is what is given, or a default. */
export const plainTerm = <Value>(form: Form<Value>, fallback: Value, names: Names): Term<Value, Value> => ({
  group: 'terms',
  inJournal: 'always',
  ...names,
  words: `${names.words} (default: ${String(fallback)})`,
  form,
  value: form.schema,
  resolve: (given) => given ?? fallback,
})

/** A setting that is null by default; its help text says what that means. */
export const nullableTerm = <Value>(form: Form<Value>, names: Names): Term<Value, Value | null> => ({
  group: 'terms',
  inJournal: 'always',
  ...names,
  form,
  value: form.schema.nullable(),
  resolve: (given) => given ?? null,
})
