/**
 * Candles as tables of text.
 */
import { lines, type Example } from './example.ts'

const BY_HEADER = 'candles by their header'
const DAILY = [
  '2024-01-02T00:00:00.000Z 100.5 103 99 102 1200',
  '2024-01-04T00:00:00.000Z 101 101 95 96.25 700',
] as const

export const CANDLE_FORMATS: readonly Example[] = [
  {
    format: 'LEAN minutes of a coin',
    name: '20240101_btcusd_minute_trade.csv',
    dialect: 'LEAN bars',
    content: lines(
      '0,42000.1,42010,41990,42005.5,12.5',
      '60000,42005.5,42020,42000,42001,3.25',
      '120000,42001,42001,41950,41960.25,7',
    ),
  },
  {
    format: 'LEAN days of a share',
    dialect: 'LEAN bars of shares',
    content: lines(
      '20240102 00:00,1005000,1030000,990000,1020000,1200',
      '20240103 00:00,1020000,1040000,1000000,1010000,900',
      '20240104 00:00,1010000,1010000,950000,962500,700',
    ),
    said: { dialect: 'lean-equity' },
    rows: ['2024-01-02T05:00:00.000Z 100.5 103 99 102 1200', '2024-01-04T05:00:00.000Z 101 101 95 96.25 700'],
  },
  {
    format: 'HistData minutes',
    dialect: 'time, open, high, low, close and volume',
    content: lines(
      '20240102 000000;100.5;103;99;102;1200',
      '20240103 000000;102;104;100;101;900',
      '20240104 000000;101;101;95;96.25;700',
    ),
    rows: DAILY,
  },
  {
    format: 'Dukascopy',
    dialect: BY_HEADER,
    content: lines(
      'Gmt time,Open,High,Low,Close,Volume',
      '02.01.2024 00:00:00.000,100.5,103,99,102,1200',
      '03.01.2024 00:00:00.000,102,104,100,101,900',
      '04.01.2024 00:00:00.000,101,101,95,96.25,700',
    ),
    rows: DAILY,
  },
  {
    format: "Kaggle's history of Bitcoin",
    dialect: 'CSV with a header',
    content: lines(
      'Timestamp,Open,High,Low,Close,Volume',
      '1704067200.0,42000.1,42010,41990,42005.5,12.5',
      '1704067260.0,42005.5,42020,42000,42001,3.25',
      '1704067320.0,42001,42001,41950,41960.25,7',
    ),
  },
  {
    format: 'CryptoDataDownload of Gemini, without a link, newest first',
    dialect: 'CryptoDataDownload',
    content: lines(
      'Unix Timestamp,Date,Symbol,Open,High,Low,Close,Volume',
      '1704067320000,2024-01-01 00:02:00,BTCUSD,42001,42001,41950,41960.25,7',
      '1704067260000,2024-01-01 00:01:00,BTCUSD,42005.5,42020,42000,42001,3.25',
      '1704067200000,2024-01-01 00:00:00,BTCUSD,42000.1,42010,41990,42005.5,12.5',
    ),
  },
  {
    format: 'Alpaca and Polygon bars',
    dialect: BY_HEADER,
    content: lines(
      't,o,h,l,c,v,n,vw',
      '1704067200000,42000.1,42010,41990,42005.5,12.5,79,42003',
      '1704067260000,42005.5,42020,42000,42001,3.25,20,42002',
      '1704067320000,42001,42001,41950,41960.25,7,30,41970',
    ),
  },
]
