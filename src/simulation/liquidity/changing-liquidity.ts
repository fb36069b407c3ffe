/**
 * A liquidity model that another one replaces at a moment of the run.
 *
 * Both learn every trade, and what your orders took, from the start; one of them decides. The queue ahead of an order
 * that rests at the moment stays as it is.
 */
import type { Side } from '../../domain/order.ts'
import type { FollowedBook } from '../depth/followed-book.ts'
import type {
  CrowdQuote,
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
  TakingOrder,
} from './liquidity-model.ts'

export class ChangingLiquidity implements LiquidityModel {
  readonly learnAll: LiquidityModel['learnAll']
  readonly #both: readonly LiquidityModel[]
  readonly #later: LiquidityModel
  #deciding: LiquidityModel

  /** @param before  decides until `change` */
  constructor(before: LiquidityModel, later: LiquidityModel) {
    this.#both = [before, later]
    this.#later = later
    this.#deciding = before
    const learners = this.#both.flatMap((model) => model.learnAll?.bind(model) ?? [])
    if (learners.length < this.#both.length) return
    this.learnAll = (trades: RecordedColumns): void => {
      for (const learn of learners) learn(trades)
    }
  }

  /** The later model decides from now on. */
  change(): void {
    const [book, before] = [this.#later.recordedBook, this.recordedBook]
    if (book !== undefined && before !== undefined) book.takeOver(before)
    this.#deciding = this.#later
  }

  get quote(): CrowdQuote | undefined {
    return this.#deciding.quote
  }

  get recordedBook(): FollowedBook | undefined {
    return this.#deciding.recordedBook
  }

  learn(trade: RecordedTrade): void {
    for (const model of this.#both) model.learn(trade)
  }

  gap(): void {
    for (const model of this.#both) model.gap()
  }

  took(side: Side, qty: number, time: number, at: readonly LadderLevel[]): void {
    for (const model of this.#both) model.took(side, qty, time, at)
  }

  ladder(taking: TakingOrder): readonly LadderLevel[] {
    return this.#deciding.ladder(taking)
  }

  queueAhead(side: Side, price: number): number {
    return this.#deciding.queueAhead(side, price)
  }

  reach(side: Side, trade: RecordedTrade): Reach {
    return this.#deciding.reach(side, trade)
  }

  remainder(trade: RecordedTrade, filled: number): number {
    return this.#deciding.remainder(trade, filled)
  }
}
