import { describe, expect, it } from 'vitest'
import { BACKTEST_WORDS, configOfFlags } from '../../../src/cli/backtest/backtest-flags.ts'
import type { FlagValues } from '../../../src/cli/cli-command.ts'
import { optionsOf } from '../../../src/cli/backtest/backtest-options-of.ts'
import { settingsOfOptions } from '../../../src/run/settings-of-options.ts'
import type { BacktestConfig } from '../../../src/cli/config/backtest-config.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { InputError } from '../../../src/domain/errors.ts'
import { DEFAULT_RATE_LIMITS } from '../../../src/domain/rate-window.ts'

const TAPE = { tape: 'A_USD=tape.csv' }

/** As a run gets them. */
const settingsOf = (file: BacktestConfig, flags: BacktestConfig): BacktestSettings =>
  settingsOfOptions(optionsOf(file, flags)).settings

const settingsWith = (values: FlagValues): BacktestSettings =>
  settingsOf({}, configOfFlags('mine.ts', { ...TAPE, ...values }))

const faultOf = (values: FlagValues): string => {
  try {
    settingsWith(values)
  } catch (error) {
    return error instanceof InputError ? error.messageFor(BACKTEST_WORDS) : String(error)
  }
  return 'none'
}

it('fills in every default', () => {
  expect(settingsWith({})).toMatchObject({
    strategy: 'mine.ts',
    params: {},
    paramTexts: {},
    tapes: [{ file: 'tape.csv', symbol: 'A_USD' }],
    credit: {},
    makerFeeBps: '0',
    takerFeeBps: '0',
    liquidity: null,
    orderLatencyMs: 50,
    responseLatencyMs: 0,
    feedLatencyMs: 0,
    onLimit: 'refuse',
    limits: DEFAULT_RATE_LIMITS,
    from: null,
    to: null,
    seed: 1,
  })
})

describe('integers are whole, in plain digits, and inside their range', () => {
  it.each`
    flag               | value            | accepted
    ${'order-latency'} | ${'0'}           | ${true}
    ${'order-latency'} | ${'86400000'}    | ${true}
    ${'order-latency'} | ${'86400001'}    | ${false}
    ${'order-latency'} | ${'-1'}          | ${false}
    ${'order-latency'} | ${'1.0'}         | ${false}
    ${'order-latency'} | ${'1e3'}         | ${false}
    ${'order-latency'} | ${' 1'}          | ${false}
    ${'order-latency'} | ${'0x10'}        | ${false}
    ${'order-latency'} | ${'+1'}          | ${false}
    ${'order-latency'} | ${'１'}          | ${false}
    ${'order-latency'} | ${''}            | ${false}
    ${'seed'}          | ${'-2147483648'} | ${true}
    ${'seed'}          | ${'2147483647'}  | ${true}
    ${'seed'}          | ${'2147483648'}  | ${false}
    ${'seed'}          | ${'-2147483649'} | ${false}
    ${'qty-precision'} | ${'12'}          | ${true}
    ${'qty-precision'} | ${'13'}          | ${false}
  `("--$flag '$value' is accepted: $accepted", ({ flag, value, accepted }) => {
    const fault = faultOf({ [flag]: value })
    if (accepted) expect(fault).toBe('none')
    else expect(fault).toMatch(new RegExp(`^--${flag}: expected `))
  })
})

describe('times', () => {
  it.each`
    text                           | time                 | why
    ${'2024-08-09'}                | ${1_723_161_600_000} | ${'a day begins in UTC'}
    ${'2024-08-09T12:00:00Z'}      | ${1_723_204_800_000} | ${'in UTC'}
    ${'2024-08-09T12:00:00+02:00'} | ${1_723_197_600_000} | ${'with a zone'}
    ${'1723161600000'}             | ${1_723_161_600_000} | ${'Unix ms'}
    ${'0'}                         | ${0}                 | ${'the first millisecond'}
  `('$text: $why', ({ text, time }) =>
    expect(settingsWith({ from: text, to: text })).toMatchObject({ from: time, to: time }),
  )

  it.each(['yesterday', '2024-13-01', '2024-02-30', '2024-08-09T25:00', '-5', '1.5', '1e12', '99999999999999999', ''])(
    "refuses '%s'",
    (text) => expect(faultOf({ to: text })).toMatch(/^--to: expected /),
  )
})

describe('several values', () => {
  it('of tapes are kept in their order', () => {
    const { tapes } = settingsWith({ tape: ['B_USD=b.csv', 'A_USD=dir/a=1.csv', './c=2.csv'] })
    expect(tapes).toEqual([
      { file: 'b.csv', symbol: 'B_USD' },
      { file: 'dir/a=1.csv', symbol: 'A_USD' },
      { file: './c=2.csv' },
    ])
  })

  it('of credit and parameters are kept by name', () => {
    expect(settingsWith({ credit: ['5:USD', '0.1:A'], param: ['a=1', 'b=x=y', 'c='] })).toMatchObject({
      credit: { USD: '5', A: '0.1' },
      paramTexts: { a: '1', b: 'x=y', c: '' },
    })
  })

  it.each`
    values                            | fault
    ${{ seed: ['1', '1'] }}           | ${'--seed: given 2 times, expected once'}
    ${{ credit: ['5:USD', '5:USD'] }} | ${'--credit USD: given twice'}
    ${{ param: ['a=1', 'a=2'] }}      | ${'--param a: given twice'}
    ${{ param: '=1' }}                | ${"--param: expected NAME=VALUE, got '=1'"}
    ${{ credit: ':USD' }}             | ${"--credit: expected AMOUNT:ASSET such as 10000:USD, got ':USD'"}
    ${{ credit: '5:' }}               | ${"--credit: expected AMOUNT:ASSET such as 10000:USD, got '5:'"}
    ${{ out: false }}                 | ${'--out: cannot be negated: remove it'}
    ${{ out: '' }}                    | ${'--out: expected a value'}
  `('$fault', ({ values, fault }) => expect(faultOf(values)).toBe(fault))
})

describe('how a tape is read', () => {
  it.each([
    ['1d', 86_400_000],
    ['1s', 1000],
    ['90000', 90_000],
  ])('--candle-interval %s is %d ms', (candleInterval, expected) =>
    expect(settingsWith({ 'candle-interval': candleInterval }).tapes).toMatchObject([{ candleInterval: expected }]),
  )

  it('is said for all tapes by flags, and what the config says of one tape wins', () => {
    const file = { tape: [{ file: 'a.csv', symbol: 'A_USD', qtyPrecision: 3 }, 'B_USD=b.csv'] }
    const flags = configOfFlags('mine.ts', { 'qty-precision': '1', 'candle-time': 'close' })
    expect(settingsOf(file, flags).tapes).toEqual([
      { file: 'a.csv', symbol: 'A_USD', qtyPrecision: 3, candleTime: 'close' },
      { file: 'b.csv', symbol: 'B_USD', qtyPrecision: 1, candleTime: 'close' },
    ])
  })

  it('--symbol with several tapes is refused', () => {
    expect(faultOf({ tape: ['a.csv', 'b.csv'], symbol: 'A_USD' })).toMatch(
      /^--symbol: works with a single tape; with several, write --tape SYMBOL=FILE for each$/,
    )
  })
})

describe('limits', () => {
  const LIMITS = { general: 5, mutations: 2, windowSeconds: 1 }

  it.each`
    file                  | flags                | limits                 | why
    ${{}}                 | ${{}}                | ${DEFAULT_RATE_LIMITS} | ${'the service'}
    ${{ limits: LIMITS }} | ${{}}                | ${LIMITS}              | ${'the file'}
    ${{ limits: LIMITS }} | ${{ limits: false }} | ${null}                | ${'--no-limits over the file'}
    ${{ limits: false }}  | ${{ limits: true }}  | ${DEFAULT_RATE_LIMITS} | ${'--limits over the file'}
  `('$why', ({ file, flags, limits }) =>
    expect(settingsOf(file, configOfFlags('mine.ts', { ...TAPE, ...flags })).limits).toEqual(limits),
  )
})

describe('flags over file', () => {
  const FILE = {
    strategy: 'theirs.ts',
    tape: 'T_USD=t.csv',
    params: { a: 1 },
    credit: { USD: '7' },
    makerFee: '1',
    seed: 5,
  }

  it('a flag replaces what the file says of the same', () => {
    const flags = configOfFlags('mine.ts', { tape: 'A_USD=a.csv', credit: '9:A', 'maker-fee': '2', seed: '6' })
    expect(settingsOf(FILE, flags)).toMatchObject({
      strategy: 'mine.ts',
      tapes: [{ file: 'a.csv' }],
      credit: { A: '9' },
      makerFeeBps: '2',
      seed: 6,
    })
    expect(settingsOf(FILE, flags).credit).toEqual({ A: '9' })
  })

  it('what no flag says stays', () => {
    expect(settingsOf(FILE, configOfFlags(undefined, {}))).toMatchObject({
      strategy: 'theirs.ts',
      tapes: [{ file: 't.csv', symbol: 'T_USD' }],
      credit: { USD: '7' },
      makerFeeBps: '1',
      seed: 5,
    })
  })

  it('parameters are kept apart: values from the file, texts from the flags', () => {
    const { params, paramTexts } = settingsOf(FILE, configOfFlags(undefined, { param: 'a=2' }))
    expect([params, paramTexts]).toEqual([{ a: 1 }, { a: '2' }])
  })
})
