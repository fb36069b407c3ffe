/**
 * `papertape backtest --watch` in a process of its own, with files that are saved while it goes on.
 */
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { livings } from '../rig/living.ts'
import { expectInputError, jsonRun, type Cli } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { IDEAL, strategySource, TRADES } from '../rig/sample-files.ts'

const { folder, cli: elsewhere } = cliFolder()
const living = livings()

const buying = (qty: string): string =>
  strategySource({ run: `return trades(params.symbol).pipe(first(), map(() => buyMarket(params.symbol, ${qty})))` })

/** All that is needed to be watched, in a folder of its own. */
function place(name: string): { readonly cwd: string; readonly save: (file: string, text: string) => void } {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const save = (file: string, text: string): void => writeFileSync(join(cwd, file), text)
  save('tape.csv', TRADES)
  save('mine.js', buying("'1'"))
  return { cwd, save }
}

const FLAGS = ['--watch', '--tape', 'A_USD=tape.csv', ...IDEAL]

/** A command that is watched: what it has printed since the last time that it was asked. */
class Watched {
  readonly living: ReturnType<typeof living>
  #read = 0
  #text = ''

  constructor(cwd: string, args: readonly string[]) {
    this.living = living(args, { cwd, env: {} }, 'backtest')
    for (const stream of [this.living.child.stdout, this.living.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#text += chunk.toString()))
  }

  /** Everything up to the text, which is waited for; throws when the process ends before. */
  async until(text: string): Promise<string> {
    const { child } = this.living
    while (!this.#text.includes(text, this.#read)) {
      const said = [child.stdout, child.stderr].map((stream) => once(stream ?? child, 'data').then(() => undefined))
      const code = await Promise.race([this.living.ended(), ...said])
      if (code !== undefined) throw new Error(`ended with ${String(code)}: ${this.#text}`)
    }
    const end = this.#text.indexOf(text, this.#read) + text.length
    const part = this.#text.slice(this.#read, end)
    this.#read = end
    return part
  }
}

const digestBy = async (cwd: string, ...more: string[]): Promise<string> => {
  const cli: Cli = (...args) => runCli(args, { cwd })
  const { digest } = await jsonRun(cli, 'backtest', 'mine.js', '--tape', 'A_USD=tape.csv', ...IDEAL, ...more)
  return digest.replace('sha256:', '').slice(0, 12)
}

describe('papertape backtest --watch', () => {
  it('shows a run, then at each save what changed, as a run of its own would have it', async () => {
    const { cwd, save } = place('saves')
    const watched = new Watched(cwd, ['mine.js', ...FLAGS])
    expect(await watched.until('press Ctrl-C to stop\n')).toMatch(
      /^strategy {5}sample[^]*digest sha256:\w{64}\n\nwatching mine\.js, the files it imports and the config; press Ctrl-C to stop\n$/,
    )
    const first = await digestBy(cwd)
    save('mine.js', buying("'2'"))
    const shown = await watched.until('digest')
    expect(shown).toMatch(/\nmine\.js saved, \d+\.\d\d s\n {13}before +now +change\n/)
    expect(shown).toMatch(/^equity {7}10,002 USD {12}10,004 USD {12}\+2$/m)
    expect(await watched.until('\n')).toBe(`       ${first}          ${await digestBy(cwd)}\n`)
    save('mine.js', `${buying("'2'")}// A comment changes no run.\n`)
    expect(await watched.until('orders\n')).toContain(`no change: digest ${await digestBy(cwd)}, 10,004 USD, 1 orders`)
    expect(await watched.living.stop()).toBe(0)
  })

  it('runs again for an import, also one that comes later, and for the config', async () => {
    const { cwd, save } = place('imports')
    mkdirSync(join(cwd, 'lib'))
    save('lib/size.js', "export const size = '1'\n")
    save('mine.js', `import { size } from './lib/size.js'\n${buying('size')}`)
    save('papertape.config.json', '{ "takerFee": "0" }')
    const watched = new Watched(cwd, ['mine.js', ...FLAGS])
    await watched.until('press Ctrl-C to stop\n')
    save('lib/size.js', "export const size = '2'\n")
    expect(await watched.until('digest')).toMatch(/size\.js saved[^]*10,004 USD/)
    save('papertape.config.json', '{ "takerFee": "100" }')
    expect(await watched.until('digest')).toMatch(
      /papertape\.config\.json saved[^]*equity {7}10,004 USD {12}10,002 USD/,
    )
    save('mine.js', `import { size } from './other.js'\n${buying('size')}`)
    expect(await watched.until('press Ctrl-C to stop\n')).toContain('other.js')
    save('other.js', "export const size = '3'\n")
    expect(await watched.until('digest')).toMatch(/other\.js saved[^]*equity/)
    expect(await watched.living.stop()).toBe(0)
  })

  it('shows what is wrong in its place, waits, and compares with the last run that came to its end', async () => {
    const { cwd, save } = place('faults')
    const watched = new Watched(cwd, ['mine.js', ...FLAGS, '--turn-limit', '2'])
    await watched.until('press Ctrl-C to stop\n')
    const waits = 'waiting for the next save; press Ctrl-C to stop\n'
    save('mine.js', `${buying("'1'")}(`)
    expect(await watched.until(waits)).toMatch(/mine\.js: cannot be loaded: [^\n]*mine\.js:13:1/)
    save('mine.js', strategySource({ run: "throw new Error('oops')" }))
    expect(await watched.until(waits)).toMatch(/strategy 'sample' failed at [^\n]*: oops \([^\n]*mine\.js:10:\d+\)/)
    save('mine.js', strategySource({ run: 'for (;;) {}' }))
    expect(await watched.until(waits)).toContain('did not end within 2 s (--turn-limit)')
    save('mine.js', `await new Promise(() => {})\n${buying("'1'")}`)
    expect(await watched.until(waits)).toContain('ended early: a promise that it waits for never settles')
    save('new.js', buying("'2'"))
    renameSync(join(cwd, 'new.js'), join(cwd, 'mine.js'))
    expect(await watched.until('digest')).toMatch(/equity {7}10,002 USD {12}10,004 USD {12}\+2/)
    rmSync(join(cwd, 'mine.js'))
    expect(await watched.until(waits)).toContain('mine.js: no such file, and no ready strategy has this name')
    save('mine.js', buying("'2'"))
    expect(await watched.until('orders\n')).toContain('no change: digest')
    expect(await watched.living.stop('SIGTERM')).toBe(0)
  })

  it('shows type errors beside the run', async () => {
    const { cwd, save } = place('types')
    save('mine.js', buying('1n'))
    const watched = new Watched(cwd, ['mine.js', ...FLAGS])
    expect(await watched.until('press Ctrl-C to stop\n')).toMatch(
      /^mine\.js:\d+:\d+: Argument of type 'bigint' is not assignable to parameter of type 'DecimalInput'\. \(TS2345\)$/m,
    )
    save('mine.js', buying("'2'"))
    await watched.until('mine.js saved')
    save('mine.js', buying('params.sybol'))
    expect(await watched.until("'symbol'? ")).toMatch(/mine\.js saved[^]*Property 'sybol' does not exist/)
    expect(await watched.living.stop()).toBe(0)
  })

  it('ends while a turn never ends, and after one was ended', async () => {
    const { cwd, save } = place('ends')
    save('mine.js', strategySource({ run: "log('begun'); for (;;) {}" }))
    const endless = new Watched(cwd, ['mine.js', ...FLAGS])
    await endless.until('begun')
    expect(await endless.living.stop()).toBe(0)
    const ended = new Watched(cwd, ['mine.js', ...FLAGS, '--turn-limit', '2'])
    await ended.until('press Ctrl-C to stop\n')
    expect(await ended.living.stop()).toBe(0)
  })

  it('with --out --force the files of the last run are there, whole', async () => {
    const { cwd, save } = place('writes')
    const watched = new Watched(cwd, ['mine.js', ...FLAGS, '--out', 'run', '--force'])
    await watched.until('press Ctrl-C to stop\n')
    save('mine.js', buying("'2'"))
    await watched.until('digest')
    await watched.until('\n')
    expect(await watched.living.stop()).toBe(0)
    const { digest } = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8')) as { digest: string }
    expect(digest).toContain(await digestBy(cwd))
    expect((await runCli(['verify', 'run'], { cwd })).stdout).toBe(`verified: ${digest}\n`)
  })

  it.concurrent.each`
    args                                      | line
    ${'none.js --tape A_USD=none.csv'}        | ${/^none\.js: no such file, and no ready strategy has this name/}
    ${'--tape A_USD=none.csv'}                | ${'backtest: missing strategy: give a file, or a name from `papertape strategies`'}
    ${'grid --tape A_USD=none.csv --json'}    | ${'--json: prints one JSON object of one run; it cannot be combined with --watch'}
    ${'grid --tape A_USD=none.csv --quiet'}   | ${'--quiet: prints nothing; it cannot be combined with --watch'}
    ${'grid --tape A_USD=none.csv --out run'} | ${'--out: --watch overwrites this directory on every run: add --force, or remove --out'}
    ${'grid --tape A_USD=-'}                  | ${/^-: /}
    ${'grid --tape -'}                        | ${'--tape: standard input can be read only once: give a file, or remove --watch'}
    ${'grid --tape a.csv --seed x'}           | ${/^--seed: expected an integer/}
  `('refuses $args', async ({ args, line }) => {
    expectInputError(await elsewhere('backtest', '--watch', ...(args as string).split(' ')), line)
  })

  it('says that of a ready strategy without a config nothing can be saved', async () => {
    const { cwd } = place('ready')
    const { code, stdout, stderr } = await runCli(['backtest', 'sma-cross', ...FLAGS], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '--watch: nothing to watch, because a ready strategy runs without a config file\n',
    })
    expect(stdout).toContain('digest sha256:')
  })

  it('refuses what stands in the config, and waits for it to be mended', async () => {
    const { cwd, save } = place('config')
    save('papertape.config.json', '{ "json": true }')
    const watched = new Watched(cwd, ['mine.js', ...FLAGS])
    expect(await watched.until('press Ctrl-C to stop\n')).toContain(
      '--json: prints one JSON object of one run; it cannot be combined with --watch',
    )
    save('papertape.config.json', '{}')
    expect(await watched.until('digest sha256:')).toContain('equity       10,000 → 10,002 USD')
    expect(await watched.living.stop()).toBe(0)
  })
})
