/**
 * Markets that are paused, each with the reason: an order there is refused with it. Cancels and reads go on.
 *
 * The caller checks that a market exists.
 */
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Command } from '../domain/command.ts'

export class MarketPauses {
  readonly #reasonsBySymbol = new Map<string, string>()
  /** Called after each change, without a reason for an open market. */
  onChange: ((symbol: string, reason?: string) => void) | undefined

  /** Pauses a market, or changes the reason of its pause. */
  pause(symbol: string, reason: string): void {
    this.#reasonsBySymbol.set(symbol, reason)
    this.onChange?.(symbol, reason)
  }

  /** False if the market was not paused. */
  resume(symbol: string): boolean {
    const wasPaused = this.#reasonsBySymbol.delete(symbol)
    if (wasPaused) this.onChange?.(symbol)
    return wasPaused
  }

  /** Undefined if the market is open. */
  reasonOf(symbol: string): string | undefined {
    return this.#reasonsBySymbol.get(symbol)
  }

  /** Symbols with reasons, in the order of their pauses. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#reasonsBySymbol]
  }

  /** Refusal of an order for a paused market; undefined if the market is open. */
  refusalOf({ time, account, request }: Extract<Command, { type: 'place' }>): ExchangeEvent | undefined {
    const reason = this.#reasonsBySymbol.size === 0 ? undefined : this.#reasonsBySymbol.get(request.symbol)
    if (reason === undefined) return undefined
    const refusal = { code: 'ORDER_REJECTED', message: `market ${request.symbol} is paused: ${reason}` } as const
    return { type: 'order-refused', time, account, request, refusal }
  }
}
