import { describe, expect, it } from 'vitest'
import { parseColumnOption } from '../../../src/store/csv/column-option.ts'

describe('parseColumnOption', () => {
  it('reads field=header', () => {
    expect(parseColumnOption('time=timestamp,price=px,qty=a=b,id=')).toEqual({
      form: 'by-header',
      headers: new Map([
        ['time', 'timestamp'],
        ['price', 'px'],
        ['qty', 'a=b'],
        ['id', ''],
      ]),
    })
  })

  it('reads fields by position, - for one to skip', () => {
    expect(parseColumnOption('id,price,qty,-,time,is_buyer_maker,-')).toEqual({
      form: 'by-position',
      fields: ['id', 'price', 'qty', undefined, 'time', 'is_buyer_maker', undefined],
    })
  })

  it.each`
    text                   | message                                          | why
    ${'time,prize,qty'}    | ${"got 'prize'; did you mean 'price'?"}          | ${'an unknown field, with the nearest'}
    ${'time=t,quantity=q'} | ${"got 'quantity'"}                              | ${'an unknown field with nothing near it'}
    ${'time=t,-=x'}        | ${"got '-'"}                                     | ${'nothing is skipped by header'}
    ${'time,price,price'}  | ${"expected each field once, got 'price' twice"} | ${'a double field'}
    ${'time=a,time=b'}     | ${"expected each field once, got 'time' twice"}  | ${'a double field by header'}
    ${'time=t,price'}      | ${'either field=header everywhere or fields'}    | ${'both forms at once'}
    ${''}                  | ${"got ''"}                                      | ${'nothing'}
    ${'time,,qty'}         | ${"got ''"}                                      | ${'nothing between two commas'}
    ${'time, price'}       | ${"got ' price'; did you mean 'price'?"}         | ${'a blank is not passed over'}
  `('refuses $text: $why', ({ text, message }: { text: string; message: string }) => {
    expect(() => parseColumnOption(text)).toThrow(/^--columns: /)
    expect(() => parseColumnOption(text)).toThrow(message)
  })
})
