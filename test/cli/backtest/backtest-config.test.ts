import { describe, expect, it } from 'vitest'
import { checkConfig } from '../../../src/cli/config/backtest-config.ts'

const faultOf = (value: unknown): string => {
  try {
    checkConfig('papertape.config.json', value)
  } catch (error) {
    return String(error).replace('InputError: papertape.config.json', '')
  }
  return 'none'
}

it('takes every key in its form', () => {
  const config = {
    strategy: 'sma-cross',
    params: { fast: 5, nested: { any: [1] } },
    tape: ['A_USD=a.csv', { file: 'b.csv', symbol: 'B_USD', candleInterval: '1h', candleTime: 'close' }],
    columns: 'time,price,qty',
    candleInterval: 60_000,
    pricePrecision: 2,
    qtyPrecision: 12,
    credit: { USD: '0.5', BTC: '1' },
    makerFee: '0.5',
    takerFee: '7.5',
    liquidity: 'ideal',
    orderLatency: 0,
    responseLatency: 1,
    feedLatency: 86_400_000,
    onLimit: 'wait',
    limits: { general: 10, mutations: 5, windowSeconds: 1 },
    from: '2024-01-01',
    to: 1_723_161_600_000,
    seed: -1,
    out: 'run',
    json: true,
    quiet: false,
  }
  expect(checkConfig('x', config)).toEqual(config)
})

it('takes a setting by its former name', () => {
  const former = { believe: 'all', ladder: 3, ledger: false, paper: { ladder: 2 }, live: { settleMs: 5 } }
  expect(checkConfig('x', former)).toEqual({
    printFilter: 'off',
    levelSize: 3,
    countTrials: false,
    paper: { levelSize: 2 },
    live: { reconcileMs: 5 },
  })
})

describe('is refused with its place', () => {
  it.each`
    config                                                       | fault
    ${[1]}                                                       | ${': Invalid input: expected object, received array'}
    ${null}                                                      | ${': Invalid input: expected object, received null'}
    ${'sma-cross'}                                               | ${': Invalid input: expected object, received string'}
    ${{ tapes: 'x' }}                                            | ${": unknown key 'tapes'; did you mean 'tape'?"}
    ${{ maker_fee: '1' }}                                        | ${": unknown key 'maker_fee'; did you mean 'makerFee'?"}
    ${{ qwertyuiop: 1 }}                                         | ${": unknown key 'qwertyuiop'"}
    ${JSON.parse('{"__proto__":{"json":true}}')}                 | ${": unknown key '__proto__'"}
    ${{ tape: 7 }}                                               | ${" tape: Invalid input: expected '[SYMBOL=]FILE', { file, symbol, ... }, or a list of these"}
    ${{ tape: ['a', 7] }}                                        | ${" tape 1: Invalid input: expected '[SYMBOL=]FILE' or { file, symbol, ... }"}
    ${{ tape: { symbol: 'A_USD' } }}                             | ${' tape file: Invalid input: expected string, received undefined'}
    ${{ tape: { file: 'a', symbl: 'A_USD' } }}                   | ${" tape: unknown key 'symbl'; did you mean 'symbol'?"}
    ${{ tape: { fil: 'a' } }}                                    | ${" tape: unknown key 'fil'; did you mean 'file'?"}
    ${{ tape: [{ file: 'a', qtyPrecision: 13 }] }}               | ${' tape 0 qtyPrecision: Too big: expected number to be <=12'}
    ${{ params: [] }}                                            | ${' params: Invalid input: expected record, received array'}
    ${{ credit: { USD: 100 } }}                                  | ${' credit USD: Invalid input: expected string, received number'}
    ${{ takerFee: 5 }}                                           | ${' takerFee: Invalid input: expected string, received number'}
    ${{ orderLatency: '5' }}                                     | ${' orderLatency: Invalid input: expected number, received string'}
    ${{ orderLatency: 1.5 }}                                     | ${' orderLatency: Invalid input: expected int, received number'}
    ${{ orderLatency: -1 }}                                      | ${' orderLatency: Too small: expected number to be >=0'}
    ${{ onLimit: 'retry' }}                                      | ${' onLimit: Invalid option: expected one of "refuse"|"wait"'}
    ${{ limits: 'no' }}                                          | ${' limits: Invalid input: expected true, false, or the limits'}
    ${{ limits: { general: 5 } }}                                | ${' limits mutations: Invalid input: expected number, received undefined'}
    ${{ limits: { general: 1, mutation: 1, windowSeconds: 1 } }} | ${" limits: unknown key 'mutation'; did you mean 'mutations'?"}
    ${{ from: true }}                                            | ${' from: Invalid input: expected ISO 8601 or Unix ms'}
    ${{ from: -1 }}                                              | ${' from: Too small: expected number to be >=0'}
    ${{ seed: 4_294_967_296 }}                                   | ${' seed: Too big: expected number to be <=2147483647'}
    ${{ printFilter: 'auto', believe: 'all' }}                   | ${' believe: is the former name of printFilter, which is given too: remove it'}
    ${{ json: 'yes' }}                                           | ${' json: Invalid input: expected boolean, received string'}
  `('$config', ({ config, fault }) => expect(faultOf(config)).toBe(fault))
})
