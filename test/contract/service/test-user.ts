/**
 * A user of the service, in the words of a test.
 */
import { expect } from 'vitest'
import type { BalancesJson } from '../../../src/domain/balances.ts'
import type { OrderJson, Side } from '../../../src/domain/order.ts'
import type { PortfolioJson } from '../../../src/domain/portfolio.ts'
import type { FillJson } from '../../../src/domain/trade.ts'
import type { Answer, Asked, Service } from './service-answer.ts'

export class TestUser {
  readonly id: string
  readonly key: string
  readonly keyId: string
  readonly #service: Service

  constructor(service: Service, { id, key, keyId }: { readonly id: string; readonly key: string; keyId: string }) {
    this.#service = service
    this.id = id
    this.key = key
    this.keyId = keyId
  }

  ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    return this.#service.ask(method, path, { key: this.key, ...asked })
  }

  get(path: string): Promise<Answer> {
    return this.ask('GET', path)
  }

  post(body: unknown): Promise<Answer> {
    return this.ask('POST', '/orders', { body })
  }

  cancel(orderId: string): Promise<Answer> {
    return this.ask('DELETE', `/orders/${orderId}`)
  }

  credit(asset: string, amount: string): Promise<Answer> {
    return this.#service.ask('POST', `/emulator/users/${this.id}/credits`, { body: { asset, amount } })
  }

  /** A limit order that is not refused. */
  async limit(side: Side, symbol: string, price: string, qty: string): Promise<OrderJson> {
    return this.#taken(await this.post({ symbol, side, type: 'LIMIT', price, qty }))
  }

  /** A market order that is not refused. */
  async market(side: Side, symbol: string, qty: string): Promise<OrderJson> {
    return this.#taken(await this.post({ symbol, side, type: 'MARKET', qty }))
  }

  async order(orderId: string): Promise<OrderJson> {
    return (await this.get(`/orders/${orderId}`)).json as OrderJson
  }

  async fills(): Promise<FillJson[]> {
    return (await this.get('/trades')).json as FillJson[]
  }

  async portfolio(): Promise<PortfolioJson> {
    return (await this.get('/portfolio')).json as PortfolioJson
  }

  /** `available + locked` of an asset. */
  async has(asset: string): Promise<string> {
    const { [asset]: balance } = (await this.get(`/balances?asset=${asset}`)).json as BalancesJson
    return balance === undefined ? '' : `${balance.available} + ${balance.locked}`
  }

  #taken(answer: Answer): OrderJson {
    expect(answer.text).not.toContain('"error"')
    return answer.json as OrderJson
  }
}
