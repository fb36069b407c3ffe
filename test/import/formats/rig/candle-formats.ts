/**
 * Candles as tables of text.
 */
import { lines, THREE_CANDLES, type Example } from './example.ts'

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
  {
    format: 'Databento bars, prices in units of 1e-9',
    dialect: 'Databento candles',
    content: lines(
      'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume',
      '1704067200000000000,33,1,5482,42000100000000,42010000000000,41990000000000,42005500000000,12.5',
      '1704067260000000000,33,1,5482,42005500000000,42020000000000,42000000000000,42001000000000,3.25',
      '1704067320000000000,33,1,5482,42001000000000,42001000000000,41950000000000,41960250000000,7',
    ),
  },
  {
    format: 'a spreadsheet with decimal commas',
    dialect: BY_HEADER,
    content: lines(
      'Date;Open;High;Low;Close;Volume',
      '13.01.2024 00:00;42.000,1;42.010;41.990;42.005,5;12,5',
      '13.01.2024 00:01;42.005,5;42.020;42.000;42.001;3,25',
      '13.01.2024 00:02;42.001;42.001;41.950;41.960,25;7',
    ),
    rows: [THREE_CANDLES[0].replace('01-01', '01-13'), THREE_CANDLES[2].replace('01-01', '01-13')],
  },
  {
    format: 'a spreadsheet with separators of thousands, in quotes',
    dialect: BY_HEADER,
    content: lines(
      'Date,Open,High,Low,Close,Volume',
      '2024-01-01 00:00:00,"42,000.10","42,010.00","41,990.00","42,005.50",12.5',
      '2024-01-01 00:01:00,"42,005.50","42,020.00","42,000.00","42,001.00",3.25',
      '2024-01-01 00:02:00,"42,001.00","42,001.00","41,950.00","41,960.25",7',
    ),
  },
  {
    format: 'a table of floats',
    dialect: BY_HEADER,
    content: lines(
      'timestamp,open,high,low,close,volume',
      '1704067200000.0,42000.1,42010.0,41990.0,42005.5,12.5',
      '1704067260000.0,42005.5,42020.0,42000.0,42001.0,3.25',
      '1704067320000.0,42001.0,42001.0,41950.0,41960.25,7.0',
    ),
  },
]
