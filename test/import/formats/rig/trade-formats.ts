/**
 * Trades as tables of text.
 */
import { lines, type Example } from './example.ts'

const BY_HEADER = 'trades by their header'

export const TRADE_FORMATS: readonly Example[] = [
  {
    format: 'Tabs',
    dialect: 'CSV with a header',
    content: lines(
      'time\tprice\tqty\tside',
      '1704067200\t42000.1\t0.5\tsell',
      '1704067201\t42000.2\t0.125\tbuy',
      '1704067202\t41999\t0.25\tbuy',
    ),
  },
  {
    format: 'Binance trades of futures',
    dialect: 'Binance trades',
    content: lines(
      'id,price,qty,quote_qty,time,is_buyer_maker',
      '7,42000.1,0.5,21000.05,1704067200000,true',
      '8,42000.2,0.125,5250.025,1704067201000,false',
      '9,41999,0.25,10499.75,1704067202000,false',
    ),
  },
  {
    format: 'Bitfinex trades',
    dialect: BY_HEADER,
    content: lines(
      'id,mts,amount,price',
      '7,1704067200000,-0.5,42000.1',
      '8,1704067201000,0.125,42000.2',
      '9,1704067202000,0.25,41999',
    ),
  },
  {
    format: 'Bitget trades',
    dialect: BY_HEADER,
    content: lines(
      'trade_id,timestamp,price,side,volume(quote),size(base)',
      '7,1704067200000,42000.1,sell,21000.05,0.5',
      '8,1704067201000,42000.2,buy,5250.025,0.125',
      '9,1704067202000,41999,buy,10499.75,0.25',
    ),
  },
  {
    format: 'KuCoin trades',
    dialect: BY_HEADER,
    content: lines(
      'trade_id,trade_time,price,size,side',
      '7,1704067200000,42000.1,0.5,sell',
      '8,1704067201000,42000.2,0.125,buy',
      '9,1704067202000,41999,0.25,buy',
    ),
  },
  {
    format: 'Day and clock in two columns',
    dialect: BY_HEADER,
    content: lines('Date,Time,Price,Volume', '01/13/2024,00:00:00,42000.1,0.5', '01/13/2024,00:00:02,41999,0.25'),
    rows: ['2024-01-13T00:00:00.000Z 42000.1 0.5', '2024-01-13T00:00:02.000Z 41999 0.25'],
  },
]
