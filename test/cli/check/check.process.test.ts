/**
 * `papertape check` as a user meets it.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder } from '../rig/run-cli.ts'
import { strategySource } from '../rig/sample-files.ts'

const FAULTY = fileURLToPath(new URL('../../testing/check/faulty/', import.meta.url))
const { folder, write, cli } = cliFolder()

beforeAll(() => {
  for (const name of ['throws.ts', 'position.ts']) copyFileSync(join(FAULTY, name), join(folder, name))
})

describe('papertape check', () => {
  it('reports a fault in a few lines, keeps it, and repeats it by the command that it prints', async () => {
    const { code, stdout, stderr } = await cli('check', 'throws.ts', '--runs', '5')
    expect([code, stderr]).toEqual([1, ''])
    const [head, , fault, size, again = ''] = stdout.split('\n')
    expect(head).toBe('throws: 1 fault in 5 markets (seed 1)')
    expect(fault).toBe('throws: a fall that nobody thought of')
    expect(size).toMatch(/^ {2}\d{4}-\S+Z, 2 rows in papertape-check\/throws\/throws$/)
    expect(readdirSync(join(folder, 'papertape-check/throws/throws'))).toEqual(['BTC_USD.csv', 'check.json'])
    expect(again).toBe('  reproduce: papertape check throws.ts --replay papertape-check/throws/throws')
    const args = again.trim().split(' ').slice(2)
    expect(await cli(...args)).toMatchObject({ code: 1, stdout: 'throws: a fall that nobody thought of\n' })
  })

  it('reports the same again, byte for byte', async () => {
    const run = () => cli('check', 'position.ts', '--runs', '10', '--seed', '3', '--json', '--out', 'kept')
    const [one, two] = [await run(), await run()]
    expect(one.code).toBe(1)
    expect(one.stdout).toBe(two.stdout)
    const { findings }: { findings: { kind: string; directory: string }[] } = JSON.parse(one.stdout)
    expect(findings.map(({ kind }) => kind)).toContain('position')
    for (const { directory } of findings) expect(existsSync(join(folder, directory, 'check.json'))).toBe(true)
  })

  it('checks the strategies of the config file, each with its params', async () => {
    const strategies = [
      { use: 'sma-cross', name: 'trend', params: { symbol: 'ETH_USD', fast: 2, slow: 3 } },
      { use: './throws.ts', name: 'mine' },
    ]
    const path = join(folder, 'papertape.config.json')
    writeFileSync(path, JSON.stringify({ strategies }))
    const { code, stdout } = await cli('check', '--runs', '4', '--out', 'listed')
    writeFileSync(path, '{}')
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'sma-cross: no faults found in 4 markets (seed 1)'])
    expect(stdout).toContain('reproduce: papertape check ./throws.ts --replay listed/mine/throws')
  })

  it.each([
    ['Math.random()', 'depends on the clock or on random numbers of the machine: Math.random() is not available'],
    [
      'setTimeout(() => {}, 1)',
      'depends on the clock or on random numbers of the machine: setTimeout() is not available',
    ],
    ['process.exit()', 'throws: process.exit() is not available in a strategy'],
  ])('names %s by its kind', async (call, fault) => {
    write(strategySource({ run: `return trades(params.symbol).pipe(map(() => void ${call}))` }), 'calls.js')
    const { stdout } = await cli('check', 'calls.js', '--runs', '60', '--out', `calls-${call.slice(0, 4)}`)
    expect(stdout.split('\n')[2]).toContain(fault)
  })

  it('says that a fault is mended', async () => {
    const mended = readFileSync(join(folder, 'throws.ts'), 'utf8').replace(/throw new Error\(.*\)/, 'return undefined')
    write(mended, 'mended.ts')
    expect(await cli('check', 'mended.ts', '--replay', 'papertape-check/throws/throws')).toMatchObject({
      code: 0,
      stdout: 'not reproduced: throws\n',
    })
  })

  it('finds nothing in a strategy that comes with papertape', async () => {
    expect(await cli('check', 'sma-cross', '--runs', '20')).toEqual({
      code: 0,
      stdout: 'sma-cross: no faults found in 20 markets (seed 1)\n',
      stderr: '',
    })
  })

  it('reports type errors by line, with the nearest name, of TypeScript and of JavaScript', async () => {
    const run = 'return trades(params.symbol).pipe(map(({ pric }) => buyMarket(params.symbl, pric)))'
    write(strategySource({ run }), 'typed.js')
    write(strategySource({ run }), 'typed.ts')
    for (const name of ['typed.js', 'typed.ts']) {
      const { code, stdout } = await cli('check', name, '--types', '--runs', '1')
      expect(code).toBe(1)
      expect(stdout).toMatch(
        new RegExp(
          `^${name}:\\d+:\\d+: Property 'pric' does not exist on .*\\. Did you mean 'price'\\? \\(TS2339\\)$`,
          'm',
        ),
      )
      expect(stdout).toMatch(/Property 'symbl' does not exist on .*\. Did you mean 'symbol'\? \(TS2551\)$/m)
      expect(stdout).toContain(`${name}: 2 type errors\n`)
    }
    const { stdout } = await cli('check', 'typed.js', '--types', '--runs', '1', '--json')
    const { typeErrors }: { typeErrors: object[] } = JSON.parse(stdout)
    expect(typeErrors[0]).toMatchObject({ file: join(folder, 'typed.js'), code: 2339 })
  })

  it('takes the options of the nearest tsconfig.json', async () => {
    mkdirSync(join(folder, 'configured'))
    write('{ "compilerOptions": { "noUnusedLocals": true, "types": ["gone"] } }', 'configured/tsconfig.json')
    write(`const unused = 1\n${strategySource({ run: 'return NEVER' })}`, 'configured/unused.ts')
    const { code, stdout } = await cli('check', 'configured/unused.ts', '--types', '--runs', '1')
    expect(code).toBe(1)
    expect(stdout).toContain("configured/unused.ts:1:7: 'unused' is declared but its value is never read. (TS6133)\n")
    expect(stdout).toMatch(
      /^configured\/tsconfig\.json:1:1: Cannot find type definition file for 'gone'\. \(TS2688\)$/m,
    )
  })

  it('ends a file that never ends its loading', async () => {
    write('while (true) {}', 'hangs.ts')
    const { code, stderr } = await cli('check', 'hangs.ts', '--turn-limit', '1')
    expect(code).toBe(1)
    expect(stderr).toBe('papertape: hangs.ts:1: loading did not end within 1 s (--turn-limit)\n')
  })

  it.each`
    args                                                  | stderr
    ${['nobody']}                                         | ${/^papertape: nobody: no such file/}
    ${['sma-cross', '--runs', '0']}                       | ${/^papertape: --runs: expected an integer from 1 to 1000000, got '0'/}
    ${['sma-cross', '--param', 'fats=1']}                 | ${/^papertape: --param fats: .*did you mean 'fast'/}
    ${['sma-cross', '--replay', '.']}                     | ${/^papertape: --replay: '\.' is not a finding of a check/}
    ${['throws.ts', '--replay', 'broken']}                | ${/^papertape: broken\/check\.json: kind: /}
    ${['throws.ts', '--runs', '3', '--out', 'throws.ts']} | ${/^papertape: --out: 'throws\.ts\S*' cannot be written/}
  `('refuses $args', async ({ args, stderr }) => {
    mkdirSync(join(folder, 'broken'), { recursive: true })
    writeFileSync(join(folder, 'broken/check.json'), '{"check":1}')
    const result = await cli('check', ...(args as string[]))
    expect(result.code).toBe(2)
    expect(result.stderr).toMatch(stderr as RegExp)
  })

  it('does not write over what is no finding', async () => {
    mkdirSync(join(folder, 'taken/throws/throws'), { recursive: true })
    write('mine', 'taken/throws/throws/notes.txt')
    const { code, stderr } = await cli('check', 'throws.ts', '--runs', '3', '--out', 'taken')
    expect(code).toBe(2)
    expect(stderr).toMatch(/contains files that are not a finding of a check/)
  })
})
