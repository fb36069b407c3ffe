import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../../src/runtime/journal/journal.ts'

describe('a line', () => {
  it('is a JSON object: the time, the type, and the rest in the order in which it was written', () => {
    const lines: string[] = []
    const journal = new Journal((line) => lines.push(line))
    journal.write(5, { type: 'cancel', orderId: '7', ref: 1 })
    journal.write(6, { type: 'place', tag: undefined, b: [1, null], a: { z: true } })
    expect(lines).toEqual([
      '{"t":5,"type":"cancel","orderId":"7","ref":1}',
      '{"t":6,"type":"place","b":[1,null],"a":{"z":true}}',
    ])
    expect(journal.lines).toBe(2)
  })
})

describe('the digest', () => {
  it('is the SHA-256 of all lines, each with a line feed', () => {
    const lines: string[] = []
    const journal = new Journal((line) => lines.push(line))
    for (const text of ['ä', '\n', '']) journal.write(1, { type: 'run', text })
    const whole = lines.map((line) => `${line}\n`).join('')
    expect(journal.digest()).toBe(`sha256:${createHash('sha256').update(whole, 'utf8').digest('hex')}`)
  })

  it('of nothing is that of nothing, and to ask for it changes nothing', () => {
    const journal = new Journal(() => undefined)
    expect(journal.digest()).toBe(`sha256:${createHash('sha256').digest('hex')}`)
    const asked = new Journal(() => undefined)
    asked.digest()
    for (const each of [journal, asked]) each.write(1, { type: 'end' })
    expect(asked.digest()).toBe(journal.digest())
  })
})

it('without anybody to read it writes nothing', () => {
  const journal = new Journal(undefined)
  journal.write(1, { type: 'end' })
  journal.writeFields(1, '"type":"end"}')
  expect([journal.isOn, journal.lines, journal.digest()]).toEqual([false, 0, new Journal(() => undefined).digest()])
})

it('more lines than are hashed together have the digest of all', () => {
  const hash = createHash('sha256')
  const journal = new Journal((line) => hash.update(`${line}\n`))
  for (let index = 0; index < 5_000; index += 1) journal.write(index, { type: 'run', text: 'ä€'.repeat(index % 20) })
  expect(journal.digest()).toBe(`sha256:${hash.digest('hex')}`)
})
