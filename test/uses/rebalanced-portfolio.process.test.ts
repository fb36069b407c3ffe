/** Three ready strategies on one wallet, brought back to equal parts every week, and all of it counted by hand. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'

const { cli, folder, write } = cliFolder()
const TAPE = fileURLToPath(new URL('../../data/btc_usd.csv.gz', import.meta.url))
const CAPITALS = { fast: '5000', slow: '3000', grid: '2000' } as const
const NAMES = ['fast', 'slow', 'grid'] as const
type Name = (typeof NAMES)[number]
const MONDAYS = [8, 15, 22, 29].map((day) => Date.UTC(2024, 0, day))
const DOCS = readFileSync(fileURLToPath(new URL('../../docs/portfolio.md', import.meta.url)), 'utf8')
const SECTION = DOCS.slice(DOCS.indexOf('## Move capital between strategies'))

/** The block of the section in the documentation. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(SECTION)?.[1] ?? ''

/** Units of 0.0000001 USD: prices have 2 decimals, quantities 5. */
const units = (text: string): bigint => {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return BigInt(sign + whole + part.padEnd(7, '0'))
}

interface Row {
  readonly time: number
  /** Change of the cash, and of the position in 0.00001 BTC. */
  readonly cash: bigint
  readonly lots: bigint
}

interface Transfer {
  readonly time: number
  readonly amount: bigint
  /** Available and locked cash after it. */
  readonly available: bigint
  readonly locked: bigint
}

const fileOf = (name: string, file: string): string => readFileSync(join(folder, 'out', name, file), 'utf8')
const reportOf = (name: string): RunReport => JSON.parse(fileOf(name, 'run.json')) as RunReport

function fillsOf(name: Name): readonly Row[] {
  const [header = '', ...rows] = fileOf(name, 'fills.csv').trimEnd().split('\n')
  const columns = header.split(',')
  return rows.map((row) => {
    const fields = row.split(',')
    const of = (column: string): string => fields[columns.indexOf(column)] ?? ''
    const lots = units(of('qty')) / 100n
    const value = (units(of('price')) / 100_000n) * lots
    const isBuy = of('side') === 'BUY'
    const cash = (isBuy ? -value : value) - units(of('fee'))
    return { time: Number(of('time_ms')), cash, lots: isBuy ? lots : -lots }
  })
}

interface Line {
  readonly t: number
  readonly type: string
  readonly amount: string
  readonly balances: { readonly USD: { readonly available: string; readonly locked: string } }
}

function transfersOf(name: Name): readonly Transfer[] {
  const lines = fileOf(name, 'journal.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return lines.flatMap(({ t: time, type, amount }, index) => {
    if (type !== 'transfer') return []
    const { available = '', locked = '' } = lines[index + 1]?.balances.USD ?? {}
    return [{ time, amount: units(amount), available: units(available), locked: units(locked) }]
  })
}

/** Last price before each Monday, and the last of all, in cents. */
function marks(): readonly bigint[] {
  const rows = gunzipSync(readFileSync(TAPE)).toString().trimEnd().split('\n').slice(1)
  const at = (time: number): bigint => {
    const last = rows.findLast((row) => Number(row.split(',')[1]) <= time)
    return units(last?.split(',')[2] ?? '') / 100_000n
  }
  return [...MONDAYS, Infinity].map(at)
}

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n)
const near = (one: bigint, other: bigint): boolean => one - other <= 1n && other - one <= 1n

beforeAll(async () => {
  write(blockOf('json').replace('data/btc_usd.csv.gz', TAPE), 'papertape.config.json')
  const { code, stdout } = await cli('backtest', '--out', 'out')
  expect(code).toBe(0)
  expect(stdout).toContain(blockOf('text'))
})

describe('three strategies of equal parts every week', () => {
  it('get and give what the parts say, as far as their cash is free, and their returns are those of their trades', () => {
    const prices = marks()
    const fills = new Map(NAMES.map((name) => [name, fillsOf(name)]))
    const transfers = new Map(NAMES.map((name) => [name, transfersOf(name)]))
    const growth = new Map<Name, number>(NAMES.map((name) => [name, 1]))
    const before = new Map<Name, bigint>(NAMES.map((name) => [name, units(CAPITALS[name])]))
    const cashAt = (name: Name, time: number): bigint =>
      units(CAPITALS[name]) +
      sum((fills.get(name) ?? []).flatMap((row) => (row.time < time ? [row.cash] : []))) +
      sum((transfers.get(name) ?? []).flatMap((row) => (row.time < time ? [row.amount] : [])))
    const equityAt = (name: Name, time: number, price: bigint): bigint =>
      cashAt(name, time) + price * sum((fills.get(name) ?? []).flatMap((row) => (row.time < time ? [row.lots] : [])))

    MONDAYS.forEach((monday, index) => {
      const books = NAMES.map((name) => {
        const moved = transfers.get(name)?.find(({ time }) => time === monday)
        const { amount = 0n, available = 0n, locked = 0n } = moved ?? {}
        const [cash, equity] = [cashAt(name, monday), equityAt(name, monday, prices[index] ?? 0n)]
        expect(available + locked - amount, name).toBe(cash)
        return { name, amount, equity, free: available - amount }
      })
      const target = sum(books.map(({ equity }) => equity)) / 3n
      const gives = books.map(({ equity, free }) => (equity > target ? (equity - target < free ? equity - target : free) : 0n)) // prettier-ignore
      const wants = books.map(({ equity }) => (equity < target ? target - equity : 0n))
      const [given, wanted] = [sum(gives), sum(wants)]
      const moved = given < wanted ? given : wanted
      expect(sum(books.map(({ amount }) => amount))).toBe(0n)
      books.forEach(({ name, amount, equity }, at) => {
        const [give = 0n, want = 0n] = [gives[at], wants[at]]
        const expected = (want * moved) / (wanted || 1n) - (give * moved) / (given || 1n)
        expect(near(amount, expected), `${name} on Monday ${index}: ${amount} instead of ${expected}`).toBe(true)
        growth.set(name, (growth.get(name) ?? 1) * (Number(equity) / Number(before.get(name))))
        before.set(name, equity + amount)
      })
    })

    for (const name of NAMES) {
      const equity = equityAt(name, Infinity, prices.at(-1) ?? 0n)
      const report = reportOf(name)
      expect(units(report.finalEquity)).toBe(equity)
      const total = (growth.get(name) ?? 1) * (Number(equity) / Number(before.get(name))) - 1
      expect(report.statistics.return).toBeCloseTo(total, 9)
    }
  })

  it('have sums of what moved in the report of the wallet, and profits without it that add up', () => {
    const { strategies = [], config, ...wallet } = reportOf('portfolio')
    expect(config.rebalance).toEqual({ rule: 'equal', every: '1w', at: '00:00' })
    for (const { name, transfers, profit, initialEquity, finalEquity } of strategies) {
      const amounts = transfersOf(name as Name).map(({ amount }) => amount)
      const [came, went] = [amounts.filter((each) => each > 0n), amounts.filter((each) => each < 0n)]
      expect(transfers).toMatchObject({ count: 4 })
      expect([units(transfers?.in ?? ''), -units(transfers?.out ?? '')]).toEqual([sum(came), sum(went)])
      expect(units(profit)).toBe(units(finalEquity) - units(initialEquity) - sum(amounts))
      expect(reportOf(name).transfers).toEqual(transfers)
    }
    expect(sum(strategies.map(({ profit }) => units(profit)))).toBe(units(wallet.finalEquity) - units('10000'))
    expect(wallet.audit.ok).toBe(true)
  })

  it('are repeated by verify, and on a page', async () => {
    expect(await cli('verify', 'out/portfolio')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'out/portfolio/report.html'))).toBe(true)
  })
})
