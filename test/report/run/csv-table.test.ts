import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { noteTable } from '../../../src/report/page/run-tables.ts'
import { csvTable } from '../../../src/report/run/csv-table.ts'
import { NOTES_HEADER, noteRow } from '../../../src/report/run/run-files.ts'

describe('a file of a run, read back', () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom('', '"', '""', ',', '\n', 'a"b,c\nd', '\r\n', '</script>', ' x '))

  it('has every text as it was written, whatever is in it', () => {
    let quoted = 0
    fc.assert(
      fc.property(fc.array(fc.record({ time: fc.nat(), text: texts })), (notes) => {
        quoted += notes.filter(({ text }) => /[",\n]/.test(text)).length
        const file = NOTES_HEADER + notes.map(noteRow).join('')
        const rows = Array.from(csvTable('notes.csv', file), (row) => ({
          time: Number(row('time')),
          text: row('text'),
        }))
        expect(rows).toEqual(notes)
        const cells = noteTable('notes.csv', file, 'A_USD').rows.map((row) => row.cells)
        expect(cells).toEqual(notes.map(({ time, text }) => [String(time), text]))
      }),
    )
    expect(quoted).toBeGreaterThan(20)
  })

  it.each(['time,text\n1\n', 'time,text\n1,2,3\n', 'time,text\n1,"2\n', 'time,text\n1,"2"3\n'])(
    'is refused: %j',
    (file) => {
      expect(() => Array.from(csvTable('notes.csv', file))).toThrow(InputError)
    },
  )
})
