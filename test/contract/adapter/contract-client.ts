/**
 * A client of an adapter that keeps everything it is reported, in its order, and writes it out for a test to read.
 */
import { expect } from 'vitest'
import type { AccountUpdate, ExchangeAdapter, RequestOutcome } from '../../../src/adapter/exchange-adapter.ts'
import type { Decimal } from '../../../src/domain/decimal.ts'
import type { OrderRequest } from '../../../src/domain/order.ts'
import type { OwnBalances, OwnOrder } from '../../../src/strategy/own-order.ts'
import type { ContractStage } from './contract-stage.ts'

export type Reported = { readonly type: 'reply'; readonly outcome: RequestOutcome } | AccountUpdate

export function balancesText(balances: OwnBalances): Readonly<Record<string, string>> {
  const text = (amount: Decimal): string => amount.toFixed()
  return Object.fromEntries(
    [...balances].map(([asset, { available, locked }]) => [asset, `${text(available)} + ${text(locked)}`]),
  )
}

export const orderText = ({ side, type, status, price, qty, filledQty }: OwnOrder): string =>
  `${side} ${type} ${status} ${filledQty.toFixed()}/${qty.toFixed()}${price === undefined ? '' : ` at ${price.toFixed()}`}`

function reportedText(reported: Reported): string {
  switch (reported.type) {
    case 'reply': {
      const { outcome } = reported
      if (outcome.type === 'acknowledged') return `acknowledged ${orderText(outcome.order)}`
      return outcome.type === 'refused' ? `refused ${outcome.refusal.code}` : 'unknown'
    }
    case 'order':
      return `order ${orderText(reported.order)}`
    case 'fill': {
      const { side, qty, price, fee, isMaker } = reported.fill
      return `fill ${side} ${qty.toFixed()} at ${price.toFixed()}, fee ${fee.toFixed()}, ${isMaker ? 'maker' : 'taker'}`
    }
    case 'balances':
      return `balances ${reported.balances.get('USD')?.available.toFixed() ?? '?'} USD`
    case 'transfer':
      return `transfer ${reported.amount.toFixed()} ${reported.asset}`
    case 'settled':
      return reported.settlement.type === 'adopted'
        ? `adopted ${orderText(reported.settlement.order)}`
        : reported.settlement.type
  }
}

/** A stage, and everything that its client is reported. */
export class Client {
  readonly stage: ContractStage
  readonly adapter: ExchangeAdapter
  readonly reported: Reported[] = []
  #replies = 0
  #references = 0

  constructor(stage: ContractStage) {
    this.stage = stage
    this.adapter = stage.adapter
    this.adapter.updates$.subscribe((update) => this.reported.push(update))
  }

  get texts(): readonly string[] {
    return this.reported.map(reportedText)
  }

  get replies(): number {
    return this.#replies
  }

  /** Sends a request, and expects that it is not answered within the call. */
  place(request: OrderRequest): void {
    const before = this.reported.length
    this.#references += 1
    this.adapter.place({ request, reference: this.#references }, this.#onReply)
    expect(this.reported).toHaveLength(before)
  }

  cancel(orderId: string): void {
    const before = this.reported.length
    this.adapter.cancel(orderId, this.#onReply)
    expect(this.reported).toHaveLength(before)
  }

  async settle(): Promise<void> {
    await this.stage.pass(this.stage.settleMs)
  }

  /** Sends a request and returns the one answer to it. */
  async placed(request: OrderRequest): Promise<RequestOutcome> {
    return await this.#answered(() => this.place(request))
  }

  async cancelled(orderId: string): Promise<RequestOutcome> {
    return await this.#answered(() => this.cancel(orderId))
  }

  /** Sends a request that the exchange must acknowledge. */
  async placedOrder(request: OrderRequest): Promise<OwnOrder> {
    return acknowledged(await this.placed(request))
  }

  /** What it is reported while `act` is done and settles. */
  async reportedBy(act: () => void | Promise<void>): Promise<readonly string[]> {
    const start = this.reported.length
    await act()
    await this.settle()
    return this.texts.slice(start)
  }

  readonly #onReply = (outcome: RequestOutcome): void => {
    this.#replies += 1
    this.reported.push({ type: 'reply', outcome })
  }

  async #answered(send: () => void): Promise<RequestOutcome> {
    const start = this.reported.length
    send()
    await this.settle()
    const outcomes = this.reported.slice(start).flatMap((each) => (each.type === 'reply' ? [each.outcome] : []))
    const [outcome] = outcomes
    if (outcome === undefined || outcomes.length > 1) throw new Error(`${outcomes.length} answers to one request`)
    return outcome
  }
}

export function acknowledged(outcome: RequestOutcome): OwnOrder {
  if (outcome.type !== 'acknowledged') throw new Error(`expected an acknowledgement, got ${JSON.stringify(outcome)}`)
  return outcome.order
}
