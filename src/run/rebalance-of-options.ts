/** The option `rebalance` of several strategies on one wallet: checked, with every default filled in. */
import { InputError } from '../domain/errors.ts'
import { nearestNameHint } from '../domain/nearest-name.ts'
import { setting } from '../domain/setting-name.ts'
import type { Capital } from '../runtime/backtest/capital.ts'
import { rebalanceSchema, resolvedRebalance, type RebalanceTerms } from '../runtime/settings/rebalance-terms.ts'

/**
 * @param capitals  of the strategies, in order
 * @returns undefined if capital never moves
 * @throws {InputError} naming an unknown or invalid term, or the strategy without a share that the rule needs
 */
export function rebalanceTerms(given: unknown, capitals: readonly (Capital | undefined)[]): RebalanceTerms | undefined {
  if (given === undefined) return undefined
  const { data, error } = rebalanceSchema.safeParse(given)
  if (error !== undefined) throw faultOf(error.issues[0])
  if (data.days !== undefined && data.rule !== 'inverse-volatility')
    throw new InputError(setting('rebalance.days'), `only the rule 'inverse-volatility' has days, not '${data.rule}'`)
  const shares = capitals.map((capital, index) => {
    if (data.rule !== 'share' || capital?.share !== undefined) return capital?.share ?? 0
    const why = "is missing a share, which the rule 'share' of rebalance needs, such as { share: 0.5 }"
    throw new InputError(setting(`strategies.${index}.capital`), why)
  })
  return resolvedRebalance(data, shares)
}

type Issue = NonNullable<ReturnType<typeof rebalanceSchema.safeParse>['error']>['issues'][number]

function faultOf(issue: Issue | undefined): InputError {
  const path = ['rebalance', ...(issue?.path ?? [])].map(String)
  if (issue?.code !== 'unrecognized_keys')
    return new InputError(setting(path.join('.')), issue?.message ?? 'is invalid')
  const [key = ''] = issue.keys
  const hint = nearestNameHint(key, Object.keys(rebalanceSchema.shape))
  return new InputError(setting([...path, key].join('.')), `no such option${hint}`)
}
