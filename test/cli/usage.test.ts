import { beforeAll, describe, expect, it } from 'vitest'
import { BUY_AND_HOLD, strategySource, TRADES } from './rig/sample-files.ts'
import { expectInputError } from './rig/cli-result.ts'
import { cliFolderHere } from './rig/cli-here.ts'

const { cli, write } = cliFolderHere()

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

describe('a command line that is not understood', () => {
  it.concurrent.each`
    args                                   | line
    ${'--quiet'}                           | ${'expected a command; see papertape --help'}
    ${'backtst'}                           | ${"unknown command 'backtst'; did you mean backtest?"}
    ${'backtest hold.js --taep x'}         | ${'unknown flag --taep; did you mean --tape?'}
    ${'backtest hold.js --cash 5'}         | ${'unknown flag --cash; did you mean --credit?'}
    ${'generate --since 2024'}             | ${'unknown flag --since; did you mean --start?'}
    ${'backtest hold.js --no-limit'}       | ${'unknown flag --no-limit; did you mean --no-limits?'}
    ${'backtest hold.js -x'}               | ${'unknown flag -x'}
    ${'backtest hold.js tape.csv'}         | ${"unexpected argument 'tape.csv'"}
    ${'backtest hold.js -- tape.csv'}      | ${'--: there is nothing to separate: remove it'}
    ${'backtest --tape A_USD=tape.csv'}    | ${'backtest: missing strategy: give a file, or a name from `papertape strategies`'}
    ${'backtest hold.js'}                  | ${'--tape: missing tape: pass --tape [SYMBOL=]FILE'}
    ${'verify'}                            | ${'verify: expected <run>; see papertape verify --help'}
    ${'verify run --quiet'}                | ${'unknown flag --quiet'}
    ${'generate --dyas 3'}                 | ${'unknown flag --dyas; did you mean --days?'}
    ${'backtest hold.js --tape'}           | ${'--tape: expected a value'}
    ${'backtest hold.js --seed 1 --seed 2'} | ${'--seed: given 2 times, expected once'}
    ${'backtest hold.js --json=maybe'}     | ${"--json: expected no value, got 'maybe'"}
  `('papertape $args: $line', async ({ args, line }) =>
    expectInputError(await cli(...args.split(' ').filter(Boolean)), line),
  )
})

describe('help', () => {
  const helpOf = async (...args: string[]): Promise<string> => {
    const result = await cli(...args)
    expect(result).toMatchObject({ code: 0, stderr: '' })
    return result.stdout
  }

  it.concurrent('names every command', async () => {
    const text = await helpOf('--help')
    for (const command of ['backtest', 'verify', 'generate']) expect(text).toContain(command)
  })

  it.concurrent('is also asked for with -h', async () => {
    expect(await helpOf('-h')).toBe(await helpOf('--help'))
  })

  it.concurrent('of backtest names every flag and the ready strategies', async () => {
    const text = await helpOf('backtest', '--help')
    const flags =
      'tape symbol columns candle-time candle-interval price-precision qty-precision from to param credit maker-fee taker-fee ' +
      'liquidity order-latency response-latency feed-latency on-limit limits seed config out json quiet'
    for (const flag of flags.split(' ')) expect(text).toContain(`--${flag} `)
    expect(text).toMatch(/Ready strategies: donchian-breakout, [^]*sma-cross/)
  })

  it.concurrent('of a ready strategy lists its parameters with type, meaning and default', async () => {
    const text = await helpOf('backtest', 'sma-cross', '--help')
    expect(text).toContain('Parameters of sma-cross:')
    expect(text).toMatch(/--param symbol= +market to trade +\[string\] +\[default: the first tape\]/)
    expect(text).toMatch(/--param fast= +candles in the fast average +\[integer\] +\[default: 10\]/)
    expect(text).toMatch(
      /--param interval= +length of a candle +\[1s \| 5s \| [^\]]*\| 1d \| 1w \| 1M\]\s+\[default: "1m"\]/,
    )
  })

  it.concurrent('of a user strategy lists what has to be given as well', async () => {
    const params = "size: z.number().describe('how much'), mode: z.enum(['a', 'b']).default('b')"
    write(strategySource({ name: 'mine', run: 'return NEVER', params }), 'mine.js')
    const text = await helpOf('backtest', 'mine.js', '-h')
    expect(text).toContain('Parameters of mine:')
    expect(text).toMatch(/--param size= +how much +\[number\] +\[required\]/)
    expect(text).toMatch(/--param mode= +\[a \| b\] +\[default: "b"\]/)
  })

  it.concurrent('of a strategy that is not there names the nearest', async () => {
    expectInputError(
      await cli('backtest', 'sma-crss', '--help'),
      "sma-crss: no such file, and no ready strategy has this name; did you mean 'sma-cross'?",
    )
  })

  it.concurrent.each(['verify', 'generate'])('of %s shows its flags or arguments', async (command) => {
    expect(await helpOf(command, '--help')).toContain(command === 'verify' ? 'run a backtest again' : '--days')
  })

  it.concurrent('of a command below live lists no strategies, which it does not take', async () => {
    expect(await helpOf('live', '--help')).toMatch(/\n {2}strategy {2}/)
    for (const words of [['halt'], ['orders', 'adopt']]) {
      const text = await helpOf('live', ...words, '--help')
      expect(text).toContain('--state')
      expect(text).not.toMatch(/strateg/)
    }
  })

  it.concurrent('--version prints the version of the package alone', async () => {
    expect(await helpOf('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
