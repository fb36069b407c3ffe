/**
 * Each command once, as it is shipped and as a user starts it: that it is there, loads, and says what it should. What
 * it does in detail is tested by `npm run test:process`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMAND_MODULES, commandWords } from '../../src/cli/commands.ts'
import { cliFolder } from './rig/run-cli.ts'

const { cli, folder } = cliFolder()
const NOWHERE = 'http://127.0.0.1:9/v1'

interface Smoke {
  /** Begins with the name of the command. */
  readonly line: string
  readonly code: number
  /** Start of what it prints, on stdout or, when nothing stands there, on stderr. */
  readonly says: string
}

// prettier-ignore
const SMOKES: readonly Smoke[] = [
  { line: 'init project', code: 0, says: 'Created the project project:\n' },
  { line: 'new strategy mine', code: 0, says: 'strategies/mine.ts\n' },
  { line: 'strategies', code: 0, says: 'donchian-breakout\n' },
  { line: 'backtest grid --tape A_USD=tape.csv --out run', code: 0, says: 'strategy     grid (papertape ' },
  { line: 'sweep grid --tape A_USD=tape.csv --param levels=4,6', code: 0, says: 'grid on ' },
  { line: 'worker', code: 2, says: 'papertape: --redis: expected a URL such as ' },
  { line: 'check grid --runs 2', code: 0, says: 'grid: no faults found in ' },
  { line: 'report run', code: 0, says: 'run/report.html\n' },
  { line: 'replay', code: 2, says: 'papertape: replay: expected <run>; ' },
  { line: 'why run o1', code: 2, says: "papertape: order 'o1': " },
  { line: 'diff run run', code: 0, says: 'the runs are identical: ' },
  { line: 'fork run --at 2024-01-01T00:01:00Z', code: 0, says: 'A fork of sha256:' },
  { line: 'twin run', code: 2, says: 'papertape: run/run.json: is no session: ' },
  { line: 'verify run', code: 0, says: 'verified: sha256:' },
  { line: 'expect', code: 2, says: 'papertape: expect/: has no expectations: ' },
  { line: 'runs --db missing.db', code: 2, says: 'papertape: missing.db: no such file; ' },
  { line: 'track nothing run', code: 2, says: "papertape: track: no session of 'nothing' in run" },
  { line: 'fetch BTC_USD', code: 2, says: "papertape: markets: 'BTC_USD' is no source: " },
  { line: 'import', code: 2, says: 'papertape: import: expected <files>; ' },
  { line: 'export --tape A_USD=tape.csv --out again.csv', code: 0, says: 'again.csv: 3 rows of A_USD trades, ' },
  { line: 'query', code: 2, says: 'papertape: query: missing: give SQL such as ' },
  { line: 'tapes --db missing.db', code: 2, says: 'papertape: missing.db: no such file; ' },
  { line: 'generate --days 1 --out generated.csv', code: 0, says: 'generated.csv: ' },
  { line: 'record', code: 2, says: 'papertape: --url: expected the base URL of a service, ' },
  { line: 'serve --port 99999', code: 2, says: 'papertape: --port: expected an integer from 0 to 65535, ' },
  { line: 'emulator --url http://127.0.0.1:9', code: 3, says: 'papertape: no emulator answers at http://127.0.0.1:9 ' },
  { line: 'arena serve missing.json', code: 2, says: "papertape: season: no such file 'missing.json'" },
  { line: `paper grid --url ${NOWHERE}`, code: 3, says: 'papertape: GET /markets: connect ECONNREFUSED ' },
  { line: 'live', code: 2, says: 'papertape: live: missing strategy: ' },
  { line: 'account', code: 2, says: 'papertape: --url: missing or invalid: pass the base URL of the service, ' },
  { line: `doctor --url ${NOWHERE}`, code: 3, says: `fault    service  ${NOWHERE}: nothing is listening there\n` },
  { line: `conformance --url ${NOWHERE}`, code: 3, says: `${NOWHERE}\n` },
  { line: 'parity', code: 2, says: 'papertape: parity: missing strategy: ' },
  { line: 'mcp', code: 2, says: 'papertape: mcp: expected <folder>; ' },
  { line: 'completion bash', code: 0, says: '# papertape completion for bash ' },
]

beforeAll(() => {
  const rows = ['1704067200000,100,1', '1704067260000,101,1', '1704067320000,102,2']
  writeFileSync(join(folder, 'tape.csv'), ['time_ms,price,qty', ...rows, ''].join('\n'))
})

describe('the command line as it is shipped', () => {
  it.each(SMOKES)('papertape $line', async ({ line, code, says }) => {
    const result = await cli(...line.split(' '))
    expect(result).toMatchObject({ code })
    const { stdout, stderr } = result
    expect((stdout === '' ? stderr : stdout).slice(0, says.length)).toBe(says)
  })

  it('has no other commands', () => {
    const names = SMOKES.map(({ line }) => line.split(' ')[0])
    expect(names.toSorted()).toEqual(COMMAND_MODULES.map((command) => commandWords(command).name).toSorted())
  })
})
