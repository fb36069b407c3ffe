/** Several strategies of a config file on one wallet, from the command line. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectInputError, type Cli } from '../rig/cli-result.ts'
import { cliFolderHere, cliHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, START, strategySource, TRADES } from '../rig/sample-files.ts'

const { folder } = cliFolderHere()

const FAILS = strategySource({
  name: 'fails',
  run: `return trades(params.symbol).pipe(map((_, index) => {
    if (index === 3) throw new Error('half-way')
    return index === 0 ? [buyLimit(params.symbol, '9', '1')] : []
  }))`,
})

const QUOTES = strategySource({
  name: 'quotes',
  params: "price: z.string(), side: z.enum(['BUY', 'SELL']).default('BUY')",
  run: `const quote = params.side === 'BUY' ? buyLimit : sellLimit
  return trades(params.symbol).pipe(map((_, index) => (index === 2 ? [quote(params.symbol, params.price, '1')] : [])))`,
})

const SINE = strategySource({
  name: 'sine',
  run: 'return trades(params.symbol).pipe(map(() => (Math.sin(1) > 2 ? [buyLimit(params.symbol, "9", "1")] : [])))',
})

interface Portfolio {
  readonly report: {
    readonly [key: string]: unknown
    readonly finalEquity: string
    readonly strategies: readonly {
      readonly name: string
      readonly credit: Readonly<Record<string, string>>
      readonly drawdownContribution: number | null
      readonly digest: string
      readonly profit: string
      readonly failure: { readonly message: string } | null
    }[]
  }
}

let folders = 0

/** A folder of its own with two tapes, strategies and a config. */
function withConfig(config: object): { readonly cli: Cli; readonly own: string } {
  folders += 1
  const own = join(folder, String(folders))
  mkdirSync(own)
  const files = {
    'a.csv': TRADES,
    'b.csv': TRADES,
    'hold.js': BUY_AND_HOLD,
    'fails.js': FAILS,
    'quotes.js': QUOTES,
    'sine.js': SINE,
    'papertape.config.json': JSON.stringify({
      tape: ['A_USD=a.csv', 'B_USD=b.csv'],
      liquidity: 'ideal',
      takerFee: '10',
      ...config,
    }),
  }
  for (const [file, content] of Object.entries(files)) writeFileSync(join(own, file), content)
  return { own, cli: (...args) => cliHere(args, { cwd: own }) }
}

async function portfolioOf(config: object, ...flags: string[]): Promise<Portfolio['report']> {
  const { cli } = withConfig(config)
  const { stdout } = await cli('backtest', '--json', ...flags)
  return JSON.parse(stdout) as Portfolio['report']
}

const holds = (symbol: string, more: object = {}): object => ({ use: './hold.js', params: { symbol }, ...more })

describe('the sections of a deployment', () => {
  const strategies = [holds('A_USD', { capital: { share: 0.6 } }), holds('B_USD', { limits: { collarPercent: 5 } })]
  const sections = {
    tape: undefined,
    takerFee: undefined,
    strategies,
    limits: { dayLoss: '500', drawdownPercent: 10, atLimit: 'flatten' },
    backtest: { tapes: { A_USD: 'a.csv', B_USD: 'b.csv' }, fees: { takerBps: '10' } },
    live: { url: 'http://127.0.0.1:1/v1' },
  }

  it('mean the same as the settings of a backtest by their flags', async () => {
    const plain = await portfolioOf({ strategies, limits: sections.limits })
    const report = await portfolioOf(sections)
    expect({ digest: report.digest, config: report.config }).toEqual({ digest: plain.digest, config: plain.config })
    const walletRisk = { dayLoss: '500', drawdownPercent: '10', atLimit: 'flatten' }
    expect(report.config).toMatchObject({ takerFeeBps: '10', dayLoss: null, walletRisk })
    expect(await portfolioOf(sections, '--taker-fee', '0')).toMatchObject({ config: { takerFeeBps: '0' } })
  })

  it('are swept one at a time', async () => {
    const { cli } = withConfig(sections)
    expectInputError(
      await cli('sweep', '--param', 'qty=1,2'),
      /^sweep: varies one strategy, and the config file lists several: name one of \.\/hold\.js, \.\/hold\.js$/m,
    )
  })

  it.each([
    [{ limits: { dayLos: '5' } }, /limits: unknown key 'dayLos'; did you mean 'dayLoss'\?/],
    [{ limits: { dayLoss: 50 } }, /limits dayLoss: .*expected a decimal/],
    [{ limits: { ordersPerMinute: 1.5 } }, /limits ordersPerMinute: /],
    [
      { limits: { dayLoss: '5' }, atLimit: 'flatten' },
      /^strategies 0 limits atLimit: 'flatten' needs a limit at which it sells: strategies 0 limits dayLoss/,
    ],
    [{ limits: { atLimit: 'flatten' } }, /^limits atLimit: 'flatten' needs a limit at which it sells/],
    [{ strategies: undefined, strategy: './hold.js', limits: { dayLoss: '5' }, dayLoss: '6' }, /has the limit 'dayLoss' and also 'dayLoss'/], // prettier-ignore
    [{ backtest: { fees: { takerBp: '1' } } }, /backtest fees: unknown key 'takerBp'; did you mean 'takerBps'\?/],
    [{ backtest: { tapes: { A_USD: 'a.csv' }, tape: 'A_USD=a.csv' } }, /has 'tapes' and also 'tape'/],
  ])('refuse %j', async (wrong, message) => {
    const { cli } = withConfig({ ...sections, ...wrong })
    expectInputError(await cli('backtest'), message)
  })
})

describe('limits next to a list of strategies', () => {
  const strategies = [holds('A_USD', { name: 'a' }), holds('B_USD', { name: 'b' })]

  it('are those of all strategies together', async () => {
    // One costs 100: the second is one too many.
    const report = await portfolioOf({ strategies: [holds('A_USD'), holds('A_USD')], limits: { position: '150' } })
    expect(report).toMatchObject({ fills: 1, riskRefusals: 1, strategies: [{ fills: 1 }, { fills: 0 }] })
    const flat = await portfolioOf({ strategies: [holds('A_USD'), holds('A_USD')], maxPosition: '150' })
    expect(flat).toMatchObject({ fills: 2, riskRefusals: 0 })
  })

  it('are repeated by verify, and are those of a strategy that is named', async () => {
    const limits = { ordersPerMinute: 1 }
    const { cli } = withConfig({ strategies, limits })
    expect((await cli('backtest', '--out', 'run')).code).toBe(0)
    expect(await cli('verify', 'run/portfolio')).toMatchObject({ code: 0 })
    const { stdout } = await cli('backtest', './hold.js', '--param', 'symbol=A_USD', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ config: { ordersPerMinute: 1 } })
  })
})

describe('rebalance next to a list of strategies', () => {
  const strategies = [holds('A_USD', { name: 'a' }), holds('B_USD', { name: 'b', capital: { share: 0.2 } })]
  const rebalance = { rule: 'equal', every: '1d' }

  it('changes nothing until it is time, and is dropped for a strategy that is named', async () => {
    const [plain, report] = [await portfolioOf({ strategies }), await portfolioOf({ strategies, rebalance })]
    expect([report.digest, report.finalEquity]).toEqual([plain.digest, plain.finalEquity])
    expect(report.config).toEqual({ ...(plain.config as object), rebalance: { ...rebalance, at: '00:00' } })
    const { cli } = withConfig({ strategies, rebalance })
    expect(await cli('backtest', './hold.js', '--param', 'symbol=A_USD')).toMatchObject({ code: 0 })
  })

  it.each([
    [{ rebalance: { ...rebalance, rule: 'even' } }, /rebalance rule: .*expected one of 'equal', 'share', 'inverse-/],
    [{ rebalance: { every: '1d' } }, /rebalance rule: .*expected one of 'equal'/],
    [{ rebalance: { rule: 'equal' } }, /rebalance every: .*such as '1d', '1w' or '1M'/],
    [{ rebalance: { ...rebalance, at: 9 } }, /rebalance at: .*a time of day in UTC/],
    [{ rebalance: '1d' }, /rebalance: .*expected { rule, every, at, days }/],
    [{ rebalance: { ...rebalance, days: 2.5 } }, /rebalance days: .*an integer from 2 to 366/],
    [{ rebalance: { ...rebalance, days: 400 } }, /rebalance days: .*an integer from 2 to 366/],
    [{ rebalance: { ...rebalance, days: 5 } }, /^rebalance days: only the rule 'inverse-volatility' has days/],
    [{ rebalance: { ...rebalance, every: '1y' } }, /rebalance every: .*such as '1d', '1w' or '1M'/],
    [{ rebalance: { ...rebalance, at: '24:00' } }, /rebalance at: .*a time of day in UTC/],
    [{ rebalance: { ...rebalance, evry: '1d' } }, /rebalance: unknown key 'evry'; did you mean 'every'\?/],
    [
      { rebalance: { ...rebalance, rule: 'share' } },
      /^strategies 0 capital: is missing a share, which the rule 'share'/,
    ],
    [{ rebalance, strategies: undefined, strategy: './hold.js' }, /rebalance: is for several strategies/],
  ])('refuses %j', async (wrong, message) => {
    const { cli } = withConfig({ strategies, ...wrong })
    expectInputError(await cli('backtest'), message)
  })
})

describe('strategies of a config file', () => {
  it('trade on one wallet, each with its capital, and add up to it', async () => {
    const report = await portfolioOf({
      strategies: [
        holds('A_USD', { name: 'a', capital: { share: 0.6 } }),
        holds('B_USD', { name: 'b', capital: { amount: '3000' } }),
      ],
    })
    // Bought one at 100.00 with a fee of 0.1, which is worth 102.00 in the end.
    expect(report).toMatchObject({
      initialEquity: '10000',
      finalEquity: '10003.8',
      orders: 2,
      fills: 2,
      reserve: { USD: { available: '1000' } },
      strategies: [
        {
          name: 'a',
          credit: { USD: '6000' },
          finalEquity: '6001.9',
          profit: '1.9',
          contribution: 0.00019,
          failure: null,
        },
        { name: 'b', credit: { USD: '3000' }, finalEquity: '3001.9', profit: '1.9', contribution: 0.00019 },
      ],
    })
  })

  it('share what the others leave, and cannot spend what another has', async () => {
    const report = await portfolioOf({
      credit: { USD: '250' },
      strategies: [
        holds('A_USD', { capital: { amount: '100' } }),
        holds('A_USD'),
        { use: './hold.js', params: { symbol: 'B_USD', qty: '2' } },
      ],
    })
    // One unit costs 100.1: the first has less, though the wallet has more.
    expect(report.strategies).toMatchObject([
      { name: 'hold', credit: { USD: '100' }, orders: 0 },
      { name: 'hold-2', credit: { USD: '75' }, orders: 0 },
      { name: 'hold-3', credit: { USD: '75' }, orders: 0 },
    ])
    expect(report.refusals).toEqual({ INSUFFICIENT_BALANCE: 3 })
  })

  it('have the limits of their own book', async () => {
    const report = await portfolioOf({
      strategies: [holds('A_USD', { limits: { position: '50' } }), holds('A_USD', { name: 'free' })],
    })
    expect(report.strategies).toMatchObject([{ orders: 0 }, { orders: 1 }])
    expect(report.riskRefusals).toBe(1)
  })

  it('share one rate budget', async () => {
    const report = await portfolioOf({
      limits: { general: 100, mutations: 1, windowSeconds: 3600 },
      strategies: [holds('A_USD'), holds('B_USD')],
    })
    expect(report).toMatchObject({ orders: 1, refusals: { RATE_LIMITED: 1 } })
  })

  it('are refused an amount of an asset without credit', async () => {
    const { cli } = withConfig({
      credit: { A: '1' },
      strategies: [holds('A_USD', { capital: { amount: '3000' } }), holds('B_USD')],
    })
    expectInputError(
      await cli('backtest'),
      /strategies 0 capital amount: is in USD, but the wallet has no credit in it/,
    )
  })

  it('count a fall only from an equity that has a value', async () => {
    // B has no price until the third trade of A, and only rises after that.
    const { own, cli } = withConfig({
      tape: ['A_USD=a.csv', 'B_USD=rises.csv'],
      credit: { B: '2' },
      strategies: [holds('A_USD', { name: 'a' }), holds('A_USD', { name: 'b' })],
    })
    const row = (id: number, seconds: number, price: string): string =>
      `${id},${START + seconds * 1000},${price},1.5,false\n`
    const rows = row(1, 2, '100.00') + row(2, 20, '150.00') + row(3, 110, '180.00')
    writeFileSync(join(own, 'rises.csv'), `trade_id,time_ms,price,qty,is_buyer_maker\n${rows}`)
    const { stdout } = await cli('backtest', '--json')
    const { strategies } = JSON.parse(stdout) as Portfolio['report']
    expect(strategies).toMatchObject([{ drawdownContribution: null }, { drawdownContribution: null }])
  })

  it('see orders of the others ahead of theirs, and match them, in their own journal', async () => {
    const { cli, own } = withConfig({
      tape: 'A_USD=a.csv',
      liquidity: 'touch',
      credit: { USD: '1000', A: '30' },
      orderLatency: 0,
      strategies: [
        { use: './quotes.js', name: 'first', params: { symbol: 'A_USD', price: '100.30' } },
        { use: './quotes.js', name: 'second', params: { symbol: 'A_USD', price: '100.30' } },
        { use: './quotes.js', name: 'seller', params: { symbol: 'A_USD', price: '100.30', side: 'SELL' } },
      ],
    })
    await cli('backtest', '--out', 'out')
    const journal = (name: string): string => readFileSync(join(own, 'out', name, 'journal.jsonl'), 'utf8')
    const [id] = /(?<="rested","orderId":")\d+/.exec(journal('first')) ?? ['']
    expect(journal('second')).toMatch(/"type":"rested","orderId":"\d+".*"oursAhead":"1"/)
    expect(journal('seller')).toContain(`"type":"met-own","orderId":"${id}"`)
    expect(journal('second')).not.toContain(`"orderId":"${id}"`)
  })

  it('are named by remarks about their own code', async () => {
    const { cli, own } = withConfig({ strategies: [holds('A_USD'), { use: './sine.js', params: { symbol: 'A_USD' } }] })
    await cli('backtest', '--out', 'out')
    const notices = (name: string): unknown =>
      (JSON.parse(readFileSync(join(own, 'out', name, 'run.json'), 'utf8')) as { readonly notices: unknown }).notices
    expect(notices('hold')).not.toContainEqual(expect.stringContaining('Math.sin'))
    expect(notices('sine')).toContainEqual(expect.stringContaining('Math.sin'))
    expect(notices('portfolio')).toContainEqual(expect.stringContaining('Math.sin'))
  })

  it('have their orders cancelled in the next window when one fails and no request is left', async () => {
    const { cli, own } = withConfig({
      limits: { general: 100, mutations: 2, windowSeconds: 20 },
      strategies: [{ use: './fails.js', params: { symbol: 'A_USD' } }, holds('B_USD')],
    })
    await cli('backtest', '--out', 'out')
    expect(readFileSync(join(own, 'out/fails/orders.csv'), 'utf8')).toMatch(/^\d+,A_USD,BUY,LIMIT,CANCELLED,/m)
    const journal = readFileSync(join(own, 'out/fails/journal.jsonl'), 'utf8')
    expect(journal.match(/"type":"cancel"/g)).toHaveLength(2)
  })

  it('go on when one fails, whose orders are cancelled', async () => {
    const { cli, own } = withConfig({
      strategies: [{ use: './fails.js', params: { symbol: 'A_USD' } }, holds('B_USD')],
    })
    const { code, stderr, stdout } = await cli('backtest', '--out', 'out')
    expect(code).toBe(1)
    expect(stderr).toContain("papertape: strategy 'fails' failed at ")
    expect(stdout).toMatch(/^strategy +fails: 0 USD/m)
    expect(stdout).toMatch(/^ +FAILED at 2023-11-14T22:13:23.000Z: half-way$/m)
    expect(stdout).toMatch(/^strategy +hold: \+1.9 USD \(\+0.02 % of the wallet\)$/m)
    expect(readFileSync(join(own, 'out/fails/orders.csv'), 'utf8')).toMatch(/^\d+,A_USD,BUY,LIMIT,CANCELLED,/m)
  })

  it('have a run directory each, and one for the wallet, which can be verified together', async () => {
    const { cli, own } = withConfig({ strategies: [holds('A_USD', { name: 'a' }), holds('B_USD', { name: 'b' })] })
    expect(await cli('backtest', '--out', 'out', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readdirSync(join(own, 'out')).sort()).toEqual(['a', 'b', 'portfolio'])
    expect(readdirSync(join(own, 'out/a'))).toEqual(
      expect.arrayContaining(['journal.jsonl', 'report.html', 'run.json']),
    )
    expect(await cli('report', 'out/portfolio', '--out', 'page.html')).toMatchObject({ code: 0 })
    expect(readFileSync(join(own, 'page.html'), 'utf8')).toContain('"hasStrategies":true')
    expect(readFileSync(join(own, 'out/portfolio/fills.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(3)
    expect(await cli('verify', 'out/portfolio')).toMatchObject({ code: 0 })
    expectInputError(await cli('why', 'out/portfolio', '1'), /is the wallet of several strategies; .*out\/a, .*out\/b$/)
    expectInputError(await cli('verify', 'out/a'), /is one of several strategies on one wallet, which run together/)
    expectInputError(await cli('backtest', '--out', 'out'), /'out\/a' already has a run/)
    expect(await cli('backtest', '--out', 'out', '--force', '--quiet')).toMatchObject({ code: 0 })
    const fills = join(own, 'out/b/fills.csv')
    writeFileSync(fills, readFileSync(fills, 'utf8').replace('B_USD', 'C_USD'))
    const { code, stderr } = await cli('verify', 'out/portfolio')
    expect(code).toBe(1)
    expect(stderr).toMatch(/out\/b\/fills\.csv: was changed after the run/)
  })

  it('give the digest of a plain backtest when there is one', async () => {
    const one = { tape: 'A_USD=a.csv', strategies: [holds('A_USD')] }
    const [, plain] = [await portfolioOf(one), withConfig(one)]
    const { stdout } = await plain.cli('backtest', './hold.js', '--no-bounds', '--json')
    const { digest } = JSON.parse(stdout) as { readonly digest: string }
    expect((await portfolioOf(one)).strategies[0]?.digest).toBe(digest)
  })

  it.each`
    strategies                                                                                    | error
    ${[holds('A_USD', { name: 'x' }), holds('B_USD', { name: 'x' })]}                             | ${/^strategies 1 name: another strategy has the name 'x'/}
    ${[holds('A_USD', { name: 'portfolio' })]}                                                    | ${/'portfolio' is the name of the wallet/}
    ${[holds('A_USD', { name: '../x' })]}                                                         | ${/expected letters, digits, '-' and '_', got '..\/x'/}
    ${[holds('A_USD', { capital: { share: 0.7 } }), holds('B_USD', { capital: { share: 0.4 } })]} | ${/the strategies get 11000 USD, but the credit is 10000/}
    ${[holds('A_USD', { capital: { share: 0 } })]}                                                | ${/expected a share above 0 and up to 1, got 0/}
    ${[holds('A_USD', { capital: { amount: '-1' } })]}                                            | ${/expected an amount of 0 or more/}
    ${[holds('A_USD', { capital: {} })]}                                                          | ${/strategies 0 capital/}
    ${[holds('A_USD', { limits: { positoin: '1' } })]}                                            | ${/unknown key 'positoin'; did you mean 'position'/}
    ${[{ ...holds('A_USD'), parms: {} }]}                                                         | ${/unknown key 'parms'; did you mean 'params'/}
    ${[holds('A_USD'), { use: './hold.js', params: { symbol: 'A_USD', qty: 3 } }]}                | ${/^strategies 1 params qty: .*expected string/}
    ${[{ use: './hold.js', params: { symbol: 'X_USD' } }]}                                        | ${/^strategies 0 params symbol: no tape has the symbol 'X_USD'/}
    ${[{ use: './gone.js' }]}                                                                     | ${/gone\.js/}
    ${[holds('A_USD', { name: 'x' }), holds('B_USD', { name: 'X' })]}                             | ${/^strategies 1 name: another strategy has the name 'x'/}
    ${[]}                                                                                         | ${/expected at least one strategy/}
  `('are refused: $error', async ({ strategies, error }: { readonly strategies: object[]; readonly error: RegExp }) => {
    const { cli, own } = withConfig({ strategies })
    expectInputError(await cli('backtest', '--out', 'out'), error)
    expect(existsSync(join(own, 'out'))).toBe(false)
  })

  it.each([
    [{ strategy: 'hold.js' }, [], /'strategies' and also 'strategy'/],
    [{}, ['--param', 'qty=2'], /several strategies run: set the params of each in the config file/],
    [{}, ['--db', 'runs.db'], /stores runs of one strategy/],
    [{}, ['listed'], /^strategy: 'listed' is in the list of the config file, whose strategies run together/],
  ])('do not mix with %j and %j', async (config, flags, error) => {
    const { cli } = withConfig({ ...config, strategies: [holds('A_USD', { name: 'listed' })] })
    expectInputError(await cli('backtest', ...flags), error)
  })
})
