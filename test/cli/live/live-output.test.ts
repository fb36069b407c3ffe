/**
 * All that `papertape live` shows, on a terminal and where there is none.
 */
import { describe, expect, it } from 'vitest'
import { LiveOutput } from '../../../src/cli/live/live-output.ts'
import type { EndedSession } from '../../../src/run/live-options.ts'
import type { LiveStatus } from '../../../src/runtime/live/live-status.ts'
import type { LiveEvent } from '../../../src/runtime/live/live-event.ts'
import { REPORT } from '../../report/rig/some-report.ts'
import { FakeTerminal } from './rig/fake-terminal.ts'

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const ENTER = '\u001b[?1049h'
const LEAVE = '\u001b[?1049l'

const STATUS: LiveStatus = {
  time: TIME,
  startedAt: TIME,
  baseUrl: 'http://service/v1',
  connection: 'connected',
  stream: 'open',
  dataAt: undefined,
  budget: undefined,
  undecided: [],
  halts: [],
  warnings: [],
  events: [],
  strategies: [
    {
      owner: 'grid',
      state: 'ACTIVE',
      why: '',
      quoteAsset: 'USD',
      equity: '10',
      change: 0,
      positions: [],
      openOrders: [],
      waiting: 0,
      runDirectory: '/run',
    },
  ],
}

const event = (reported: Partial<LiveEvent>): LiveEvent => ({ time: TIME, owner: 'grid', ...reported }) as LiveEvent

class Pipe extends FakeTerminal {
  override readonly isTTY = false
}

function outputTo(stdout: FakeTerminal, stderr: FakeTerminal = new FakeTerminal(), isJson = false): LiveOutput {
  return new LiveOutput({ isJson, hasColour: false, stdout, stderr, wallClock: () => TIME })
}

const ended = (): EndedSession => ({ owner: 'grid', directory: '/run', report: REPORT, left: [] })

describe('papertape live on a terminal', () => {
  it('shows nothing but the screen while it is on, and reports behind it what has to be known', () => {
    const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()]
    const output = outputTo(stdout, stderr)
    output.news.report(event({ type: 'started', baseUrl: 'http://service/v1', runDirectory: '/run' }))
    expect(stdout.look()).toContain('started on http://service/v1')
    output.onStatus(STATUS)
    expect(stdout.look()).toContain(ENTER)

    output.news.report(event({ type: 'log', message: 'a log' }))
    output.news.report(event({ type: 'halt', symbol: 'BTC_USD', why: 'AMBIGUOUS', reason: 'two orders' }))
    output.console.log('printed by a strategy')
    output.note('stopping')
    output.onEnd(ended())
    expect([stdout.look(), stderr.look()]).toEqual(['', ''])
    expect(output.news.last.map((each) => ('message' in each ? each.message : each.type))).toEqual([
      ...['started', 'a log', 'halt', 'printed by a strategy', 'stopping'],
    ])

    output.close()
    output.close()
    const [, behind = '', ...more] = stdout.look().split(LEAVE)
    expect(more).toEqual([])
    expect(behind).toMatch(/^03:04:05 {2}grid {2}BTC_USD is halted \(AMBIGUOUS\): two orders\nstrategy /)
    output.console.log('afterwards')
    expect(stderr.look()).toBe('afterwards\n')
  })

  it('leaves stderr alone that goes elsewhere', () => {
    const file = new Pipe()
    const output = outputTo(new FakeTerminal(), file)
    output.onStatus(STATUS)
    output.console.warn('one\ntwo')
    expect(file.look()).toBe('one\ntwo\n')
  })

  it('writes no control character of a strategy', () => {
    const stdout = new FakeTerminal()
    outputTo(stdout).news.report(event({ type: 'log', message: 'clear\u001b[2J' }))
    expect(stdout.look()).not.toContain('\u001b')
  })
})

describe('papertape live without a terminal', () => {
  it('reports each minute how it stands, in a line a strategy', () => {
    const stdout = new Pipe()
    const output = outputTo(stdout)
    const reportedAt = [0, 1, 59_999, 60_000, 61_000, 120_000].filter((ms) => {
      output.onStatus({ ...STATUS, time: TIME + ms })
      return stdout.look() !== ''
    })
    expect(reportedAt).toEqual([60_000, 120_000])
    output.onStatus({ ...STATUS, time: TIME + 180_000 })
    expect(stdout.look()).toBe('03:07:05  grid  ACTIVE, equity 10 USD, 0.00 %, 0 open orders\n')
    output.onEnd(ended())
    expect(stdout.look()).toMatch(/^strategy /)
  })

  it('with --json writes lines of JSON and no summary, on a terminal as well', () => {
    const stdout = new FakeTerminal()
    const output = outputTo(stdout, new FakeTerminal(), true)
    output.onStatus(STATUS)
    output.onStatus({ ...STATUS, time: TIME + 60_000, events: [{ seq: 1, ...event({ type: 'log', message: 'a' }) }] })
    output.news.report(event({ type: 'log', message: '\u001b[2J' }))
    output.onEnd(ended())
    output.close()
    const lines = stdout
      .look()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ type }) => type)).toEqual(['status', 'log'])
    expect(lines[0]).toMatchObject({ time: TIME + 60_000, strategies: [{ owner: 'grid', equity: '10' }] })
    expect(lines[0]).not.toHaveProperty('events')
  })
})
