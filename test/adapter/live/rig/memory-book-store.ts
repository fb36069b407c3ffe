/** A store of books in memory: what a process that was killed would find on disk. */
import type { BookStore } from '../../../../src/adapter/live/books/strategy-books.ts'
import type { PersistedAmounts, PersistedBook } from '../../../../src/store/state/live/persisted-books.ts'

export class MemoryBookStore implements BookStore {
  readonly books = new Map<string, PersistedBook>()
  reserve: PersistedAmounts | undefined

  load(): ReturnType<BookStore['load']> {
    return { books: new Map(this.books), reserve: this.reserve }
  }

  save(books: ReadonlyMap<string, PersistedBook>, reserve?: PersistedAmounts): void {
    // Nothing that changes later may be on disk.
    for (const [owner, book] of books) this.books.set(owner, JSON.parse(JSON.stringify(book)) as PersistedBook)
    this.reserve = reserve ?? this.reserve
  }
}
