/**
 * Declares a transcript as a test of every implementation.
 */
import { expect, it } from 'vitest'
import type { ExchangeConfig } from '../../../src/exchange/exchange.ts'
import { implementations } from './implementations.ts'
import { asWritten, play } from './transcript.ts'

/** `title` begins with the rule that the script shows. */
export function script(title: string, config: ExchangeConfig, text: string): void {
  it.each(implementations)(`${title} ($name)`, ({ create }) => {
    expect(play(create(config), text)).toBe(asWritten(text))
  })
}
