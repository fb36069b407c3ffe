import { describe, expect, it } from 'vitest'
import { planColumns, type ColumnPlan } from '../../../src/import/csv/column-plan.ts'

/** The plan as `kind: field of each column`, `-` for one that is not used. */
const shownPlan = ({ kind, fields }: ColumnPlan): string => `${kind}: ${fields.map((field) => field ?? '-').join(' ')}`

const plan = (header: string, columns?: string): ColumnPlan => planColumns('tape.csv', header.split(','), columns)

const BINANCE_ROW = '3735683259,61837.63,0.02,1236.75,1723161255342,True,True'

describe('planColumns', () => {
  it.each`
    header                                                                                  | expected                                                     | why
    ${'trade_id,time_ms,price,qty,is_buyer_maker'}                                          | ${'trades: id time price qty is_buyer_maker'}                | ${'a recorded tape'}
    ${'id,symbol,price,qty,buyOrderId,sellOrderId,buyerId,sellerId,isBuyerMaker,createdAt'} | ${'trades: id symbol price qty - - - - is_buyer_maker time'} | ${"the specification's own names, section 2"}
    ${'Symbol,SIDE,Price,Amount,Timestamp'}                                                 | ${'trades: symbol side price qty time'}                      | ${'any case'}
    ${'date,price,size'}                                                                    | ${'trades: time price qty'}                                  | ${'common names'}
    ${'datetime,price,quantity'}                                                            | ${'trades: time price qty'}                                  | ${'more of them'}
    ${'time,price,qty,volume'}                                                              | ${'trades: time price qty -'}                                | ${'a volume says nothing of one trade'}
    ${'time,price,size,exchange,sale_condition'}                                            | ${'trades: time price qty exchange conditions'}              | ${'what a print of the consolidated tape has'}
    ${',Open,High,Low,Close,Volume'}                                                        | ${'candles: time open high low close volume'}                | ${'an unnamed first column is the time'}
    ${',time,price,qty'}                                                                    | ${'trades: - time price qty'}                                | ${'but not beside another time'}
    ${'time,open,high,low,close,volume,amount,id'}                                          | ${'candles: time open high low close volume - -'}            | ${'what a candle does not have is not used'}
    ${'time,open,high,low,price,qty'}                                                       | ${'trades: time - - - price qty'}                            | ${'a trade beside prices of the day: without a close there is no candle'}
    ${'time,amount,open,high,low,close,volume,size'}                                        | ${'candles: time - open high low close volume -'}            | ${'names that would be ambiguous in trades'}
  `('$why: $header', ({ header, expected }: { header: string; expected: string }) => {
    expect(shownPlan(plan(header))).toBe(expected)
  })

  it.each`
    header                                | message                                                                                                                                               | why
    ${'price,qty'}                        | ${'found no column for time (expected time, time_ms, '}                                                                                               | ${'no time'}
    ${'time,qty'}                         | ${'found no column for price (expected price) in the header'}                                                                                         | ${'no price'}
    ${'time,price,volume'}                | ${'found no column for qty (expected qty, quantity, amount, size)'}                                                                                   | ${'no quantity'}
    ${'time,open,high,low,close,vlume'}   | ${"(is it 'vlume'?)"}                                                                                                                                 | ${'a misspelt volume'}
    ${'time,open,high,low,clos,volume'}   | ${"found no column for close (expected close) in the header 'time,open,high,low,clos,volume' (is it 'clos'?); set it with columns: 'close=clos,...'"} | ${'a misspelt close'}
    ${'time,open,hihg,low,close,volume'}  | ${'found no column for high'}                                                                                                                         | ${'a misspelt high'}
    ${'time,open,hihg,low,close,volume'}  | ${"(is it 'hihg'?)"}                                                                                                                                  | ${'and the header that may be meant'}
    ${'time,Opn,high,low,close,volume'}   | ${"(is it 'Opn'?); set it with columns: 'open=Opn,...'"}                                                                                              | ${'a misspelt open, in any case'}
    ${'time,open,high,lo,close,volume'}   | ${"found no column for low (expected low) in the header 'time,open,high,lo,close,volume' (is it 'lo'?)"}                                              | ${'a misspelt low'}
    ${'time,open,high,low,close,vol'}     | ${"found no column for volume (expected volume) in the header 'time,open,high,low,close,vol' (is it 'vol'?)"}                                         | ${'another word for volume'}
    ${'time,opn,high,low,clos,volume'}    | ${"found no column for open (expected open) in the header 'time,opn,high,low,clos,volume' (is it 'opn'?)"}                                            | ${'two of five are misspelt: the first'}
    ${'tim,open,high,low,close,volume'}   | ${'found no column for time (expected time, time_ms, timestamp'}                                                                                      | ${'candles without a time'}
    ${'time,open,high,low,amount'}        | ${"found no column for close (expected close) in the header 'time,open,high,low,amount'; set it with columns: 'close=...'"}                           | ${'three figures of a candle, and nothing near a close'}
    ${'time,prize,qty'}                   | ${"for price (expected price) in the header 'time,prize,qty' (is it 'prize'?)"}                                                                       | ${'a misspelt price'}
    ${'time,price,quantty'}               | ${"(is it 'quantty'?)"}                                                                                                                               | ${'near another name of the field'}
    ${'time,date,price,qty'}              | ${"got time and date; choose one with columns: 'time=time,...'"}                                                                                      | ${'two times'}
    ${'time,price,qty,size'}              | ${'expected one column for qty, got qty and size'}                                                                                                    | ${'two quantities'}
    ${'time,price,Price,qty'}             | ${'got price and Price'}                                                                                                                              | ${'one name twice'}
    ${'time,price,qty,side,isBuyerMaker'} | ${'got both side and is_buyer_maker'}                                                                                                                 | ${'two tellings of the aggressor'}
    ${'time;price;qty'}                   | ${'columns are separated by commas'}                                                                                                                  | ${'another separator'}
    ${BINANCE_ROW}                        | ${`expected a header, got '${BINANCE_ROW}'; for a file without`}                                                                                      | ${'no header, and the row to see it by'}
    ${'2024-08-09,x,y'}                   | ${'expected a header, got'}                                                                                                                           | ${'no header, but a date'}
    ${'x,-1.5,y'}                         | ${'expected a header, got'}                                                                                                                           | ${'no header, but a number'}
  `('refuses $header: $why', ({ header, message }: { header: string; message: string }) => {
    expect(() => plan(header)).toThrow(/^tape\.csv:1: /)
    expect(() => plan(header)).toThrow(message)
  })

  it('shows how to name the columns of a file without a header', () => {
    expect(() => plan('1,2,3')).toThrow("columns: 'time,price,qty'")
  })

  it('names the columns that are not used', () => {
    expect(plan(',time,price,qty,recv_ns').ignored).toEqual(['column 1', 'recv_ns'])
    expect(plan('a,b,c,d', 'time=a,price=b,qty=d').ignored).toEqual(['c'])
  })

  it.each`
    header                      | declares
    ${'time_ms,price,qty'}      | ${true}
    ${'Timestamp_MS,price,qty'} | ${true}
    ${'createdAt,price,qty'}    | ${true}
    ${'created_at,price,qty'}   | ${false}
    ${'timestamp,price,qty'}    | ${false}
  `('takes a time column at its word: $header', ({ header, declares }: { header: string; declares: boolean }) => {
    expect(plan(header).declaresMilliseconds).toBe(declares)
  })

  describe('with --columns', () => {
    it.each`
      header                        | columns                                           | expected                                          | why
      ${'id,price,amount,type'}     | ${'time=id,price=price,qty=amount'}               | ${'trades: time price qty -'}                     | ${'any column may be the time'}
      ${'a,b,c,d'}                  | ${'time=A,price=B,qty=D'}                         | ${'trades: time price - qty'}                     | ${'headers in any case'}
      ${'time,date,price,qty,side'} | ${'time=date,price=price,qty=qty'}                | ${'trades: - time price qty -'}                   | ${'only what is named is used'}
      ${',o,h,l,c,v'}               | ${'time=,open=o,high=h,low=l,close=c,volume=v'}   | ${'candles: time open high low close volume'}     | ${'a column without a name'}
      ${'t,p,q,x,c'}                | ${'time=t,price=p,qty=q,exchange=x,conditions=c'} | ${'trades: time price qty exchange conditions'}   | ${'exchange and conditions by header'}
      ${BINANCE_ROW}                | ${'id,price,qty,-,time,is_buyer_maker,-'}         | ${'trades: id price qty - time is_buyer_maker -'} | ${'by position'}
      ${'1,2,3,4,5,6'}              | ${'time,open,high,low,close,volume'}              | ${'candles: time open high low close volume'}     | ${'candles by position'}
      ${'t,px,a=b,'}                | ${'time=t,price=px,qty=a=b,id='}                  | ${'trades: time price qty id'}                    | ${'a header with an equals sign, and one of nothing'}
    `('$why: $columns', ({ header, columns, expected }: { header: string; columns: string; expected: string }) => {
      expect(shownPlan(plan(header, columns))).toBe(expected)
    })

    it.each`
      header           | columns                                 | message                                                   | why
      ${'a,b,c'}       | ${'time=a,price=x,qty=c'}               | ${"expected a header of tape.csv, 'a,b,c', got 'x'"}      | ${'no such header'}
      ${'stamp,b,c'}   | ${'time=stmp,price=b,qty=c'}            | ${"did you mean 'stamp'?"}                                | ${'a mistyped header'}
      ${'a,b,B'}       | ${'time=a,price=b,qty=B'}               | ${"expected one column 'b' in tape.csv, got 2"}           | ${'a header that is there twice'}
      ${'a,b,c'}       | ${'time=a,price=b,qty=b'}               | ${"expected one field for column 'b', got price and qty"} | ${'a column for two fields'}
      ${'a,b,c'}       | ${'time=a,price=b'}                     | ${'expected qty among the fields, got time, price'}       | ${'a field too few'}
      ${'1,2'}         | ${'time,price'}                         | ${'expected qty among the fields'}                        | ${'a field too few by position'}
      ${'1,2,3,4'}     | ${'time,price,qty'}                     | ${"each of 4 columns in tape.csv:1, '1,2,3,4', got 3"}    | ${'a column without a word'}
      ${'1,2,3'}       | ${'time,price,qty,-'}                   | ${'each of 3 columns'}                                    | ${'a word without a column'}
      ${'1,2,3,4,5,6'} | ${'time,open,high,low,close,qty'}       | ${'for candles, got qty'}                                 | ${'a field of trades in candles'}
      ${'1,2,3,4,5'}   | ${'time,open,high,low,volume'}          | ${'expected close among the fields, got time, open'}      | ${'a candle without a close'}
      ${'1,2,3,4'}     | ${'time,price,qty,open'}                | ${'for trades, got open'}                                 | ${'a field of candles in trades'}
      ${'1,2,3,4,5'}   | ${'time,price,qty,side,is_buyer_maker'} | ${'got both side and is_buyer_maker'}                     | ${'two tellings of the aggressor'}
    `(
      'refuses $columns for $header: $why',
      ({ header, columns, message }: { header: string; columns: string; message: string }) => {
        expect(() => plan(header, columns)).toThrow(/^columns: /)
        expect(() => plan(header, columns)).toThrow(message)
      },
    )

    it.each`
      columns                | message                                                   | why
      ${'time,prize,qty'}    | ${"got 'prize'; did you mean 'price'?"}                   | ${'an unknown field, with the nearest'}
      ${'time=t,quantity=q'} | ${"got 'quantity'"}                                       | ${'an unknown field with nothing near it'}
      ${'time=t,-=x'}        | ${"got '-'"}                                              | ${'nothing is skipped by header'}
      ${'time,price,price'}  | ${"expected each field once, got 'price' twice"}          | ${'a double field'}
      ${'time=a,time=b'}     | ${"expected each field once, got 'time' twice"}           | ${'a double field by header'}
      ${'time=t,price'}      | ${'expected field=header in every entry, or only fields'} | ${'both forms at once'}
      ${''}                  | ${"got ''"}                                               | ${'nothing'}
      ${'time,,qty'}         | ${"got ''"}                                               | ${'nothing between two commas'}
      ${'time, price'}       | ${"got ' price'; did you mean 'price'?"}                  | ${'a blank is not passed over'}
    `('refuses $columns whatever the file: $why', ({ columns, message }: { columns: string; message: string }) => {
      expect(() => plan('a,b', columns)).toThrow(/^columns: /)
      expect(() => plan('a,b', columns)).toThrow(message)
    })

    it('reports a file with a header from one without by the form of the option', () => {
      expect(plan('a,b,c', 'time=a,price=b,qty=c').hasHeader).toBe(true)
      expect(plan('1,2,3', 'time,price,qty').hasHeader).toBe(false)
      expect(plan('t_ms,b,c', 'time=t_ms,price=b,qty=c').declaresMilliseconds).toBe(true)
    })
  })
})
