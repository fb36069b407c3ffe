/**
 * One setting of a run: its names, its form, its default and its words, from which flags, config file, options,
 * `run.json` and the journal's head are derived.
 */
import type { z } from 'zod'
import type { Place } from '../../domain/errors.ts'
import type { Form } from './form.ts'

/**
 * @typeParam Given  as a config file, an option or a flag has it
 * @typeParam Value  as the run has it, every default filled in; what stands in `run.json`
 */
export interface Term<Given, Value> {
  /** Path among the options of `backtest()`, by which errors name it. */
  readonly option: string
  /** Key in `papertape.config`; in kebab case the flag. */
  readonly key: string
  /** Names from before a rename: accepted in place of the ones above, and not documented. */
  readonly formerly?: { readonly option: string; readonly key?: string } | undefined
  /** For the help of the flag, default included. */
  readonly words: string
  /** Group of the flag in the help. */
  readonly group: TermGroup
  readonly form: Form<Given>
  readonly value: z.ZodType<Value>
  /** Whether the journal's head tells it; what stands there in another form does not say it again. */
  readonly inJournal: InJournal
  /** @param given  undefined for the default. @throws {InputError} at `place` */
  resolve(given: Given | undefined, place: Place): Value
}

export type TermGroup = 'reading' | 'terms' | 'risk'

/** `if-set`: not while it is null, so that a run without it is the same run as before there was such a setting. */
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

/** A setting that is null when nothing is given: the words say what that means. */
export const nullableTerm = <Value>(form: Form<Value>, names: Names): Term<Value, Value | null> => ({
  group: 'terms',
  inJournal: 'always',
  ...names,
  form,
  value: form.schema.nullable(),
  resolve: (given) => given ?? null,
})
