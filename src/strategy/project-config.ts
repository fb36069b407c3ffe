/**
 * The type of a config file. Written by test/docs/configuration.test.ts from the schema of the config file; do not edit.
 */

/** Settings at the top of a config file. */
export interface SharedSettings {
  /** Schema of this file, for editors: ./node_modules/papertape/config.schema.json. */
  readonly $schema?: string
  /** Name of a ready strategy, or a TypeScript or JavaScript file. */
  readonly strategy?: string
  /** Parameters of the strategy. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Several strategies on one wallet, instead of `strategy` and `params`. */
  readonly strategies?: readonly {
    /** Name of a ready strategy, or a TypeScript or JavaScript file. */
    readonly use: string
    /** Unique name (default: that of the strategy). */
    readonly name?: string
    /** Parameters of the strategy. */
    readonly params?: Readonly<Record<string, unknown>>
    /**
     * Part of the credit, or of the live account (default: an equal part of what the others
     * leave).
     */
    readonly capital?: { readonly share: number } | { readonly amount: string }
    /** Risk limits, checked against the book of this strategy. */
    readonly limits?: {
      /** Refuse an order worth more than this in the quote asset (default: off). */
      readonly order?: string | 'off'
      /**
       * Refuse a buy if position plus open orders could exceed this value in the quote asset
       * (default: off).
       */
      readonly position?: string | 'off'
      /**
       * Refuse a limit buy this many percent above the last trade, or a limit sell this many below
       * (default: off).
       */
      readonly collarPercent?: string | 'off' | number
      /** Refuse orders beyond this many within 60 s (default: off). */
      readonly ordersPerMinute?: number | 'off'
      /**
       * After a loss of this much in a UTC day, only reduce positions until the next (default:
       * off).
       */
      readonly dayLoss?: string | 'off'
      /** Once equity is this many percent below its peak, only reduce positions (default: off). */
      readonly drawdownPercent?: string | 'off' | number
      /**
       * What a day-loss or drawdown limit does: reduce, or flatten to also sell the position of the
       * session (default: reduce).
       */
      readonly atLimit?: 'reduce' | 'flatten'
    }
  }[]
  /**
   * Moves free quote asset between the strategies at given times, such as { "rule": "equal",
   * "every": "1w" }.
   */
  readonly rebalance?: {
    /**
     * Equal parts; the shares of `capital`; or parts by one over the deviation of each book's
     * daily returns.
     */
    readonly rule: 'equal' | 'share' | 'inverse-volatility'
    /** Days, weeks from a Monday on, or months from the first day on: 1d, 2w, 1M. */
    readonly every: string
    /** Time of day in UTC (default: 00:00). */
    readonly at?: string
    /**
     * Days of returns that inverse-volatility weighs by; equal until there are so many (default:
     * 30).
     */
    readonly days?: number
  }
  /**
   * Recorded market: [SYMBOL=]FILE, or { file, symbol, ... } with its own settings, or a list
   * of these.
   */
  readonly tape?:
    | string
    | {
        /** CSV or CSV.gz. */
        readonly file: string
        /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
        readonly symbol?: string
        /**
         * Column names, such as time=ts,price=px,qty=amount; or, without a header, all fields in
         * order, such as time,price,qty.
         */
        readonly columns?: string
        /** File format, if ambiguous (default: detected and reported). */
        readonly dialect?: string
        /** Market to read from a file with several, by its name in the file. */
        readonly market?: string
        /** Unit of integer timestamps: s, ms, us or ns (default: detected from their size). */
        readonly timeUnit?: 's' | 'ms' | 'us' | 'ns'
        /**
         * Time zone of dates without one, and of daily candles built from this file, such as
         * America/New_York (default: UTC).
         */
        readonly zone?: string
        /** Which comes first in dates such as 03/04/2024: day or month. */
        readonly dateOrder?: 'day' | 'month'
        /** Sort rows by time. */
        readonly sort?: boolean
        /** Round values to this many decimals (default: no rounding). */
        readonly precision?: number
        /** What the timestamp of a candle marks: open or close (default: open). */
        readonly candleTime?: 'open' | 'close'
        /** Candle length: 1m, 1h, 1d, ... or milliseconds (default: most common step). */
        readonly candleInterval?: string | number
        /**
         * When a candle closes: interval, one interval after its open; or next, at the next open, for
         * candles of unequal length (default: interval).
         */
        readonly candleClose?: 'interval' | 'next'
        /** Volume of every candle, for a file without volumes (default: 1000000). */
        readonly volume?: string
        /** Decimals of prices (default: as many as the file needs). */
        readonly pricePrecision?: number
        /** Decimals of quantities (default: as many as the file needs). */
        readonly qtyPrecision?: number
      }
    | readonly (
        | string
        | {
            /** CSV or CSV.gz. */
            readonly file: string
            /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
            readonly symbol?: string
            /**
             * Column names, such as time=ts,price=px,qty=amount; or, without a header, all fields in
             * order, such as time,price,qty.
             */
            readonly columns?: string
            /** File format, if ambiguous (default: detected and reported). */
            readonly dialect?: string
            /** Market to read from a file with several, by its name in the file. */
            readonly market?: string
            /** Unit of integer timestamps: s, ms, us or ns (default: detected from their size). */
            readonly timeUnit?: 's' | 'ms' | 'us' | 'ns'
            /**
             * Time zone of dates without one, and of daily candles built from this file, such as
             * America/New_York (default: UTC).
             */
            readonly zone?: string
            /** Which comes first in dates such as 03/04/2024: day or month. */
            readonly dateOrder?: 'day' | 'month'
            /** Sort rows by time. */
            readonly sort?: boolean
            /** Round values to this many decimals (default: no rounding). */
            readonly precision?: number
            /** What the timestamp of a candle marks: open or close (default: open). */
            readonly candleTime?: 'open' | 'close'
            /** Candle length: 1m, 1h, 1d, ... or milliseconds (default: most common step). */
            readonly candleInterval?: string | number
            /**
             * When a candle closes: interval, one interval after its open; or next, at the next open, for
             * candles of unequal length (default: interval).
             */
            readonly candleClose?: 'interval' | 'next'
            /** Volume of every candle, for a file without volumes (default: 1000000). */
            readonly volume?: string
            /** Decimals of prices (default: as many as the file needs). */
            readonly pricePrecision?: number
            /** Decimals of quantities (default: as many as the file needs). */
            readonly qtyPrecision?: number
          }
      )[]
  /**
   * Recorded order book or quotes of a market: SYMBOL=FILE, or { file, symbol, ... }, or a list
   * of these.
   */
  readonly depth?:
    | string
    | {
        /** CSV or JSON, or either compressed. */
        readonly file: string
        /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
        readonly symbol?: string
        /** Market to read from a file with several, by its name in the file. */
        readonly market?: string
        /** Decimals of prices (default: as many as the file needs). */
        readonly pricePrecision?: number
        /** Decimals of quantities (default: as many as the file needs). */
        readonly qtyPrecision?: number
      }
    | readonly (
        | string
        | {
            /** CSV or JSON, or either compressed. */
            readonly file: string
            /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
            readonly symbol?: string
            /** Market to read from a file with several, by its name in the file. */
            readonly market?: string
            /** Decimals of prices (default: as many as the file needs). */
            readonly pricePrecision?: number
            /** Decimals of quantities (default: as many as the file needs). */
            readonly qtyPrecision?: number
          }
      )[]
  /**
   * Files with the strategy's own data by the name that it asks for, such as { "fear-greed":
   * "fng.csv" }.
   */
  readonly series?: Readonly<Record<string, string>>
  /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
  readonly symbol?: string
  /**
   * Column names, such as time=ts,price=px,qty=amount; or, without a header, all fields in
   * order, such as time,price,qty.
   */
  readonly columns?: string
  /** File format, if ambiguous (default: detected and reported). */
  readonly dialect?: string
  /** Market to read from a file with several, by its name in the file. */
  readonly market?: string
  /** Unit of integer timestamps: s, ms, us or ns (default: detected from their size). */
  readonly timeUnit?: 's' | 'ms' | 'us' | 'ns'
  /**
   * Time zone of dates without one, and of daily candles built from this file, such as
   * America/New_York (default: UTC).
   */
  readonly zone?: string
  /** Which comes first in dates such as 03/04/2024: day or month. */
  readonly dateOrder?: 'day' | 'month'
  /** Sort rows by time. */
  readonly sort?: boolean
  /** Round values to this many decimals (default: no rounding). */
  readonly precision?: number
  /** What the timestamp of a candle marks: open or close (default: open). */
  readonly candleTime?: 'open' | 'close'
  /** Candle length: 1m, 1h, 1d, ... or milliseconds (default: most common step). */
  readonly candleInterval?: string | number
  /**
   * When a candle closes: interval, one interval after its open; or next, at the next open, for
   * candles of unequal length (default: interval).
   */
  readonly candleClose?: 'interval' | 'next'
  /** Volume of every candle, for a file without volumes (default: 1000000). */
  readonly volume?: string
  /** Decimals of prices (default: as many as the file needs). */
  readonly pricePrecision?: number
  /** Decimals of quantities (default: as many as the file needs). */
  readonly qtyPrecision?: number
  /** Initial balances, a decimal string by asset (default: 10000 of the quote asset). */
  readonly credit?: Readonly<Record<string, string>>
  /** Maker fee in basis points (default: 0). */
  readonly makerFee?: string
  /** Taker fee in basis points (default: 0). */
  readonly takerFee?: string
  /**
   * Liquidity model: book, book-power, book-prorata, tape, through, touch, ideal, or a file
   * (default: tape, or book with a recorded book).
   */
  readonly liquidity?: string
  /** Queue size ahead of your order, in average trade sizes (default: 1). */
  readonly queue?: number
  /** Size of each simulated price level, in average trade sizes (default: 1). */
  readonly levelSize?: number
  /** Spread of the market, such as 0.01 (default: estimated from trades; one tick for candles). */
  readonly spread?: string
  /** Milliseconds after which a quote is stale and fills nothing (default: 600000). */
  readonly staleAfter?: number
  /**
   * Outlier filter of recorded prints: auto (applies to prints without a side) or off (default:
   * auto).
   */
  readonly printFilter?: 'auto' | 'off'
  /** Milliseconds until an order reaches the exchange (default: 50). */
  readonly orderLatency?: number
  /** Milliseconds until the reply reaches the strategy (default: 0). */
  readonly responseLatency?: number
  /** Milliseconds until market data reaches the strategy (default: 0). */
  readonly feedLatency?: number
  /** What happens to an order over the rate limit: refuse or wait (default: refuse). */
  readonly onLimit?: 'refuse' | 'wait'
  /**
   * Computed quantities and limit prices with too many digits: round them to the lot and tick,
   * or refuse the order (default: round).
   */
  readonly rounding?: 'round' | 'refuse'
  /**
   * Risk limits, such as { "dayLoss": "200" }, of all strategies together; or the rate limits
   * of the service: true (default), false, or { general, mutations, windowSeconds }.
   */
  readonly limits?:
    | boolean
    | { readonly general: number; readonly mutations: number; readonly windowSeconds: number }
    | {
        /** Refuse an order worth more than this in the quote asset (default: off). */
        readonly order?: string | 'off'
        /**
         * Refuse a buy if position plus open orders could exceed this value in the quote asset
         * (default: off).
         */
        readonly position?: string | 'off'
        /**
         * Refuse a limit buy this many percent above the last trade, or a limit sell this many below
         * (default: off).
         */
        readonly collarPercent?: string | 'off' | number
        /** Refuse orders beyond this many within 60 s (default: off). */
        readonly ordersPerMinute?: number | 'off'
        /**
         * After a loss of this much in a UTC day, only reduce positions until the next (default:
         * off).
         */
        readonly dayLoss?: string | 'off'
        /** Once equity is this many percent below its peak, only reduce positions (default: off). */
        readonly drawdownPercent?: string | 'off' | number
        /**
         * What a day-loss or drawdown limit does: reduce, or flatten to also sell the position of the
         * session (default: reduce).
         */
        readonly atLimit?: 'reduce' | 'flatten'
      }
  /**
   * End the run at more orders and cancels at one moment, as in an endless loop (default:
   * 10000).
   */
  readonly maxOrdersAtOnce?: number
  /** Start of the run, inclusive: ISO 8601 or Unix ms. */
  readonly from?: string | number
  /** End of the run, exclusive: ISO 8601 or Unix ms. */
  readonly to?: string | number
  /**
   * Feed this much history first (e.g. 30d) without sending orders (default: as declared by the
   * strategy).
   */
  readonly warmup?: string
  /** Refuse an order worth more than this in the quote asset (default: off). */
  readonly maxOrder?: string | 'off'
  /**
   * Refuse a buy if position plus open orders could exceed this value in the quote asset
   * (default: off).
   */
  readonly maxPosition?: string | 'off'
  /**
   * Refuse a limit buy this many percent above the last trade, or a limit sell this many below
   * (default: off).
   */
  readonly collarPercent?: string | 'off'
  /** Refuse orders beyond this many within 60 s (default: off). */
  readonly ordersPerMinute?: number | 'off'
  /**
   * After a loss of this much in a UTC day, only reduce positions until the next (default:
   * off).
   */
  readonly dayLoss?: string | 'off'
  /** Once equity is this many percent below its peak, only reduce positions (default: off). */
  readonly drawdownPercent?: string | 'off'
  /**
   * What a day-loss or drawdown limit does: reduce, or flatten to also sell the position of the
   * session (default: reduce).
   */
  readonly atLimit?: 'reduce' | 'flatten'
  /** Sampling period of returns in the statistics: 1m, 5m, 15m, 30m, 1h, 4h, 1d (default: 1d). */
  readonly statsPeriod?: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d'
  /** Periods per year used to annualize, such as 252 trading days (default: measured). */
  readonly periodsPerYear?: number
  /** Annual risk-free rate as a fraction, such as 0.02 (default: 0). */
  readonly riskFreeRate?: number
  /** Random seed (default: 1). */
  readonly seed?: number
  /**
   * If a resting order filled, also run under the best-case and worst-case fill models
   * (default).
   */
  readonly bounds?: boolean
  /** Directory for the files of the run. */
  readonly out?: string
  /** Overwrite an earlier backtest in that directory. */
  readonly force?: boolean
  /** Database (SQLite file) to save the run in, such as papertape.db. */
  readonly db?: string
  /** Count the run as a trial in that database (default). */
  readonly countTrials?: boolean
  /** Print the report as one line of JSON. */
  readonly json?: boolean
  /** Print only errors. */
  readonly quiet?: boolean
  /** Seconds that loading a strategy, or one of its turns, may take, or off (default: 60). */
  readonly turnLimit?: number | 'off'
  /** Base URL of the service that live, paper and record use. */
  readonly url?: string
}

/** Section `backtest` of a config file. */
export interface BacktestSection extends Pick<
  SharedSettings,
  | 'tape'
  | 'depth'
  | 'series'
  | 'symbol'
  | 'columns'
  | 'dialect'
  | 'market'
  | 'timeUnit'
  | 'zone'
  | 'dateOrder'
  | 'sort'
  | 'precision'
  | 'candleTime'
  | 'candleInterval'
  | 'candleClose'
  | 'volume'
  | 'pricePrecision'
  | 'qtyPrecision'
  | 'credit'
  | 'makerFee'
  | 'takerFee'
  | 'liquidity'
  | 'queue'
  | 'levelSize'
  | 'spread'
  | 'staleAfter'
  | 'printFilter'
  | 'orderLatency'
  | 'responseLatency'
  | 'feedLatency'
  | 'onLimit'
  | 'rounding'
  | 'limits'
  | 'maxOrdersAtOnce'
  | 'from'
  | 'to'
  | 'warmup'
  | 'maxOrder'
  | 'maxPosition'
  | 'collarPercent'
  | 'ordersPerMinute'
  | 'dayLoss'
  | 'drawdownPercent'
  | 'atLimit'
  | 'statsPeriod'
  | 'periodsPerYear'
  | 'riskFreeRate'
  | 'seed'
  | 'bounds'
  | 'out'
  | 'force'
  | 'db'
  | 'countTrials'
  | 'json'
  | 'quiet'
  | 'turnLimit'
> {
  /**
   * Recorded markets by symbol, such as { "BTC_USD": "data/btc_usd.csv.gz" }, instead of
   * `tape`.
   */
  readonly tapes?: Readonly<
    Record<
      string,
      | string
      | {
          /** CSV or CSV.gz. */
          readonly file: string
          /** Market of a single tape given without SYMBOL=, such as BTC_USD. */
          readonly symbol?: string
          /**
           * Column names, such as time=ts,price=px,qty=amount; or, without a header, all fields in
           * order, such as time,price,qty.
           */
          readonly columns?: string
          /** File format, if ambiguous (default: detected and reported). */
          readonly dialect?: string
          /** Market to read from a file with several, by its name in the file. */
          readonly market?: string
          /** Unit of integer timestamps: s, ms, us or ns (default: detected from their size). */
          readonly timeUnit?: 's' | 'ms' | 'us' | 'ns'
          /**
           * Time zone of dates without one, and of daily candles built from this file, such as
           * America/New_York (default: UTC).
           */
          readonly zone?: string
          /** Which comes first in dates such as 03/04/2024: day or month. */
          readonly dateOrder?: 'day' | 'month'
          /** Sort rows by time. */
          readonly sort?: boolean
          /** Round values to this many decimals (default: no rounding). */
          readonly precision?: number
          /** What the timestamp of a candle marks: open or close (default: open). */
          readonly candleTime?: 'open' | 'close'
          /** Candle length: 1m, 1h, 1d, ... or milliseconds (default: most common step). */
          readonly candleInterval?: string | number
          /**
           * When a candle closes: interval, one interval after its open; or next, at the next open, for
           * candles of unequal length (default: interval).
           */
          readonly candleClose?: 'interval' | 'next'
          /** Volume of every candle, for a file without volumes (default: 1000000). */
          readonly volume?: string
          /** Decimals of prices (default: as many as the file needs). */
          readonly pricePrecision?: number
          /** Decimals of quantities (default: as many as the file needs). */
          readonly qtyPrecision?: number
        }
    >
  >
  /** Instead of `makerFee` and `takerFee`. */
  readonly fees?: {
    /** Fee of resting orders, in basis points. */
    readonly makerBps?: string
    /** Fee of taking orders, in basis points. */
    readonly takerBps?: string
  }
}

/** Section `live` of a config file. */
export interface LiveSection extends Pick<
  SharedSettings,
  | 'makerFee'
  | 'takerFee'
  | 'rounding'
  | 'warmup'
  | 'maxOrder'
  | 'maxPosition'
  | 'ordersPerMinute'
  | 'dayLoss'
  | 'drawdownPercent'
  | 'atLimit'
  | 'statsPeriod'
  | 'periodsPerYear'
  | 'riskFreeRate'
  | 'seed'
> {
  /** Parameters of the strategy, over those above. */
  readonly params?: Readonly<Record<string, unknown>>
  /**
   * Files with the own data of the strategies by the name that they ask for; new rows are read
   * as they come.
   */
  readonly series?: Readonly<Record<string, string>>
  /** Base URL of the service, such as http://127.0.0.1:8080/v1. */
  readonly url?: string
  /**
   * Market of strategies that have a symbol parameter (default: the only market of the
   * service).
   */
  readonly symbol?: string
  /** Request timeout in milliseconds (default: 10000). */
  readonly timeoutMs?: number
  /**
   * How long to wait at the start for a service that does not answer, such as 10m; off means
   * five tries (default: 10m if orders are open or waiting, otherwise off).
   */
  readonly wait?: string | 'off'
  /**
   * Milliseconds after which an order without a reply, missing from every list, is assumed not
   * to exist (default: 30000; formerly --settle-ms).
   */
  readonly reconcileMs?: number
  /** Reduce quantities by a few lots so that no two orders are identical. */
  readonly uniqueQty?: boolean
  /**
   * Maximum time to shut down; orders that are not cancelled by then are listed (default: 30s).
   */
  readonly stopTimeout?: string
  /** Leave open orders on the service at the end, like --at-exit keep. */
  readonly keepOrders?: boolean
  /**
   * What to do at the end: cancel the orders of the session, keep them, or flatten (cancel them
   * and sell its position) (default: cancel).
   */
  readonly atExit?: 'cancel' | 'keep' | 'flatten'
  /** Directory to write the run to (default: a new one in your user data directory). */
  readonly out?: string
  /**
   * Record the trades of its markets into a database such as papertape.db, or into a directory
   * with one file per market.
   */
  readonly record?: string
  /**
   * Keep the trades as they arrive in the directory of --out, for papertape twin (default: on;
   * off with --no-received).
   */
  readonly received?: boolean
  /**
   * Repeat the session as its own backtest after each midnight (UTC), like papertape twin, and
   * report the gap; needs --out.
   */
  readonly nightly?: boolean
  /** Directory for order state and the lock (default: one per account). */
  readonly state?: string
  /**
   * Strategy to run on paper at the same time, on the same data, and to compare at the end: a
   * file, or the name of a ready one.
   */
  readonly shadow?: string
  /** What happens to an order over the rate limit: refuse or wait (default: wait). */
  readonly onLimit?: 'refuse' | 'wait'
  /**
   * Refuse a limit buy this many percent above the last trade, or a limit sell this many below
   * (default: 10).
   */
  readonly collarPercent?: string | 'off'
  /** Port of a status page, reachable only from this machine; 0 picks a free port. */
  readonly window?: number
  /** Print only JSON lines on stdout, one per event. */
  readonly json?: boolean
  /**
   * Report starts, states, halts, twins and ends to URL, telegram:CHAT_ID, discord or
   * mailto:ADDRESS; repeatable.
   */
  readonly notify?: string | readonly string[]
  /** With --notify, also report fills to telegram, discord and mailto. */
  readonly notifyFills?: boolean
  /** Another chat that may send commands to the bot of --notify, or 'off' for none; repeatable. */
  readonly telegramAllow?: string | readonly string[]
}

/** Section `paper` of a config file. */
export interface PaperSection extends Pick<
  SharedSettings,
  | 'makerFee'
  | 'takerFee'
  | 'liquidity'
  | 'queue'
  | 'levelSize'
  | 'spread'
  | 'staleAfter'
  | 'printFilter'
  | 'orderLatency'
  | 'responseLatency'
  | 'feedLatency'
  | 'onLimit'
  | 'rounding'
  | 'maxOrdersAtOnce'
  | 'warmup'
  | 'maxOrder'
  | 'maxPosition'
  | 'collarPercent'
  | 'ordersPerMinute'
  | 'dayLoss'
  | 'drawdownPercent'
  | 'atLimit'
  | 'statsPeriod'
  | 'periodsPerYear'
  | 'riskFreeRate'
  | 'seed'
> {
  /** Parameters of the strategy, over those above. */
  readonly params?: Readonly<Record<string, unknown>>
  /**
   * Files with the own data of the strategies by the name that they ask for; new rows are read
   * as they come.
   */
  readonly series?: Readonly<Record<string, string>>
  /** Initial balances, a decimal string by asset. */
  readonly credit?: Readonly<Record<string, string>>
  /** Base URL of the service, such as http://127.0.0.1:8080/v1. */
  readonly url?: string
  /**
   * Market of strategies that have a symbol parameter (default: the only market of the
   * service).
   */
  readonly symbol?: string
  /** How long to run, such as 90s, 30m or 8h (default: until Ctrl-C). */
  readonly for?: string
  /** Apply the rate limits of the service (default); --no-limits turns them off. */
  readonly limits?: boolean | { readonly general: number; readonly mutations: number; readonly windowSeconds: number }
  /**
   * Directory of a state to continue: balances, orders, limits; takes the commands of
   * operators.
   */
  readonly state?: string
  /** Directory to write the run to (default: a new one in your user data directory). */
  readonly out?: string
  /**
   * Record the trades of its markets into a database such as papertape.db, or into a directory
   * with one file per market.
   */
  readonly record?: string
  /**
   * Keep the trades as they arrive in the directory of --out, for papertape twin (default: on;
   * off with --no-received).
   */
  readonly received?: boolean
  /**
   * Repeat the session as its own backtest after each midnight (UTC), like papertape twin, and
   * report the gap; needs --out.
   */
  readonly nightly?: boolean
  /** Port of a status page, reachable only from this machine; 0 picks a free port. */
  readonly window?: number
  /** Print only JSON lines on stdout. */
  readonly json?: boolean
  /** Print only errors and warnings. */
  readonly quiet?: boolean
  /**
   * Report starts, states, halts, twins and ends to URL, telegram:CHAT_ID, discord or
   * mailto:ADDRESS; repeatable.
   */
  readonly notify?: string | readonly string[]
  /** With --notify, also report fills to telegram, discord and mailto. */
  readonly notifyFills?: boolean
  /** Another chat that may send commands to the bot of --notify, or 'off' for none; repeatable. */
  readonly telegramAllow?: string | readonly string[]
}

/** Section `record` of a config file. */
export interface RecordSection {
  /** Base URL of the service, such as http://127.0.0.1:8080/v1. */
  readonly url?: string
  /** Markets to record, separated by commas. */
  readonly symbols?: string | readonly string[]
  /** Database file (default: papertape.db). */
  readonly db?: string
  /**
   * Record into this directory instead, one CSV file per market; existing recordings are
   * continued.
   */
  readonly out?: string
  /** Print only JSON lines on stdout. */
  readonly json?: boolean
  /** Print only errors and warnings. */
  readonly quiet?: boolean
}

/** Content of `papertape.config.ts`. */
export interface PapertapeConfig extends SharedSettings {
  /** Settings of papertape backtest and sweep; they win over those above. */
  readonly backtest?: BacktestSection
  /** Settings of papertape live; they win over those above. */
  readonly live?: LiveSection
  /** Settings of papertape paper; they win over those above. */
  readonly paper?: PaperSection
  /** Settings of papertape record; they win over those above. */
  readonly record?: RecordSection
}

/** Returns its argument: the default export of `papertape.config.ts`, whose keys an editor completes and checks. */
export const defineConfig = (config: PapertapeConfig): PapertapeConfig => config
