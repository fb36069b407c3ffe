import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SourceWatch } from '../../../src/cli/backtest/run-watch-command.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

let place: string
let count = 0
let watch: SourceWatch
let saves: (readonly string[])[]
let hear: () => void

beforeEach(() => {
  place = join(folder, String(count++))
  mkdirSync(place)
  saves = []
  hear = () => undefined
  watch = new SourceWatch((names) => {
    saves.push(names)
    hear()
  })
})

afterEach(() => {
  watch.close()
})

const at = (name: string): string => join(place, name)
const save = (name: string, text: string): void => writeFileSync(at(name), text)

/** Watches files that are there; nothing of them is new. */
function watching(names: readonly string[], takesOthers = false): void {
  for (const name of names) save(name, 'first')
  watch.add(names.map(at), Number.POSITIVE_INFINITY, takesOthers)
}

/** Once so many saves were reported. */
async function reported(number: number): Promise<readonly (readonly string[])[]> {
  while (saves.length < number) await new Promise<void>((resolve) => (hear = resolve))
  return saves
}

it('a file that is written in several steps is saved once', async () => {
  watching(['a.ts', 'b.ts'])
  save('a.ts', '')
  appendFileSync(at('a.ts'), 'sec')
  appendFileSync(at('a.ts'), 'ond')
  await reported(1)
  save('b.ts', 'second')
  expect(await reported(2)).toEqual([['a.ts'], ['b.ts']])
})

it('a file that is put into the place of another is saved, again and again', async () => {
  watching(['a.ts'])
  for (const number of [1, 2, 3]) {
    save('a.ts.tmp', `number ${number}`)
    renameSync(at('a.ts.tmp'), at('a.ts'))
    await reported(number)
  }
  expect(saves).toEqual([['a.ts'], ['a.ts'], ['a.ts']])
})

it('a save that changes no byte is none, and neither is one of a file that no one asked for', async () => {
  watching(['a.ts', 'b.ts'])
  save('a.ts', 'first')
  save('c.ts', 'first')
  save('b.ts', 'second')
  expect(await reported(1)).toEqual([['b.ts']])
})

it('other code counts while something is missing, and what is no code never does', async () => {
  watching(['a.ts'], true)
  save('a.ts~', 'a copy')
  save('missing.ts', 'here')
  expect(await reported(1)).toEqual([['missing.ts']])
  watch.add([], Number.POSITIVE_INFINITY, false)
  save('more.ts', 'here')
  save('a.ts', 'second')
  expect(await reported(2)).toEqual([['missing.ts'], ['a.ts']])
})

it('two files that are saved at once are one save', async () => {
  watching(['a.ts', 'b.ts'])
  save('a.ts', 'second')
  save('b.ts', 'second')
  expect(await reported(1)).toEqual([['a.ts', 'b.ts']])
})

it('a file that stays away is reported, and so is its return, also with its folder', async () => {
  mkdirSync(at('deep'))
  watching(['deep/a.ts'])
  rmSync(at('deep'), { recursive: true })
  await reported(1)
  mkdirSync(at('deep'))
  save('deep/a.ts', 'back')
  await reported(2)
  save('deep/a.ts', 'third')
  expect(await reported(3)).toEqual([['a.ts'], ['a.ts'], ['a.ts']])
})

it('what a link leads to is watched where it lies', async () => {
  mkdirSync(at('real'))
  save('real/r.ts', 'first')
  symlinkSync('real/r.ts', at('link.ts'))
  watch.add([at('link.ts')], Number.POSITIVE_INFINITY, false)
  save('real/r.ts', 'second')
  expect(await reported(1)).toEqual([['link.ts']])
})

it('a file that was written after the run had begun to read is saved', async () => {
  save('a.ts', 'first')
  watch.add([at('a.ts')], 0, false)
  expect(await reported(1)).toEqual([['a.ts']])
})
