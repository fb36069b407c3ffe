import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PointsFile, readPoints } from '../../../src/run/sweep/points-file.ts'
import { pointKey } from '../../../src/sweep/point-key.ts'
import type { PointOutcome } from '../../../src/sweep/point-outcome.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { write } = temporaryFiles()

const outcome = (name: string): PointOutcome => ({
  key: pointKey('id', { params: { name } }),
  params: { name },
  digest: null,
  statistics: null,
  initialEquity: null,
  finalEquity: null,
  orders: 0,
  error: `é ${name}`,
  periods: null,
})

it('holds its whole lines after a cut at any byte, and goes on behind them', () => {
  const lines = ['a', 'b', 'c'].map((name) => `${JSON.stringify(outcome(name))}\n`)
  const whole = Buffer.from(lines.join(''))
  const path = write('', 'points.jsonl')
  const more = outcome('d')
  for (let cut = 0; cut <= whole.length; cut += 1) {
    writeFileSync(path, whole.subarray(0, cut))
    const file = new PointsFile(path, 'id')
    const kept = whole.subarray(0, whole.lastIndexOf(10, Math.max(cut - 1, 0)) + 1)
    expect([...file.known.values()].map((each) => `${JSON.stringify(each)}\n`).join('')).toBe(
      cut === 0 ? '' : kept.toString(),
    )
    file.append(more)
    file.close()
    expect(readFileSync(path, 'utf8')).toBe(`${cut === 0 ? '' : kept.toString()}${JSON.stringify(more)}\n`)
  }
})

it('has the first of two lines of one point', () => {
  const [first, second] = [outcome('a'), { ...outcome('a'), error: 'another' }]
  const file = new PointsFile(write(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`, 'twice.jsonl'), 'id')
  expect([...file.known.values()]).toEqual([first])
  file.close()
})

it('has a point that the machine ended to be run again, and its new outcome for every reader', () => {
  const [ended, kept] = [{ ...outcome('a'), isOfMachine: true }, outcome('b')]
  const path = write([ended, kept].map((each) => `${JSON.stringify(each)}\n`).join(''), 'ended.jsonl')
  expect([...readPoints(path, 'id').values()]).toEqual([ended, kept])
  const file = new PointsFile(path, 'id')
  expect([...file.known.values()]).toEqual([kept])
  const again = { ...outcome('a'), error: null }
  file.append(again)
  file.close()
  expect([...readPoints(path, 'id').values()]).toEqual([again, kept])
  const later = new PointsFile(path, 'id')
  expect([...later.known.values()]).toEqual([again, kept])
  later.close()
})

it.each`
  line                                                | error
  ${'{}'}                                             | ${'is not a point of a sweep; delete the line to run the point again'}
  ${'\0\0\0'}                                         | ${'is not a point of a sweep; delete the line to run the point again'}
  ${''}                                               | ${'is not a point of a sweep; delete the line to run the point again'}
  ${JSON.stringify({ ...outcome('a'), orders: '1' })} | ${'is not a point of a sweep; delete the line to run the point again'}
  ${JSON.stringify({ ...outcome('a'), params: {} })}  | ${'is not a point of this sweep: its key differs'}
`('names the line that is none: $line', ({ line, error }) => {
  const path = write(`${JSON.stringify(outcome('b'))}\n${line}\n`, 'wrong.jsonl')
  expect(() => new PointsFile(path, 'id')).toThrow(`${path}:2: ${error}`)
})
