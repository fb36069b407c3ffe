/** Executes the commands of operators on a paper session. */
import type { LiveTime } from '../adapter/live/live-time.ts'
import { ZERO } from '../domain/decimal.ts'
import { changeParams } from '../runtime/live/param-changes.ts'
import { OperatorLink } from '../runtime/live/operator-link.ts'
import type { AbsentOwner, PaperSession } from '../runtime/live/paper-session.ts'
import type { PaperState } from '../runtime/live/paper-state.ts'
import { BY_FLATTEN } from '../runtime/session-state.ts'
import { joinedReports, type FlatReport } from '../runtime/session/flatten/flat-report.ts'
import type { LiveState } from '../store/state/live/live-state.ts'
import type { FlattenCommand, OperatorAnswer } from '../store/state/live/operator-command.ts'
import { flatAnswer, planLines } from './flatten-access.ts'

export interface PaperOperatorParts {
  readonly state: LiveState
  readonly books: PaperState
  readonly session: PaperSession
  readonly time: LiveTime
  readonly onTrouble: (reason: string) => void
}

const NO_BLOCKS = 'no market is halted on paper'
const NO_UNKNOWN = 'every request on paper has a known outcome'

/** Not started yet. */
export function paperOperators(parts: PaperOperatorParts): OperatorLink {
  const { state, session, time, onTrouble } = parts
  return new OperatorLink({
    state,
    time,
    onTrouble,
    orders: {
      setState: (to, why) => {
        for (const { run } of session.members) run.session.setState(to, why)
      },
      resumeMarket: () => NO_BLOCKS,
      adopt: () => Promise.resolve(NO_UNKNOWN),
      disown: () => Promise.resolve(NO_UNKNOWN),
      setParams: (command) => changeParams(command, session.adjusted(), { state, now: time.now() }),
      flatten: (command) => flattened(command, parts),
    },
  })
}

async function flattened(
  { isDry, wholeAccount, withinMs }: FlattenCommand,
  { session, books, state, time }: PaperOperatorParts,
): Promise<OperatorAnswer> {
  if (wholeAccount)
    return { isDone: false, message: 'a paper account has nothing but its strategies: leave out --whole-account' }
  const members = session.members.map(({ run }, index) => ({ run, owner: session.options.members[index]?.name ?? '' }))
  if (isDry) {
    const accounts = [...members.map(({ run, owner }) => ({ owner, adapter: run.stage.adapter })), ...session.absent]
    const openOrders = accounts.flatMap(({ owner, adapter }) => adapter.openOrders().map(({ id }) => ({ id, owner })))
    const sells = members.flatMap(({ owner }) =>
      [...books.boughtBy(owner)].flatMap(([asset, qty]) =>
        qty.gt(ZERO) ? [{ asset, qty: qty.toFixed(), owner }] : [],
      ),
    )
    const halts = members.map(({ owner }) => `halt ${owner} and give up its conditional orders`)
    const plan = { openOrders, sells }
    return { isDone: true, message: [...halts, ...planLines(plan)].join('\n'), result: plan }
  }
  const reports = members.map(
    ({ run }) =>
      new Promise<FlatReport>((resolve) => {
        time.enter(() => {
          run.session.flatten(BY_FLATTEN, withinMs, resolve)
        })
      }),
  )
  const absent = session.absent.map((each) => absentFlat(each, { books, state, time }))
  return flatAnswer(joinedReports(await Promise.all([...reports, ...absent])))
}

/** Cancels the orders of a strategy that does not run, and its conditional orders. Its holdings stay. */
async function absentFlat(
  { owner, adapter }: AbsentOwner,
  { books, state, time }: Pick<PaperOperatorParts, 'books' | 'state' | 'time'>,
): Promise<FlatReport> {
  state.waits.save(
    owner,
    [],
    state.waits.of(owner).map(({ id }) => id),
  )
  const outcomes = adapter.openOrders().map(
    ({ id }) =>
      new Promise<{ readonly id: string; readonly isCancelled: boolean }>((resolve) => {
        time.enter(() => {
          adapter.cancel(id, ({ type }) => {
            resolve({ id, isCancelled: type === 'acknowledged' })
          })
        })
      }),
  )
  const orders = await Promise.all(outcomes)
  const idsOf = (wanted: boolean): string[] =>
    orders.flatMap(({ id, isCancelled }) => (isCancelled === wanted ? [id] : []))
  const left = [...books.boughtBy(owner)].flatMap(([asset, qty]) =>
    qty.gt(ZERO) ? [{ asset, qty: qty.toFixed(), why: `'${owner}' is not running: run it to sell` }] : [],
  )
  return { cancelled: idsOf(true), sold: [], left, openOrders: idsOf(false) }
}
