import { expect, it } from 'vitest'
import { UnitTable } from '../../../src/store/books/unit-table.ts'

const newTable = () => new UnitTable(['time', 'plain'], ['price', 'price'], ['bidQty', 'qty'], ['askQty', 'qty'])
type Row = Parameters<ReturnType<typeof newTable>['push']>

it.each([1, 1_024, 1_025, 5_000])('gives %d rows back, column by column', (count) => {
  const table = newTable()
  const rows = Array.from({ length: count }, (_, row): Row => [row, row + 0.5, -row, 2 * row])
  for (const row of rows) table.push(...row)
  expect(table.length).toBe(count)
  const { length, time, price, bidQty, askQty } = table.take()
  expect(length).toBe(count)
  expect(rows.map((_, row) => [time[row], price[row], bidQty[row], askQty[row]])).toEqual(rows)
})

it('writes its prices and its quantities with more decimals, and nothing else', () => {
  const table = newTable()
  table.push(1, 2, 3, 4)
  table.refine(1, 2)
  table.push(1, 20, 300, 400)
  table.refine(0, 0)
  expect(table.take()).toEqual({
    length: 2,
    time: Float64Array.of(1, 1),
    price: Float64Array.of(20, 20),
    bidQty: Float64Array.of(300, 300),
    askQty: Float64Array.of(400, 400),
  })
})

it('begins again behind what was taken, which it touches no more', () => {
  const table = newTable()
  table.push(1, 2, 3, 4)
  const taken = table.take()
  expect(table.length).toBe(0)
  table.push(5, 6, 7, 8)
  table.refine(1, 1)
  expect([taken.price[0], table.take().price[0]]).toEqual([2, 60])
})
