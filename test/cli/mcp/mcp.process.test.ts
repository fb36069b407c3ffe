/** `papertape mcp` as the official client meets it: over stdio and HTTP, with trouble on the way. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withoutPackage } from '../rig/hidden-package.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { servers } from '../rig/serving.ts'
import { toolClients } from './rig/tool-client.ts'

const TAPE = 'BTC_USD=data/btc_usd.csv.gz'
const DAY = { to: '2024-01-02' }

const STRATEGY = `import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buy-once',
  params: z.object({}),
  run: ({ candles, target }) => candles('BTC_USD', '1h').pipe(take(1), map(() => target('BTC_USD', 0.5))),
})
`
const endless = STRATEGY.replace("map(() => target('BTC_USD', 0.5))", 'map(() => { for (;;); })')
const hungry = STRATEGY.replace(
  "map(() => target('BTC_USD', 0.5))",
  'map(() => { const all: object[] = []; for (;;) all.push({ at: [all.length, 1, 2, 3] }) })',
)

const { folder } = cliFolder()
const { start, over } = toolClients()
const serve = servers()

let number = 0
/** A folder for one test. */
function place(): string {
  number += 1
  const path = join(folder, String(number))
  mkdirSync(path)
  return path
}

/** True while a process of this command line runs. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Processes that another one started. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await wait(50)
}

describe('a model that writes a strategy', () => {
  it('reads the docs, mends type errors, runs a backtest, and explains an order', async () => {
    const cwd = place()
    const tools = await start({ cwd, flags: ['--audit-log', 'audit.jsonl'] })
    expect((await tools.call('read_docs')).text).toContain('docs/strategies.md')
    expect((await tools.call('read_docs', { page: 'docs/strategies.md' })).text).toContain('# Write a strategy')
    const path = 'strategies/buy-once.ts'
    await tools.call('write_strategy', { path, text: STRATEGY.replace("'1h'", "'1hour'") })
    const faulty = await tools.call('check_types', { strategy: path })
    expect(faulty.text).toContain('strategies/buy-once.ts: 1 type error')
    expect(await tools.call('write_strategy', { path, text: STRATEGY })).toEqual({
      text: `wrote ${path}, ${STRATEGY.length} bytes`,
      isError: false,
      pictures: [],
    })
    expect((await tools.call('check_types', { strategy: path })).text).toContain('no type errors')
    const run = await tools.json('backtest', { strategy: path, tapes: [TAPE], flags: { ...DAY, 'taker-fee': 10 } })
    expect(run).toMatchObject({ orders: 1, audit: { ok: true } })
    const orders = (await tools.call('read_file', { path: 'runs/buy-once-1/orders.csv' })).text
    const order = orders.split('\n')[1]?.split(',')[0]
    expect((await tools.call('why', { run: 'runs/buy-once-1', order, asText: true })).text).toContain('BTC_USD')
    const lines = readFileSync(join(cwd, 'audit.jsonl'), 'utf8').trim().split('\n')
    const records = lines.map((line): Record<string, unknown> => JSON.parse(line))
    expect(records.filter(({ event }) => event === 'call')).toHaveLength(9)
    expect(records.at(-1)).toMatchObject({ event: 'answer', call: 9, tool: 'why', outcome: 'done' })
    expect(records.at(-1)).toHaveProperty('durationMs')
  })

  it('compares two runs and sweeps a parameter', async () => {
    const tools = await start({ cwd: place() })
    for (const fee of [0, 10])
      await tools.json('backtest', { strategy: 'grid', tapes: [TAPE], flags: { ...DAY, 'maker-fee': fee } })
    expect(await tools.json('diff', { a: 'runs/grid-1', b: 'runs/grid-2' })).toMatchObject({ isSame: false })
    const sweep = await tools.json('sweep', {
      ...{ strategy: 'grid', tapes: [TAPE], params: { levels: [4, 6] }, flags: { ...DAY, objective: 'return' } },
    })
    expect(sweep).toMatchObject({ points: 2, errors: 0 })
  })

  it('reads a long answer page by page', async () => {
    const tools = await start({ cwd: place() })
    const text = Array.from({ length: 10_000 }, (_, index) => `// ${index}`).join('\n')
    await tools.call('write_strategy', { path: 'long.ts', text })
    let read = ''
    let page = await tools.call('read_file', { path: 'long.ts' })
    for (;;) {
      const [notice = '', more] = /\n\n\(characters .*?(\{.*\})?(?: for more)?\)$/.exec(page.text) ?? []
      read += page.text.slice(0, page.text.length - notice.length)
      if (more === undefined) break
      page = await tools.call('read_more', JSON.parse(more))
    }
    expect(read).toBe(text)
  })
})

describe('what a tool refuses', () => {
  it('lists no tool outside of the scope, and refuses it by name', async () => {
    const tools = await start({ cwd: place() })
    expect(await tools.names()).not.toContain('start_paper')
    const answer = await tools.call('nonsense')
    expect(answer).toMatchObject({ isError: true, text: "there is no tool 'nonsense'" })
  })

  it.each`
    path                     | says                               | why
    ${'../x.ts'}             | ${'leads out of the folder'}       | ${'the folder above'}
    ${'a/../../x.ts'}        | ${'leads out of the folder'}       | ${'above by way of a folder'}
    ${'..\\x.ts'}            | ${'leads out of the folder'}       | ${'a separator of Windows'}
    ${'/tmp/x.ts'}           | ${'is absolute'}                   | ${'an absolute path'}
    ${'C:\\x.ts'}            | ${'is absolute'}                   | ${'a drive of Windows'}
    ${'~/x.ts'}              | ${'is absolute'}                   | ${'the home of the user'}
    ${'out/x.ts'}            | ${'is a symbolic link that leads'} | ${'a linked folder'}
    ${'linked.ts'}           | ${'is a symbolic link that leads'} | ${'a linked file'}
    ${'dangling.ts'}         | ${'is a symbolic link that leads'} | ${'a link to nothing'}
    ${'.git/hooks/x.js'}     | ${'is private to the user'}        | ${'a hidden folder'}
    ${'node_modules/a/i.js'} | ${'is private to the user'}        | ${'a package'}
    ${'papertape.config.ts'} | ${'is private to the user'}        | ${'the config of every run'}
  `('$why: $path', async ({ path, says }) => {
    const cwd = place()
    mkdirSync(join(cwd, 'agent'))
    writeFileSync(join(cwd, 'secret.ts'), 'secret')
    symlinkSync(cwd, join(cwd, 'agent/out'))
    symlinkSync(join(cwd, 'secret.ts'), join(cwd, 'agent/linked.ts'))
    symlinkSync(join(cwd, 'nothing.ts'), join(cwd, 'agent/dangling.ts'))
    const tools = await start({ cwd })
    for (const [tool, given] of [
      ['write_strategy', { path, text: 'x' }],
      ['read_file', { path }],
      ['check', { strategy: path }],
      ['backtest', { strategy: 'grid', tapes: [path] }],
    ] as const) {
      const answer = await tools.call(tool, given)
      expect([tool, answer.isError, answer.text]).toEqual([tool, true, expect.stringContaining(says)])
    }
    expect(readFileSync(join(cwd, 'secret.ts'), 'utf8')).toBe('secret')
    expect(existsSync(join(cwd, 'nothing.ts'))).toBe(false)
  })

  it('takes no flag that reaches another place, and no name that reads as one', async () => {
    const tools = await start({ cwd: place() })
    for (const [flags, says] of [
      [{ out: '/tmp/x' }, 'flags.out: is no flag of this tool'],
      [{ redis: 'redis://127.0.0.1' }, 'flags.redis: is no flag of this tool'],
      [{ liquidity: '../model.ts' }, 'leads out of the folder'],
      [{ fee: 1 }, "flags.fee: is no flag of this tool; did you mean 'seed'?"],
    ] as const)
      expect((await tools.call('backtest', { strategy: 'grid', tapes: [TAPE], flags })).text).toContain(says)
    expect((await tools.call('backtest', { strategy: '--help', tapes: [TAPE] })).text).toContain(
      './--help: no such file',
    )
  })

  it('writes no file that is too large', async () => {
    const tools = await start({ cwd: place() })
    const answer = await tools.call('write_strategy', { path: 'big.ts', text: 'x'.repeat(300_000) })
    expect(answer.text).toBe("path: 'big.ts' has 300000 bytes; at most 262144 are written")
  })

  it('does nothing in a dry run but say what it would do', async () => {
    const cwd = place()
    const tools = await start({ cwd, flags: ['--dry-run'] })
    expect((await tools.call('write_strategy', { path: 'a.ts', text: 'x' })).text).toContain('would write a.ts')
    const { text } = await tools.call('backtest', { strategy: 'grid', tapes: [TAPE] })
    expect(text).toContain('would run: papertape backtest grid ')
    expect(existsSync(join(cwd, 'agent/a.ts')) || existsSync(join(cwd, 'agent/runs'))).toBe(false)
  })
})

describe('trouble', () => {
  it('ends a call after its time, and the server goes on', async () => {
    const tools = await start({ cwd: place(), flags: ['--call-time', '5'] })
    await tools.call('write_strategy', { path: 'endless.ts', text: endless })
    const answer = await tools.call('backtest', { strategy: 'endless.ts', tapes: [TAPE], flags: DAY })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('stopped after 5 s, the limit of') })
    expect(childrenOf(tools.pid ?? 0)).toEqual([])
    expect((await tools.call('list_tapes')).isError).toBe(false)
  })

  it('ends a command that needs too much memory', async () => {
    const tools = await start({ cwd: place(), flags: ['--memory', '100'] })
    await tools.call('write_strategy', { path: 'hungry.ts', text: hungry })
    const answer = await tools.call('backtest', { strategy: 'hungry.ts', tapes: [TAPE], flags: DAY })
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('used more memory than the 100 MB') })
  })

  it('ends the command of a call that the client cancels', async () => {
    const cwd = place()
    const tools = await start({ cwd, flags: ['--audit-log', 'audit.jsonl'] })
    await tools.call('write_strategy', { path: 'endless.ts', text: endless })
    const cancel = new AbortController()
    const call = tools.call('backtest', { strategy: 'endless.ts', tapes: [TAPE] }, cancel.signal)
    await until(() => childrenOf(tools.pid ?? 0).length > 0)
    cancel.abort()
    await expect(call).rejects.toThrow()
    await until(() => childrenOf(tools.pid ?? 0).length === 0)
    await until(() => readFileSync(join(cwd, 'audit.jsonl'), 'utf8').includes('"outcome":"cancelled"'))
  })

  it('leaves no command behind when it is killed', async () => {
    const tools = await start({ cwd: place() })
    await tools.call('write_strategy', { path: 'endless.ts', text: endless })
    const call = tools.call('backtest', { strategy: 'endless.ts', tapes: [TAPE] })
    const [child = 0] = await (async () => {
      await until(() => childrenOf(tools.pid ?? 0).length > 0)
      return childrenOf(tools.pid ?? 0)
    })()
    // Its first second is that of a start.
    await wait(2_000)
    process.kill(tools.pid ?? 0, 'SIGKILL')
    await expect(call).rejects.toThrow()
    await until(() => !isRunning(child))
  })

  it('names the package to install, and an unknown scope', async () => {
    const missing = await runCli(['mcp', 'agent'], {
      ...{ cwd: place(), nodeFlags: [withoutPackage('@modelcontextprotocol/sdk')] },
    })
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toMatch(
      /^papertape: mcp: needs the package @modelcontextprotocol\/sdk; run npm install @modelcontextprotocol\/sdk \(/,
    )
    const unknown = await runCli(['mcp', 'agent', '--scope', 'read,write'], { cwd: place() })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("got 'write'") })
  })
})

describe('over HTTP', () => {
  const TOKEN = 'a-token-of-the-test'

  it('serves several clients that have the token, and no others', async () => {
    const serving = serve(['--http', '0', '--json'], { cwd: place(), command: ['mcp', 'agent'] })
    const { url, token }: { url: string; token: string } = JSON.parse(await serving.printed())
    const headers = { authorization: `Bearer ${token}` }
    const connect = () => over(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    const [one, other] = await Promise.all([connect(), connect()])
    await one.call('write_strategy', { path: 'mine.ts', text: STRATEGY })
    expect((await other.call('read_file', { path: 'mine.ts' })).text).toBe(STRATEGY)
    for (const [more, status] of [
      [{}, 401],
      [{ authorization: `Bearer ${TOKEN}` }, 401],
      [{ ...headers, origin: 'http://example.com' }, 403],
      [{ ...headers, 'mcp-session-id': 'unknown' }, 404],
      [headers, 400],
    ] as const) {
      const { status: found } = await fetch(url, { method: 'POST', headers: more, body: '{}' })
      expect([more, found]).toEqual([more, status])
    }
    expect(await serving.stop()).toBe(0)
  })
})
