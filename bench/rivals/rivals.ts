/**
 * The rivals of this table: how each is installed, and how it is started for a piece of work.
 *
 * All compute the same: crossings of averages of 10 and 30 candles with 95 % of the cash, the same crossings for
 * 1,000 pairs of lengths, a count of trades one by one, an import of trades with exact numbers.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Work = 'candles' | 'sweep' | 'trades' | 'import'

/** Commands of one tool. */
export interface Rival {
  readonly name: string
  /** Packages: the first one has the version that is shown. */
  readonly packages: readonly string[]
  readonly from: 'pip' | 'npm'
  /** Arguments before the file, by the work it does; its script is the first. */
  readonly works: Partial<Record<Work, readonly string[]>>
  /** Arguments that convert the file first, not measured. */
  readonly prepare?: readonly string[]
}

const script = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const own = (name: string, more: Partial<Rival> & Pick<Rival, 'packages' | 'works'>): Rival => ({
  name,
  from: 'pip',
  ...more,
})

/** In the order of the columns of the table. */
export const RIVALS: readonly Rival[] = [
  // First, since it limits the versions of pandas most.
  own('NautilusTrader', {
    packages: ['nautilus_trader>=2.0.0rc0', 'pandas'],
    works: { candles: [script('nautilus_rival.py'), 'candles'], trades: [script('nautilus_rival.py'), 'trades'] },
  }),
  own('vectorbt', {
    packages: ['vectorbt', 'plotly<6'],
    works: { candles: [script('vectorbt_rival.py'), 'candles'], sweep: [script('vectorbt_rival.py'), 'sweep'] },
  }),
  own('backtesting.py', { packages: ['backtesting'], works: { candles: [script('backtesting_rival.py'), 'candles'] } }),
  own('grademark', {
    packages: ['grademark@0.3.0', 'data-forge', 'chai@4'],
    from: 'npm',
    works: { candles: ['--max-old-space-size=8000', script('grademark_rival.cjs'), 'candles'] },
  }),
  own('lrvx', {
    packages: ['lrvx', 'pandas'],
    works: { trades: [script('lrvx_rival.py'), 'trades'] },
  }),
  own('hftbacktest', {
    packages: ['hftbacktest', 'pandas'],
    works: { trades: [script('hftbacktest_rival.py'), 'trades'] },
  }),
  own('hftbacktest, its own file', {
    packages: ['hftbacktest', 'pandas'],
    works: { trades: [script('hftbacktest_rival.py'), 'trades-own'] },
    prepare: [script('hftbacktest_rival.py'), 'prepare'],
  }),
  own('polars', { packages: ['polars'], works: { import: [script('import_rival.py'), 'polars'] } }),
  own('DuckDB', { packages: ['duckdb'], works: { import: [script('import_rival.py'), 'duckdb'] } }),
]

/** Arguments of papertape for a piece of work on a file, by the name of its row. */
export function ownCommands(work: Work, file: string, folder: string): Readonly<Record<string, readonly string[]>> {
  const tape = ['--tape', `BTC_USD=${file}`]
  const ideal = ['--liquidity', 'ideal']
  const grid = ['--param', 'fast=2..41', '--param', 'slow=50..98/2', '--workers', '2']
  switch (work) {
    case 'candles':
      return {
        'papertape, fills at the open': ['backtest', 'sma-cross', ...tape, ...ideal],
        'papertape, fills at several prices': ['backtest', 'sma-cross', ...tape],
        'the same with --out': ['backtest', 'sma-cross', ...tape, '--out', join(folder, 'kept')],
      }
    case 'sweep':
      return {
        'papertape, fills at the open': ['sweep', 'sma-cross', ...tape, ...ideal, ...grid],
        'papertape, fills at several prices': ['sweep', 'sma-cross', ...tape, ...grid],
      }
    case 'trades':
      return { papertape: ['backtest', script('count-trades.mjs'), ...tape] }
    case 'import':
      return { papertape: ['import', `BTC_USD=${file}`, '--out', join(folder, 'BTC_USD.tape')] }
  }
}
