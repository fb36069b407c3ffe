import { describe, expect, it } from 'vitest'
import { readablePeriod } from '../../src/report/readable-time.ts'

describe('a period', () => {
  it.each`
    from                          | to                            | expected                                                    | why
    ${'2020-01-01T00:00:00.000Z'} | ${'2024-03-01T00:00:00.000Z'} | ${'2020-01-01 to 2024-03-01'}                               | ${'whole days'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-03-01T11:22:33.456Z'} | ${'2024-01-01 to 2024-03-01'}                               | ${'months: dates'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-20T11:22:33.456Z'} | ${'2024-01-01 10:20 to 2024-01-20 11:22 UTC'}               | ${'long: minutes'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-01T10:31:20.999Z'} | ${'2024-01-01 10:20:30 to 10:31:20 UTC'}                    | ${'one date once'}
    ${'2024-01-01T23:59:00.000Z'} | ${'2024-01-02T00:01:00.000Z'} | ${'2024-01-01 23:59 to 2024-01-02 00:01 UTC'}               | ${'over midnight'}
    ${'2024-01-01T23:59:59.900Z'} | ${'2024-01-02T00:00:09.000Z'} | ${'2024-01-01 23:59:59.900 to 2024-01-02 00:00:09.000 UTC'} | ${'a moment over midnight'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-01T10:20:31.000Z'} | ${'2024-01-01 10:20:30.456 to 10:20:31.000 UTC'}            | ${'short: milliseconds'}
  `('$why: $expected', ({ from, to, expected }: Record<'from' | 'to' | 'expected', string>) => {
    expect(readablePeriod(Date.parse(from), Date.parse(to))).toBe(expected)
  })
})
