import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInputError } from './rig/cli-result.ts'
import { cliFolderHere } from './rig/cli-here.ts'
import { strategySource, TRADES } from './rig/sample-files.ts'

const { cli, write, folder } = cliFolderHere()

/** A bid that waits, one that the market comes to, and one that cannot be paid. */
const BIDS = strategySource({
  name: 'bids',
  run: `return trades(params.symbol).pipe(take(2), concatMap((_, index) => index === 0 ? [] : [
    buyLimit(params.symbol, '99.5', 1),
    buyLimit(params.symbol, '100.3', '1.5', { tag: 'near' }),
    buyLimit(params.symbol, '100', 1000),
  ]))`,
})

const journal = (): string => join(folder, 'run', 'journal.jsonl')

/** A copy of the run whose journal was changed. */
function changed(name: string, change: (text: string) => string): string {
  cpSync(join(folder, 'run'), join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'journal.jsonl'), change(readFileSync(journal(), 'utf8')))
  return name
}

beforeAll(async () => {
  write(TRADES, 'tape.csv')
  write(BIDS, 'bids.js')
  const run = await cli('backtest', 'bids.js', '--tape', 'A_USD=tape.csv', '--no-bounds', '--quiet', '--out', 'run')
  expect(run).toEqual({ code: 0, stdout: '', stderr: '' })
})

/** A line that goes on in the next, as one. */
const unbroken = (text: string): string => text.replace(/\n {2,}/g, ' ')

const reported = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await cli('why', ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  return stdout
}

const json = async (...args: string[]): Promise<string> => (await cli('why', ...args)).stdout

describe('papertape why', () => {
  it.concurrent('reports why an order was not filled: a verdict, and what happened', async () => {
    expect(unbroken(await reported('run', '6'))).toBe(`not filled: the market never traded at 99.50; nearest 100.25

2023-11-14T22:13:21.000Z  requested: buy 1 A_USD at 99.5
2023-11-14T22:13:21.050Z  arrived as order 6, 50 ms after it was sent; rested at 99.50, with 1.5 of the crowd ahead of it
2023-11-14T22:15:20.000Z  while it rested: no trade at its price or beyond; nearest 100.25
2023-11-14T22:15:20.000Z  the run ended: 1 still open, with 1.5 of the crowd ahead of it
`)
  })

  it.concurrent('reports why one was', async () => {
    expect(unbroken(await reported('run', '8'))).toBe(`filled after 950 ms: the market traded through 100.30, at 100.25

2023-11-14T22:13:21.000Z  requested: buy 1.5 A_USD at 100.3, tag near
2023-11-14T22:13:21.050Z  arrived as order 8, 50 ms after it was sent; rested at 100.30, with 1.5 of the crowd ahead of it
2023-11-14T22:13:22.000Z  filled: 1.5 at 100.30, by a trade of 1.5 at 100.25, beyond its price
2023-11-14T22:13:22.000Z  while it rested: no trade at its price, 1 trade of 1.5 beyond it
`)
  })

  it.concurrent('takes the number of the request of one that was refused', async () => {
    expect(unbroken(await reported('run', 'ref:3')))
      .toBe(`refused by the exchange: INSUFFICIENT_BALANCE (not enough USD available)

2023-11-14T22:13:21.000Z  requested: buy 1000 A_USD at 100
2023-11-14T22:13:21.050Z  refused: INSUFFICIENT_BALANCE (not enough USD available)
`)
  })

  it.concurrent('prints the same as one JSON object', async () => {
    const { order, verdict, facts } = JSON.parse(await json('run', '6', '--json')) as Record<string, unknown>
    expect({ order, verdict }).toEqual({
      order: '6',
      verdict: 'not filled: the market never traded at 99.50; nearest 100.25',
    })
    expect(facts).toHaveLength(4)
    expect(facts).toContainEqual({ time: 1_700_000_001_000, text: 'requested: buy 1 A_USD at 99.5' })
  })

  it.concurrent('says in its help how a refused order is named', async () => {
    expect(await reported('--help')).toMatch(/ref:N/)
  })
})

describe('what cannot be reported: exit code 2 and one line', () => {
  it.concurrent.each`
    args              | line
    ${'run 7'}        | ${"order '7': the run has no such order; nearby: 6, 8"}
    ${'run ref:9'}    | ${'ref:9: the run has no such order; nearby: ref:1, ref:2, ref:3'}
    ${'none 6'}       | ${'none/journal.jsonl: no such file; expected a directory written by backtest --out'}
    ${'tape.csv 6'}   | ${'tape.csv/journal.jsonl: no such file; expected a directory written by backtest --out'}
    ${'. 6'}          | ${'journal.jsonl: no such file; expected a directory written by backtest --out'}
    ${'run'}          | ${'why: expected <order>; see papertape why --help'}
    ${'run 6 5'}      | ${"unexpected argument '5'"}
    ${'run 6 --jsn'} | ${'unknown flag --jsn; did you mean --json?'}
  `('papertape why $args: $line', async ({ args, line }) =>
    expectInputError(await cli('why', ...args.split(' ')), line),
  )

  it.concurrent.each`
    why                         | change                                                                     | line
    ${'a line that is no JSON'} | ${(text: string) => text.replace('{', '')}                                 | ${'journal.jsonl:1: is not JSON'}
    ${'JSON of something else'} | ${(text: string) => text.replace(/.*\n/, '[]\n')}                          | ${'journal.jsonl:1: is not a line of a journal'}
    ${'a figure that is none'}  | ${(text: string) => text.replace(/"crowdAhead":"[^"]*"/, '"crowdAhead":"much"')} | ${/journal\.jsonl:\d+: a 'rested' line with crowdAhead: Invalid string/}
    ${'it lacks how one left'}  | ${(text: string) => text.replace(/.*"left","orderId":"6".*\n/, '')}       | ${"order '6': the journal is incomplete"}
    ${'it is empty'}            | ${() => ''}                                                                | ${"order '6': the run has no orders"}
  `('$why', async ({ why, change, line }) => {
    const name = changed(why.replaceAll(' ', '-'), change)
    const result = await cli('why', name, '6')
    expectInputError({ ...result, stderr: result.stderr.replace(`${name}/`, '') }, line)
  })
})

/** The text up to and with the first line that contains all of these. */
const upTo =
  (...parts: readonly string[]) =>
  (text: string): string => {
    const lines = text.split(/(?<=\n)/)
    return lines.slice(0, lines.findIndex((line) => parts.every((part) => line.includes(part))) + 1).join('')
  }

describe('a run that was killed', () => {
  const BROKEN = 'the journal ends here: the session was killed or is still running'
  const killed = (name: string, change: (text: string) => string): string => {
    changed(name, change)
    rmSync(join(folder, name, 'run.json'))
    return name
  }

  it('is explained from the lines that it has', async () => {
    const run = killed('killed', upTo('"refused"', '"ref":3'))
    expect(unbroken(await reported(run, 'ref:3')))
      .toBe(`refused by the exchange: INSUFFICIENT_BALANCE (not enough USD available)

2023-11-14T22:13:21.000Z  requested: buy 1000 A_USD at 100
2023-11-14T22:13:21.050Z  refused: INSUFFICIENT_BALANCE (not enough USD available)
2023-11-14T22:13:21.050Z  ${BROKEN}
`)
    expect(unbroken(await reported(run, '6'))).toBe(`not filled: still open at the end of the journal

2023-11-14T22:13:21.000Z  requested: buy 1 A_USD at 99.5
2023-11-14T22:13:21.050Z  arrived as order 6, 50 ms after it was sent; rested at 99.50, with 1.5 of the crowd ahead of it
2023-11-14T22:13:21.050Z  ${BROKEN}
`)
  })

  it('has no answer to its last request, and perhaps half a last line', async () => {
    const run = killed('cut', (text) => upTo('"refused"', '"ref":3')(text).slice(0, -9))
    const { code, stdout, stderr } = await cli('why', run, '6')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'cut/journal.jsonl: its last line is incomplete and was ignored\n',
    })
    expect(stdout).toMatch(/^not filled: still open at the end of the journal\n/)
    expectInputError(
      await cli('why', killed('killed-asking', upTo('"place"', '"ref":3')), 'ref:3'),
      'ref:3: the journal has no answer to this request: the session was killed or is still running',
    )
  })

  it('has no report yet, which papertape report says', async () => {
    expectInputError(
      await cli('report', killed('unreported', upTo('"refused"', '"ref":3'))),
      'unreported: has a journal and no report: the session was killed or is still running; ' +
        'papertape why, diff and replay read its journal',
    )
  })
})

it('needs the journal and nothing else of the run', async () => {
  const name = changed('alone', (text) => text)
  for (const file of ['run.json', 'orders.csv', 'fills.csv', 'equity.csv']) rmSync(join(folder, name, file))
  expect(await reported(name, '6')).toBe(await reported('run', '6'))
})
