/** The wallet of several strategies on a simulated exchange, between which capital moves. */
import { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { decimalOf, type Decimal } from '../../domain/decimal.ts'
import { invariant } from '../../domain/errors.ts'
import type { PersistedRebalancing } from '../../store/state/live/persisted-rebalancing.ts'
import type { Member } from './backtest.ts'
import type { RebalancedBook, RebalancedWallet } from './rebalancing.ts'

/** The transfers of one moment. */
export interface Moment {
  readonly asset: string
  /** Amounts by strategy; negative for what it gives. */
  readonly amounts: ReadonlyMap<string, Decimal>
  readonly history: PersistedRebalancing
}

/** Persists transfers. */
export interface TransferStore {
  /** The history that the last session saved; undefined without one. */
  readonly history: PersistedRebalancing | undefined
  /** Executes the transfers of one moment as one change of everything that is persisted. */
  execute(moment: Moment, transfer: () => void): void
  /** The sessions learn of the executed transfers now. */
  onKnown(): void
  onMissed(text: string): void
}

/**
 * @param names  of the members, in their order
 * @param store  default: nothing is persisted
 */
export function simulatedWallet(
  members: readonly [Member, ...Member[]],
  names: readonly string[],
  store?: TransferStore,
): RebalancedWallet {
  const [{ prepared, run: first }] = members
  const { quoteAsset: asset } = prepared
  const { simulated } = first.stage
  const { exchange, queue } = simulated
  const ledgerScale = exchange.scales.get(asset) ?? 0
  const runs = new Map(members.map(({ run }, index) => [names[index] ?? '', run]))
  const transfer = (amounts: ReadonlyMap<string, bigint>): void => {
    for (const [name, amount] of amounts) {
      const account = runs.get(name)?.stage.account ?? ''
      const [event] = simulated.execute({ type: 'credit', time: queue.now(), account, asset, amount })
      invariant(event?.type === 'credited', `the transfer of ${amount} was refused`)
    }
  }
  return {
    queue,
    books: [...runs].map(([name, run]) => bookOf(name, run, asset)),
    scale: first.figures.equity.scale,
    ledgerScale,
    history: store?.history,
    execute: (amounts, history) => {
      const decimals = new Map([...amounts].map(([name, units]) => [name, decimalOf(units, ledgerScale)]))
      if (store === undefined) transfer(amounts)
      else {
        store.execute({ asset, amounts: decimals, history }, () => {
          transfer(amounts)
        })
      }
      const moved = [...amounts].flatMap(([name, amount]) => {
        const run = runs.get(name)
        return run === undefined ? [] : [{ run, amount }]
      })
      for (const { run } of moved) run.figures.onTransfer(queue.now(), exchange.balances(run.stage.account))
      SimulatedExchange.reportTransfers(
        moved.map(({ run, amount }) => ({ adapter: run.stage.adapter, asset, amount })),
        () => store?.onKnown(),
      )
      return true
    },
    onMissed: (text) => store?.onMissed(text),
  }
}

function bookOf(name: string, { session, stage, figures }: Member['run'], asset: string): RebalancedBook {
  const { equity } = figures
  return {
    name,
    look: () => {
      session.look()
    },
    isActive: () => session.failure === undefined && session.state === 'ACTIVE',
    equity: () => (equity.isPartial ? undefined : equity.equity()),
    free: () => stage.simulated.exchange.balances(stage.account).get(asset)?.available ?? 0n,
  }
}
