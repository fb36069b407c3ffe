/**
 * A state file: what was written comes back, whole or not at all, and what is none of ours stays as it is.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Database } from '../../database.ts'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { readStateFile } from '../../../src/store/state/read-state-file.ts'
import { snapshotsBeside } from '../../../src/store/state/snapshot-beside.ts'
import { StateFile } from '../../../src/store/state/state-file.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { bytesBeside, copyStateFile } from '../rig/state-file-copy.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const { folder } = temporaryFiles()
let made = 0

/** A path that is not there yet. */
const freshPath = (): string => join(folder, `state-${(made += 1)}.db`)

/** A file with a snapshot and `batches`, closed. */
function closedFile(...batches: readonly string[]): string {
  const file = freshPath()
  const state = StateFile.create(file, 'snapshot')
  for (const batch of batches) state.append(batch)
  state.close()
  return file
}

/** What refuses the file; it must leave every byte of it as it was. */
function refusalOf(file: string, action: () => unknown = () => readStateFile(file)): string {
  const before = bytesBeside(file)
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    expect((error as InputError).where).toBe(file)
    expect(bytesBeside(file)).toEqual(before)
    return (error as InputError).message.slice(file.length + 2)
  }
  return 'not refused'
}

/** Changes the header of a file that is closed. */
function patched(file: string, offset: number, value: number): string {
  const bytes = readFileSync(file)
  bytes.writeUInt32BE(value, offset)
  writeFileSync(file, bytes)
  return file
}

describe('a state file', () => {
  it('has what was written, in its order, after the last snapshot', () => {
    const file = freshPath()
    expect(readStateFile(file)).toBeUndefined()
    const state = StateFile.create(file, 'the beginning')
    state.append('a')
    state.append('ü')
    state.close()
    state.close()
    expect(readStateFile(file)).toEqual({ snapshot: 'the beginning', batches: ['a', 'ü'], lastWrite: 2 })
    const again = StateFile.reopen(file, 2)
    again.append('c')
    again.replace('all of it')
    again.append('d')
    again.close()
    expect(readStateFile(file)).toEqual({ snapshot: 'all of it', batches: ['d'], lastWrite: 5 })
  })

  it('has all of it when the process is killed, without being closed', () => {
    const file = freshPath()
    const copy = freshPath()
    const state = StateFile.create(file, 'the beginning')
    state.append('a')
    state.replace('all of it')
    state.append('b')
    copyStateFile(file, copy)
    state.close()
    expect(readStateFile(copy)).toEqual({ snapshot: 'all of it', batches: ['b'], lastWrite: 3 })
  })

  it('is made of an empty file, and leaves nothing beside it when it is closed', () => {
    const file = freshPath()
    writeFileSync(file, '')
    expect(readStateFile(file)).toBeUndefined()
    StateFile.create(file, 'snapshot').close()
    expect(readStateFile(file)?.snapshot).toBe('snapshot')
    StateFile.reopen(file, 0).close()
    expect(Object.keys(bytesBeside(file))).toEqual([file.slice(folder.length + 1)])
  })

  it('is made again when its making was cut short', () => {
    const file = closedFile()
    const database = new Database(freshPath())
    database.pragma('cache_size = 1')
    database.exec('BEGIN EXCLUSIVE; CREATE TABLE t (a TEXT)')
    for (let row = 0; row < 200; row += 1) database.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(1_000))
    // What its rollback journal says of a file: that there was nothing in it before.
    copyFileSync(`${database.name}-journal`, `${file}-journal`)
    database.close()
    expect(readStateFile(file)).toBeUndefined()
    StateFile.create(file, 'another').close()
    expect(readStateFile(file)?.snapshot).toBe('another')
  })
})

describe('a state file is refused, and left as it is,', () => {
  it.each<{ why: string; message: string; file: () => string }>([
    {
      why: 'when its folder is not there',
      message: `its directory '${join(folder, 'nowhere')}' does not exist`,
      file: () => join(folder, 'nowhere', 'state.db'),
    },
    {
      why: 'when it is a folder',
      message: 'is not a file',
      file: () => {
        const path = freshPath()
        mkdirSync(path)
        return path
      },
    },
    {
      why: 'when it is a text',
      message: 'is not a papertape state file, or is damaged',
      file: () => {
        const path = freshPath()
        writeFileSync(path, 'time,price\n'.repeat(100))
        return path
      },
    },
    {
      why: 'when it is a few bytes',
      message: 'is not a papertape state file, or is damaged',
      file: () => {
        const path = freshPath()
        writeFileSync(path, 'SQLite format 3\0')
        return path
      },
    },
    {
      why: "when it is another program's database",
      message: 'is the database of another program',
      file: () => {
        const path = freshPath()
        const database = new Database(path)
        database.exec('CREATE TABLE t (a)')
        database.close()
        return path
      },
    },
    {
      why: 'when it is newer',
      message: 'was written by a newer version of papertape (format 3; this version reads up to 2)',
      file: () => patched(closedFile('a'), 60, 3),
    },
    {
      why: 'when it is read-only',
      message: 'is read-only',
      file: () => {
        const path = closedFile('a')
        chmodSync(path, 0o444)
        return path
      },
    },
    {
      why: 'when its log is there without it',
      message: 'restore the file, or move the log away',
      file: () => {
        const path = freshPath()
        writeFileSync(`${path}-wal`, 'a log')
        return path
      },
    },
    {
      why: 'when its end is missing',
      message: 'is damaged',
      file: () => {
        const path = closedFile('a'.repeat(100_000))
        truncateSync(path, 50_000)
        return path
      },
    },
    {
      why: 'when a batch is missing',
      message: 'is damaged (entries 2 are missing)',
      file: () => {
        const path = closedFile('a', 'b', 'c')
        const database = new Database(path)
        database.exec('DELETE FROM batch WHERE id = 2')
        database.close()
        return path
      },
    },
    {
      why: 'when it has no snapshot',
      message: 'is damaged (without a snapshot)',
      file: () => {
        const path = closedFile('a')
        const database = new Database(path)
        database.exec('DELETE FROM snapshot')
        database.close()
        return path
      },
    },
  ])('$why', ({ message, file }) => {
    expect(refusalOf(file())).toContain(message)
  })

  it('when any byte of it is another one, unless that byte says nothing', () => {
    const text = '{"type":"cancel"}'.repeat(200)
    const bytes = readFileSync(closedFile(text, text))
    const expected = { snapshot: 'snapshot', batches: [text, text], lastWrite: 2 }
    const chance = new Chance(5)
    let refused = 0
    for (let turn = 0; turn < 400; turn += 1) {
      const file = freshPath()
      const changed = Buffer.from(bytes)
      const offset = chance.below(changed.length)
      changed.writeUInt8(changed.readUInt8(offset) ^ (1 << chance.below(8)), offset)
      writeFileSync(file, changed)
      if (refusalOf(file) === 'not refused') expect(readStateFile(file), `byte ${offset}`).toEqual(expected)
      else refused += 1
    }
    expect(refused).toBeGreaterThan(100)
  })

  it('when it is open in this process', () => {
    const file = freshPath()
    const state = StateFile.create(file, 'snapshot')
    expect(() => readStateFile(file)).toThrow(`${file}: is in use by this process`)
    state.append('a')
    state.close()
    expect(readStateFile(file)?.batches).toEqual(['a'])
  })

  it('when it is open in another process, which goes on', () => {
    const file = freshPath()
    const state = StateFile.create(file, 'snapshot')
    const other = `
      const { readStateFile } = await import('./dist/store/state/read-state-file.js')
      const { StateFile } = await import('./dist/store/state/state-file.js')
      const tryTo = (action) => { try { action(); console.log('opened') } catch (error) { console.log(error.name, error.message) } }
      tryTo(() => readStateFile(process.argv[1]))
      tryTo(() => StateFile.create(process.argv[1], 'mine'))
      tryTo(() => StateFile.reopen(process.argv[1], 0))
    `
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', other, file], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const line = `InputError ${file}: is in use by another process (SQLITE_BUSY: database is locked)\n`
    expect({ stdout, stderr }).toEqual({ stdout: line.repeat(3), stderr: '' })
    state.append('a')
    state.close()
    expect(readStateFile(file)?.batches).toEqual(['a'])
  })

  it('when another process has written to it since it was read', () => {
    const file = closedFile('a')
    expect(refusalOf(file, () => StateFile.reopen(file, 0))).toBe('is in use by another process')
    expect(refusalOf(file, () => StateFile.create(file, 'another'))).toBe('is in use by another process')
  })
})

describe('the log of a state file', () => {
  it('cut anywhere, or with a byte changed anywhere, leaves a beginning of what was written', () => {
    const file = freshPath()
    const state = StateFile.create(file, 'snapshot')
    const batches = Array.from({ length: 60 }, (_, index) => `${index}`.repeat(1 + ((index * 131) % 400)))
    for (const batch of batches) state.append(batch)
    const killed = freshPath()
    copyStateFile(file, killed)
    state.close()
    const log = readFileSync(`${killed}-wal`)
    const chance = new Chance(7)
    const lengths = new Set<number>()
    for (let turn = 0; turn < 200; turn += 1) {
      const copy = freshPath()
      copyStateFile(killed, copy)
      const offset = turn === 1 ? log.length : chance.below(log.length)
      const changed = Buffer.from(log)
      if (turn % 2 === 0) changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
      writeFileSync(`${copy}-wal`, turn % 2 === 0 ? changed : log.subarray(0, offset))
      const read = readStateFile(copy)
      expect(read?.batches).toEqual(batches.slice(0, read?.lastWrite))
      lengths.add(read?.lastWrite ?? -1)
      // And it goes on from there.
      const again = StateFile.reopen(copy, read?.lastWrite ?? -1)
      again.append('more')
      again.close()
      expect(readStateFile(copy)?.batches.at(-1)).toBe('more')
      for (const part of ['', '-wal', '-shm']) rmSync(copy + part, { force: true })
    }
    expect(lengths.size).toBeGreaterThan(30)
    expect(lengths).toContain(batches.length)
  })
})

describe('a snapshot that is written beside the file', () => {
  const never = new AbortController().signal

  /** Pieces, and what is done before each of them. */
  async function* pieces(count: number, before: (piece: number) => void): AsyncGenerator<string> {
    for (let piece = 0; piece < count; piece += 1) {
      before(piece)
      await Promise.resolve()
      yield `<${piece}>`
    }
  }

  function killed(file: string): string {
    const copy = freshPath()
    copyStateFile(file, copy)
    copyFileSync(`${file}-acknowledged`, `${copy}-acknowledged`)
    return copy
  }

  /** Goes on from a snapshot of one batch; another came while it was written. */
  async function fileWithSnapshot(): Promise<{ readonly file: string; readonly state: StateFile }> {
    const file = freshPath()
    const state = StateFile.create(file, 'the beginning')
    state.append('a')
    await state.replaceBeside(
      pieces(3, (piece) => {
        if (piece === 1) state.append('b')
      }),
      never,
    )
    return { file, state }
  }

  it('is gone on from once it is there: before that, what was before and all entries are', async () => {
    const file = freshPath()
    const state = StateFile.create(file, 'the beginning')
    state.append('a')
    const seen: unknown[] = []
    const look = (): void => {
      const copy = killed(file)
      seen.push(readStateFile(copy))
      StateFile.reopen(copy, readStateFile(copy)?.lastWrite ?? -1).close()
      expect(readStateFile(copy)).toEqual(seen.at(-1))
    }
    const text = pieces(3, (piece) => {
      state.append(`${piece}`)
      look()
    })
    expect(await state.replaceBeside(text, never)).toBe(true)
    look()
    state.append('more')
    look()
    state.close()
    expect(seen).toEqual([
      { snapshot: 'the beginning', batches: ['a', '0'], lastWrite: 2 },
      { snapshot: 'the beginning', batches: ['a', '0', '1'], lastWrite: 3 },
      { snapshot: 'the beginning', batches: ['a', '0', '1', '2'], lastWrite: 4 },
      { snapshot: '<0><1><2>', batches: ['0', '1', '2'], lastWrite: 5 },
      { snapshot: '<0><1><2>', batches: ['0', '1', '2', 'more'], lastWrite: 6 },
    ])
    expect(readStateFile(file)).toEqual(seen.at(-1))
  })

  it('drops what it took in little by little, also after a restart', async () => {
    const file = freshPath()
    let state = StateFile.create(file, 'the beginning')
    for (let batch = 0; batch < 20; batch += 1) state.append(`${batch}`)
    await state.replaceBeside(
      pieces(1, () => undefined),
      never,
    )
    const rows = (): unknown => {
      const database = new Database(killed(file), { readonly: true })
      const count = database.prepare('SELECT count(*) FROM batch').pluck().get()
      database.close()
      return count
    }
    const counts: unknown[] = [rows()]
    for (const append of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      state.append(append)
      counts.push(rows())
      if (append !== 'c') continue
      state.close()
      state = StateFile.reopen(file, readStateFile(file)?.lastWrite ?? -1)
    }
    state.close()
    expect(counts).toEqual([21, 18, 15, 12, 9, 6, 7, 8])
  })

  it('lies in the file again once all of it is replaced, as before there were any', async () => {
    const { file, state } = await fileWithSnapshot()
    expect(snapshotsBeside(file)).toHaveLength(1)
    const crashed = killed(file)
    state.replace('all of it')
    expect(snapshotsBeside(file)).toEqual([])
    state.close()
    expect(readFileSync(file).readUInt32BE(60)).toBe(1)
    expect(readStateFile(file)).toEqual({ snapshot: 'all of it', batches: [], lastWrite: 4 })
    expect(readStateFile(crashed)).toEqual({ snapshot: '<0><1><2>', batches: ['b'], lastWrite: 3 })
  })

  it('leaves the one before it, and takes its place', async () => {
    const { file, state } = await fileWithSnapshot()
    state.append('c')
    expect(
      await state.replaceBeside(
        pieces(1, () => expect(snapshotsBeside(file)).toHaveLength(2)),
        never,
      ),
    ).toBe(true)
    expect(snapshotsBeside(file)).toEqual([`${file}-checkpoint-4`])
    state.close()
    expect(readStateFile(file)).toEqual({ snapshot: '<0>', batches: [], lastWrite: 5 })
  })

  it.each<[string, (path: string) => void, string]>([
    ['gone', (path) => rmSync(path), 'is gone or cannot be read, and its state goes on from it'],
    ['cut', (path) => truncateSync(path, 25), 'is damaged (it is not as it was written'],
    [
      'changed',
      (path) => writeFileSync(path, readFileSync(path, 'latin1').replace('<1>', '<7>')),
      'is damaged (it is not as it was written',
    ],
  ])('is refused by name when it is %s', async (_, damage, message) => {
    const { file, state } = await fileWithSnapshot()
    const copy = killed(file)
    state.close()
    damage(`${copy}-checkpoint-1`)
    const before = bytesBeside(copy)
    expect(() => readStateFile(copy)).toThrow(`${copy}-checkpoint-1: ${message}`)
    expect(bytesBeside(copy)).toEqual(before)
  })

  it('is not what is named when the log lost that it is there', async () => {
    const file = freshPath()
    const state = StateFile.create(file, 'the beginning')
    state.append('a')
    const log = readFileSync(`${file}-wal`)
    await state.replaceBeside(
      pieces(1, () => undefined),
      never,
    )
    const copy = killed(file)
    state.close()
    writeFileSync(`${copy}-wal`, log)
    expect(() => readStateFile(copy)).toThrow(`${copy}-wal: is damaged or gone (${copy} ends at write 1, and write 2`)
  })

  it('is not there when its file is not, and nothing else of such a name is taken away', async () => {
    const { file, state } = await fileWithSnapshot()
    const copy = killed(file)
    state.close()
    writeFileSync(`${copy}-checkpoint-77`, 'mine')
    StateFile.reopen(copy, readStateFile(copy)?.lastWrite ?? -1).close()
    expect(readFileSync(`${copy}-checkpoint-77`, 'utf8')).toBe('mine')
    rmSync(copy)
    expect(refusalOf(copy)).toBe(
      `is not there, but its snapshot '${copy}-checkpoint-1' is: restore the file, or move the snapshot away`,
    )
  })

  it('is reported with the name of the file when it cannot be written, and takes nothing that was written before', async () => {
    const { file, state } = await fileWithSnapshot()
    const failing = async function* (): AsyncGenerator<string> {
      yield await Promise.resolve('<0>')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    }
    await expect(state.replaceBeside(failing(), never)).rejects.toThrow(
      `${file}: its snapshot '${file}-checkpoint-3' cannot be written (ENOSPC: no space left on device, write): free some disk space`,
    )
    expect(snapshotsBeside(file)).toEqual([`${file}-checkpoint-1`])
    state.close()
    expect(readStateFile(file)?.batches).toEqual(['b'])
  })

  it("is no one else's to read", async () => {
    const { file, state } = await fileWithSnapshot()
    expect(statSync(`${file}-checkpoint-1`).mode & 0o777).toBe(0o600)
    state.close()
  })
})

describe('a full disk', () => {
  it('is reported with the name of the file, and takes nothing that was written before', () => {
    const file = freshPath()
    const script = `
      const { StateFile } = await import('./dist/store/state/state-file.js')
      const state = StateFile.create(process.argv[1], 'snapshot')
      let written = 0
      try { for (;;) { state.append('x'.repeat(5000)); written += 1 } }
      catch (error) { console.log(JSON.stringify({ written, name: error.name, message: error.message })) }
      process.kill(process.pid, 'SIGKILL')
    `
    const command = `ulimit -f 200; exec "$0" --input-type=module -e "$1" "$2"`
    const { stdout } = spawnSync('bash', ['-c', command, process.execPath, script, file], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const { written, name, message } = JSON.parse(stdout) as { written: number; name: string; message: string }
    expect({ name, message }).toEqual({ name: 'InputError', message: expect.stringContaining(`${file}: cannot be `) })
    expect(written).toBeGreaterThan(5)
    expect(readStateFile(file)?.batches.length).toBe(written)
  })
})

describe('a log whose end was acknowledged and is not there', () => {
  /** What a kill leaves behind, with what stands beside it. */
  function killedFile(): string {
    const file = freshPath()
    const state = StateFile.create(file, 'snapshot')
    for (let batch = 1; batch <= 20; batch += 1) state.append(`batch ${batch}`)
    const killed = freshPath()
    copyStateFile(file, killed)
    copyFileSync(`${file}-acknowledged`, `${killed}-acknowledged`)
    state.close()
    return killed
  }

  const BITS = 7
  it.each<[string, (log: string) => void]>([
    ['was cut', (log) => truncateSync(log, Math.floor(readFileSync(log).length / 2))],
    ['is gone', (log) => rmSync(log)],
    [
      'has another bit',
      (log) => {
        const bytes = readFileSync(log)
        const at = bytes.length >> 1
        bytes[at] = (bytes[at] ?? 0) ^ BITS
        writeFileSync(log, bytes)
      },
    ],
  ])('is refused by name when it %s, and left as it is', (_, damage) => {
    const file = killedFile()
    damage(`${file}-wal`)
    const before = bytesBeside(file)
    expect(() => readStateFile(file)).toThrow(
      /^.*-wal: is damaged or gone \(.* ends at write \d+, and write 20 was acknowledged\)/,
    )
    expect(bytesBeside(file)).toEqual(before)
    // Anyone who takes the loss says so.
    rmSync(`${file}-acknowledged`)
    expect(readStateFile(file)?.lastWrite).toBeLessThan(20)
  })

  it('is no matter when all of it is there', () => {
    const file = killedFile()
    expect(readStateFile(file)?.lastWrite).toBe(20)
  })

  it("is no one else's to read, and neither is the file, also one that was before", () => {
    const file = freshPath()
    let state = StateFile.create(file, 'snapshot')
    state.append('one')
    const modes = (): readonly number[] =>
      ['', '-wal', '-acknowledged'].map((part) => statSync(file + part).mode & 0o777)
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    state.close()
    chmodSync(file, 0o644)
    state = StateFile.reopen(file, 1)
    state.append('two')
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    state.close()
  })
})
