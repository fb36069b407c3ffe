/**
 * Books of its markets: an adapter reports of one, or refuses by name; it never gives a stream that stays empty.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { Client } from './contract-client.ts'
import { BTC, type ContractSubject } from './contract-stage.ts'

export function describeBooks({ open }: ContractSubject): void {
  let client: Client
  beforeEach(async () => {
    client = new Client(await open())
  })
  afterEach(() => client.stage.close())

  describe('a market of which nothing but trades is known', () => {
    it('says so', () => {
      expect(client.adapter.markets.map(({ hasQuotes, hasBook }) => [hasQuotes, hasBook])).toEqual([
        [false, false],
        [false, false],
      ])
    })

    it('has no quotes and no book, and an adapter that knows of books refuses them by name', () => {
      const { books } = client.adapter
      if (books === undefined) return
      const asked = {
        quotes: () => books.quotes(BTC),
        depth: () => books.depth(BTC, { levels: 1, everyMs: undefined }),
        book: () => books.book(BTC),
      }
      for (const [word, ask] of Object.entries(asked)) {
        expect(ask).toThrow(InputError)
        expect(ask).toThrow(new RegExp(`^${word}\\('${BTC}'\\): `))
      }
    })
  })
}
