/**
 * Every command that writes, at a place where it cannot: one line names the place and what to do, and the exit code is
 * 2.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolderHere } from '../rig/cli-here.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()
const TAPE = ['--tape', 'A_USD=tape.csv']

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write('a file', 'file')
  write(strategySource({ run: "throw new Error('boom')" }), 'throws.js')
  for (const name of ['dir', 'dir.tape', 'dir.csv', 'dir.html']) mkdirSync(join(folder, name))
  write('in the way', 'dir/mine.txt')
  expect((await cli('import', 'tape.csv', '--symbol', 'A_USD', '--out', 'a.tape')).code).toBe(0)
  expect((await cli('backtest', 'sma-cross', ...TAPE, '--out', 'run')).code).toBe(0)
})

/** Paths under /proc cannot be created either, not even by root. */
const UNDER_A_FILE = 'file/x'
const CHOOSE = /choose another p(?:ath|lace)|choose a place that you may write to|use another directory|create it first/

describe('a place that cannot be written', () => {
  it.each`
    args                                                                          | why
    ${['serve', '--state', UNDER_A_FILE]}                                         | ${'below a file'}
    ${['serve', '--state', '/proc/x']}                                            | ${'nothing can be made'}
    ${['serve', '--state', 'no/such.db']}                                         | ${'no such directory'}
    ${['import', 'tape.csv', '--symbol', 'A_USD', '--db', 'file/x']}              | ${'below a file'}
    ${['import', 'tape.csv', '--symbol', 'A_USD', '--db', '/proc/x']}             | ${'nothing can be made'}
    ${['import', 'tape.csv', '--symbol', 'A_USD', '--db', 'no/a.db']}             | ${'no such directory'}
    ${['import', 'tape.csv', '--symbol', 'A_USD', '--out', 'file/x.tape']}        | ${'below a file'}
    ${['import', 'tape.csv', '--symbol', 'A_USD', '--out', '/proc/x.tape']}       | ${'nothing can be made'}
    ${['export', '--tape', 'a.tape', '--out', 'file/x.csv']}                      | ${'below a file'}
    ${['export', '--tape', 'a.tape', '--out', '/proc/x.csv.gz']}                  | ${'nothing can be made'}
    ${['export', '--tape', 'a.tape', '--out', 'file/x.tape']}                     | ${'below a file'}
    ${['export', '--tape', 'a.tape', '--out', '/proc/x.parquet']}                 | ${'nothing can be made'}
    ${['generate', '--days', '1', '--out', 'file/x.csv']}                         | ${'below a file'}
    ${['generate', '--days', '1', '--out', '/proc/x.csv.gz']}                     | ${'nothing can be made'}
    ${['report', 'run', '--out', 'file/x.html']}                                  | ${'below a file'}
    ${['report', 'run', '--out', '/proc/x.html']}                                 | ${'nothing can be made'}
    ${['runs', 'add', 'run', '--db', 'file/x']}                                   | ${'below a file'}
    ${['runs', 'add', 'run', '--db', 'no/a.db']}                                  | ${'no such directory'}
    ${['backtest', 'sma-cross', ...TAPE, '--out', 'file/x']}                      | ${'below a file'}
    ${['backtest', 'sma-cross', ...TAPE, '--out', '/proc/x']}                     | ${'nothing can be made'}
    ${['backtest', 'sma-cross', ...TAPE, '--out', 'dir']}                         | ${'another directory'}
    ${['backtest', 'sma-cross', ...TAPE, '--db', 'file/x']}                       | ${'below a file'}
    ${['backtest', 'sma-cross', ...TAPE, '--db', 'no/a.db']}                      | ${'no such directory'}
    ${['sweep', 'sma-cross', ...TAPE, '--param', 'fast=5,10', '--out', 'file/x']} | ${'below a file'}
    ${['sweep', 'sma-cross', ...TAPE, '--param', 'fast=5,10', '--db', 'file/x']}  | ${'below a file'}
    ${['check', 'throws.js', '--runs', '1', '--out', 'file']}                     | ${'below a file'}
    ${['check', 'throws.js', '--runs', '1', '--out', '/proc/x']}                  | ${'nothing can be made'}
    ${['init', 'file/x']}                                                         | ${'below a file'}
    ${['init', '/proc/x']}                                                        | ${'nothing can be made'}
  `('is named on one line with a way out: $args', async ({ args }: { readonly args: readonly string[] }) => {
    const { code, stdout, stderr } = await cli(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^papertape: [^\n]*\n$/)
    expect(stderr).toMatch(CHOOSE)
    expect(stderr).toContain((args.at(-1) ?? '').split('/')[0] ?? '')
  })

  it.each([
    ['serve', '--state', 'dir'],
    ['import', 'tape.csv', '--symbol', 'A_USD', '--out', 'dir.tape'],
    ['import', 'tape.csv', '--symbol', 'A_USD', '--db', 'dir'],
    ['export', '--tape', 'a.tape', '--out', 'dir.csv', '--force'],
    ['generate', '--days', '1', '--out', 'dir.csv'],
    ['report', 'run', '--out', 'dir.html'],
    ['runs', 'add', 'run', '--db', 'dir'],
  ])('that is a directory is refused on one line: %s %s %s', async (...args) => {
    const { code, stderr } = await cli(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^papertape: dir[^\n]*\n$/)
  })

  it('keeps nothing of what was begun', () => {
    expect(readdirSync(folder).filter((name) => /partial|papertape|tmp/.test(name))).toEqual([])
  })
})
