import { describe, expect, it } from 'vitest'
import { IdColumn } from '../../../src/import/csv/id-column.ts'

describe('IdColumn', () => {
  it.each`
    ids                                                  | times        | fault               | why
    ${['1', '2', '10']}                                  | ${[0, 0, 0]} | ${undefined}        | ${'integers increase as numbers, not as text'}
    ${['0', '1']}                                        | ${[0, 0]}    | ${undefined}        | ${'from zero on'}
    ${['5', '9007199254740991']}                         | ${[0, 0]}    | ${undefined}        | ${'up to 2^53 - 1'}
    ${['5', '5']}                                        | ${[0, 9]}    | ${'not-increasing'} | ${'a repeated integer, however much later'}
    ${['5', '4']}                                        | ${[0, 9]}    | ${'not-increasing'} | ${'a smaller one'}
    ${['5', 'x6']}                                       | ${[0, 0]}    | ${'not-an-integer'} | ${'text among integers'}
    ${['5', '06']}                                       | ${[0, 0]}    | ${'not-an-integer'} | ${'a leading zero would be lost'}
    ${['5', '9007199254740992']}                         | ${[0, 0]}    | ${'not-an-integer'} | ${'beyond 2^53 - 1 among smaller ones'}
    ${['98765432109876543210', '98765432109876543211']}  | ${[0, 0]}    | ${undefined}        | ${'integers beyond 2^53 increase by their last digit'}
    ${['98765432109876543210', '98765432109876543210']}  | ${[0, 9]}    | ${'not-increasing'} | ${'and do not repeat'}
    ${['98765432109876543210', '98765432109876543209']}  | ${[0, 9]}    | ${'not-increasing'} | ${'nor go back'}
    ${['98765432109876543210', '198765432109876543210']} | ${[0, 0]}    | ${undefined}        | ${'more digits are more'}
    ${['98765432109876543210', '7']}                     | ${[0, 0]}    | ${'not-increasing'} | ${'fewer are less'}
    ${['98765432109876543210', 'x']}                     | ${[0, 0]}    | ${'not-an-integer'} | ${'text among them'}
    ${['b', 'a']}                                        | ${[0, 0]}    | ${undefined}        | ${'text has no order'}
    ${['a', 'b', 'a']}                                   | ${[0, 0, 0]} | ${'repeated'}       | ${'text repeated in a millisecond'}
    ${['a', 'b', 'a']}                                   | ${[0, 0, 1]} | ${undefined}        | ${'text repeated later'}
    ${['a', 'b', 'b']}                                   | ${[0, 1, 1]} | ${'repeated'}       | ${'repeated in the second millisecond'}
    ${['a', '5', '4']}                                   | ${[0, 0, 0]} | ${undefined}        | ${'digits among text are text'}
    ${['007', '006']}                                    | ${[0, 0]}    | ${undefined}        | ${'with leading zeros they are text from the start'}
    ${['']}                                              | ${[0]}       | ${'empty'}          | ${'no id'}
    ${['a', '']}                                         | ${[0, 0]}    | ${'empty'}          | ${'no id later'}
  `('$why: $ids', ({ ids, times, fault }: { ids: string[]; times: number[]; fault: string | undefined }) => {
    const column = new IdColumn()
    const faults = ids.map((id, row) => column.take(id, times[row] ?? 0))
    expect(faults).toEqual([...ids.slice(1).map(() => undefined), fault])
  })

  it.each`
    id                        | form
    ${'12'}                   | ${'number'}
    ${'98765432109876543210'} | ${'integer'}
    ${'ccc3c1fa-212c-e8b0'}   | ${'text'}
  `('has the form of its first id: $id is $form', ({ id, form }: { id: string; form: string }) => {
    const column = new IdColumn()
    expect(column.form).toBeUndefined()
    column.take(id, 0)
    expect(column.form).toBe(form)
  })
})
