/**
 * Settings that differ between the runs of a sweep. They are listed among its parameters by their flags, such as
 * `--order-latency`, which no parameter of a strategy can be called.
 */
import { InputError } from '../../domain/errors.ts'
import { parseFeeRate } from '../../domain/market.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, type SettingName } from '../../domain/setting-name.ts'
import { LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import { positiveDecimal } from './form.ts'
import { EACH_TERM, type RunTerms, type TermName } from './run-terms.ts'
import type { Term } from './term.ts'

type Texts = Readonly<Record<string, string>>

const PREFIX = '--'

const flagOf = (key: string): string => `${PREFIX}${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const TERMS_BY_FLAG: ReadonlyMap<string, readonly [TermName, Term<unknown, unknown>]> = new Map(
  EACH_TERM.filter(([, { form }]) => form.ofText !== undefined).map((entry) => [flagOf(entry[1].key), entry]),
)

/** Place of an error in the values of a setting. @param flag  such as `--order-latency` */
export const variedPlace = (flag: string): SettingName => setting(`vary.${flag.slice(PREFIX.length)}`)

/** True for a setting among the parameters of a point. */
export const isVaried = (name: string): boolean => name.startsWith(PREFIX)

/**
 * Values of settings under the names of their flags.
 *
 * @param values  by key of the config file, or by flag, such as `orderLatency` or `order-latency`
 * @throws {InputError} for an unknown setting
 */
export function variedNames<Values>(values: Readonly<Record<string, Values>>): Readonly<Record<string, Values>> {
  const names = [...TERMS_BY_FLAG.keys()].map((flag) => flag.slice(PREFIX.length))
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => {
      const flag = flagOf(name)
      if (TERMS_BY_FLAG.has(flag)) return [flag, each]
      throw new InputError(setting('vary'), `no setting '${name}' that can vary${nearestNameHint(name, names)}`)
    }),
  )
}

/**
 * The settings among the parameters of a point, resolved.
 *
 * @throws {InputError} for an invalid value, naming its setting
 */
export const variedTerms = (params: Texts): Partial<RunTerms> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([flag, text]) => {
      const entry = TERMS_BY_FLAG.get(flag)
      if (entry === undefined) return []
      const [name, term] = entry
      const { form } = term
      const place = variedPlace(flag)
      if (text === '') throw new InputError(place, 'expected a value')
      if (name === 'liquidity' && !LIQUIDITY_NAMES.some((each) => each === text))
        throw new InputError(place, `expected ${LIQUIDITY_NAMES.join(', ')}, got '${text}'`)
      if (name === 'makerFeeBps' || name === 'takerFeeBps') parseFeeRate(place, text)
      if (name === 'spread') positiveDecimal.ofText(place, text)
      return [[name, term.resolve(form.ofText?.(place, text), place)]]
    }),
  )

/** The parameters of the strategy among those of a point. */
export const ownParams = (params: Texts): Texts =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !isVaried(name)))
