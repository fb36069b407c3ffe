/** `papertape twin`, once its flags are read: the gap, its parts, and the runs of the twins. */
import { printable } from '../../report/terminal-text.ts'
import { twinText } from '../../report/twin/twin-text.ts'
import { twin, type Twins } from '../../run/twin.ts'
import { unwatched } from '../../runtime/heartbeat.ts'
import type { FlagValues } from '../cli-command.ts'
import { EXIT } from '../exit-code.ts'
import { milliseconds, type FlagText, single } from '../option-values.ts'
import { comparisonPage } from '../comparison-page.ts'
import type { Shown } from '../thread/thread-messages.ts'

export async function twinAndShow(session: string, values: FlagValues): Promise<Shown> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const twins = await twin({
    session,
    orderLatency: milliseconds('--order-latency', text('order-latency')),
    responseLatency: milliseconds('--response-latency', text('response-latency')),
    makerFee: text('maker-fee'),
    takerFee: text('taker-fee'),
    liquidity: text('liquidity'),
    withOperator: values['with-operator'] === true,
    out: text('out'),
    force: values.force === true,
  })
  const pages = twins.strategies.flatMap(({ session: run, out }) =>
    out === null ? [] : [{ out, ...unwatched(() => comparisonPage(run, out)) }],
  )
  const notes = twins.strategies.flatMap(({ notes: own }) => own.map((note) => `warning: ${note}\n`))
  const stderr = [...new Set(notes), ...pages.map(({ faults }) => faults)].join('')
  const places = pages.flatMap(({ out, lines }) => [`run        ${printable(out)}`, ...lines])
  const stdout = values.json === true ? JSON.stringify(twins) : shownText(twins, places)
  const pageOfRun = twins.strategies.length === 1 ? (twins.strategies[0]?.out ?? undefined) : undefined
  return { code: EXIT.done, stdout: `${stdout}\n`, stderr, ...(pageOfRun !== undefined && { pageOf: pageOfRun }) }
}

function shownText({ strategies, totals }: Twins, places: readonly string[]): string {
  return [twinText(strategies, totals), ...(places.length === 0 ? [] : ['', ...places])].join('\n')
}
