/** The flags of `papertape fork`. */
import type { Options } from 'yargs'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { flagName } from '../flag-words.ts'
import { JSON_FLAG } from '../shared-flags.ts'
import { TURN_LIMIT_WORDS } from '../thread/turn-limit.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

const CHANGING: readonly string[] = ['makerFeeBps', 'takerFeeBps', 'liquidity']

/** Settings of a backtest that a fork can change. */
export const FORK_TERMS = EACH_TERM.flatMap(([name, term]) =>
  term.group === 'risk' || CHANGING.includes(name) ? [term] : [],
)

const termFlags = (): Readonly<Record<string, Options>> =>
  Object.fromEntries(
    FORK_TERMS.map(({ key, words, group }) => {
      const own = words.replace(/ \(default: .*$/, '')
      return [flagName(key), text(`${own}${group === 'risk' && key !== 'atLimit' ? ', or off' : ''}; from then on`)]
    }),
  )

export const FORK_FLAGS = {
  at: text('moment from which it differs: a date, order:ID or fill:ID (default: that of --without)'),
  set: { ...text('parameter from then on, such as fast=12; repeatable'), array: true },
  strategy: text('ready strategy or file that decides from then on'),
  restart: { type: 'boolean', describe: 'start the strategy at that moment, without what came before' },
  without: text('id of an order that the exchange refuses'),
  add: text("order that is placed then, such as 'buy 0.1 BTC_USD' or 'sell 0.1 BTC_USD at 42000'"),
  'order-latency': text('milliseconds until an order reaches the exchange, from then on'),
  'response-latency': text('milliseconds until the reply reaches the strategy, from then on'),
  ...termFlags(),
  out: text('directory of the new run (default: RUN-fork)'),
  force: { type: 'boolean', describe: 'replace an earlier run in --out' },
  json: JSON_FLAG,
  'turn-limit': text(TURN_LIMIT_WORDS),
} as const satisfies Readonly<Record<string, Options>>
