/**
 * Markets that are paused, each with the reason: an order there is refused with it. Cancels and reads go on. A gate
 * refuses orders of some accounts in all markets.
 *
 * The caller checks that a market exists.
 */
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { Command } from '../domain/command.ts'

type PlaceCommand = Extract<Command, { type: 'place' }>

export class MarketPauses {
  readonly #reasonsBySymbol = new Map<string, string>()
  /** Called after each change, without a reason for an open market. */
  onChange: ((symbol: string, reason?: string) => void) | undefined
  /** Message of a refusal; undefined for an order that may pass. */
  gate: (command: PlaceCommand) => string | undefined = () => undefined

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

  /** Refusal of an order for a paused market, or at the gate; undefined if it may pass. */
  refusalOf(command: PlaceCommand): ExchangeEvent | undefined {
    const { time, account, request } = command
    const message = this.#pauseMessage(request.symbol) ?? this.gate(command)
    if (message === undefined) return undefined
    return { type: 'order-refused', time, account, request, refusal: { code: 'ORDER_REJECTED', message } }
  }

  #pauseMessage(symbol: string): string | undefined {
    const reason = this.#reasonsBySymbol.size === 0 ? undefined : this.#reasonsBySymbol.get(symbol)
    return reason === undefined ? undefined : `market ${symbol} is paused: ${reason}`
  }
}
