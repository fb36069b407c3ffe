/** Halted markets, which take no orders until an operator resumes them. */
import type { SymbolHalt } from '../../../store/state/live/persisted-intent.ts'
import type { IntentStore } from './intent-store.ts'

export class HaltBook {
  readonly #store: Pick<IntentStore, 'halts' | 'halt' | 'endHalt'>
  readonly #now: () => number
  readonly #haltsBySymbol: Map<string, SymbolHalt>

  constructor(store: Pick<IntentStore, 'halts' | 'halt' | 'endHalt'>, now: () => number) {
    this.#store = store
    this.#now = now
    this.#haltsBySymbol = new Map(store.halts().map((halt) => [halt.symbol, halt]))
  }

  get all(): readonly SymbolHalt[] {
    return [...this.#haltsBySymbol.values()]
  }

  of(symbol: string): SymbolHalt | undefined {
    return this.#haltsBySymbol.get(symbol)
  }

  /** A halted market keeps its first reason; an ambiguous one stays halted until the ambiguity ends. */
  halt(symbol: string, why: SymbolHalt['why'], reason: string): void {
    const known = this.#haltsBySymbol.get(symbol)
    if (known !== undefined && (known.why === 'AMBIGUOUS' || why === 'GHOST')) return
    const halt = { symbol, why, reason, since: this.#now() }
    this.#store.halt(halt)
    this.#haltsBySymbol.set(symbol, halt)
  }

  end(symbol: string): void {
    this.#store.endHalt(symbol)
    this.#haltsBySymbol.delete(symbol)
  }
}
