/**
 * One run, one directory: what stands in its place before, while and after it is written, and after a kill anywhere in
 * between.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { ownMark } from '../../../src/store/locks/process-mark.ts'
import { LiveRunDirectory } from '../../../src/store/runs/live-run-directory.ts'
import { discardPendingRuns } from '../../../src/store/runs/pending-runs.ts'
import { RunDirectory, settleRunDirectory } from '../../../src/store/runs/run-directory.ts'
import { sealFaults } from '../../../src/store/runs/run-seal.ts'

let folder = ''
let out = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-run-'))
  out = join(folder, 'run')
})
afterEach(() => {
  discardPendingRuns()
  rmSync(folder, { recursive: true })
})

const STAGE = '.run.papertape'
const TEXTS = ['journal.jsonl', 'orders.csv', 'fills.csv', 'equity.csv'] as const
const FILES = [...TEXTS, 'run.json'].sort()

function begun(name: string, path = out): RunDirectory {
  const run = new RunDirectory('out', path, true)
  for (const file of TEXTS) run.append(file, `${name}\n`)
  return run
}

function written(name: string, path = out): void {
  begun(name, path).commit({ digest: name })
}

const textIn = (file: string): string => readFileSync(join(out, file), 'utf8')
const namesIn = (path = folder): string[] => readdirSync(path).sort()

/** The directory holds a whole run of that name, and nothing is beside it. */
function expectRun(name: string): void {
  expect(namesIn()).toEqual(['run'])
  expect(namesIn(out)).toEqual(FILES)
  expect(TEXTS.map(textIn)).toEqual(TEXTS.map(() => `${name}\n`))
  expect(JSON.parse(textIn('run.json'))).toMatchObject({ digest: name })
  expect(sealFaults(out)).toEqual([])
}

/** Files of a run, as they stand at some place. */
function runAt(place: string, name: string): void {
  const elsewhere = join(folder, 'elsewhere')
  written(name, elsewhere)
  mkdirSync(join(place, '..'), { recursive: true })
  renameSync(elsewhere, place)
}

const faultOf = (action: () => unknown): string => {
  try {
    action()
    return 'none'
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.message.replaceAll(folder, '')
  }
}

describe('a run', () => {
  it('takes its place at once, and replaces an earlier one whole', () => {
    const run = begun('first')
    expect(namesIn()).toEqual([STAGE])
    run.commit({ digest: 'first' })
    expectRun('first')
    const next = begun('second')
    expect(textIn('journal.jsonl')).toBe('first\n')
    next.commit({ digest: 'second' })
    expectRun('second')
  })

  it('takes the place of an empty directory', () => {
    mkdirSync(out)
    written('first')
    expectRun('first')
  })

  it('that is discarded leaves the earlier one, and directories that were made go with it', () => {
    written('first')
    begun('second').discard()
    expectRun('first')
    begun('deep', join(folder, 'a', 'b')).discard()
    expectRun('first')
  })

  it('is taken away at the end of the process, and listens to it no longer than it has to', () => {
    const before = process.listenerCount('exit')
    const run = begun('first')
    const other = begun('other', join(folder, 'other'))
    expect(process.listenerCount('exit')).toBe(before + 1)
    discardPendingRuns()
    expect(namesIn()).toEqual([])
    expect(process.listenerCount('exit')).toBe(before)
    run.discard()
    other.discard()
  })

  it('beside another one into the same directory is refused, however the directory is named', () => {
    const run = begun('first')
    const refused = /^out: another run is writing to '.*' \(process \d+\), and gathers it in '\/\.run\.papertape'$/
    for (const path of [out, `${out}/`, join(folder, '.', 'x', '..', 'run')]) {
      expect(faultOf(() => new RunDirectory('out', path, true))).toMatch(refused)
    }
    run.commit({ digest: 'first' })
    expectRun('first')
    written('second')
    expectRun('second')
  })
})

describe('a place that is refused, and stays as it is', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'a file',
      () => {
        writeFileSync(out, 'mine')
      },
      "out: '/run' is not a directory",
    ],
    [
      'a link to a directory',
      () => {
        mkdirSync(join(folder, 'real'))
        symlinkSync(join(folder, 'real'), out)
      },
      "out: '/run' is a link: give the directory itself",
    ],
    [
      'a link that leads nowhere',
      () => {
        symlinkSync(join(folder, 'none'), out)
      },
      "out: '/run' is a link: give the directory itself",
    ],
    [
      'files of the user',
      () => {
        mkdirSync(out)
        writeFileSync(join(out, 'notes.txt'), 'mine')
      },
      "out: '/run' has 'notes.txt', which is not a file of a run: use another directory",
    ],
    [
      'a run and a file of the user',
      () => {
        written('first')
        writeFileSync(join(out, 'notes.txt'), 'mine')
      },
      "out: '/run' has 'notes.txt', which is not a file of a run: use another directory",
    ],
    [
      "a file of the user's own that is called as one of a run",
      () => {
        mkdirSync(out)
        writeFileSync(join(out, 'orders.csv'), 'mine')
      },
      "out: '/run' has 'orders.csv' but no 'run.json', as if a session were running or was killed: use another directory",
    ],
    [
      'a run of which a file is a link',
      () => {
        written('first')
        rmSync(join(out, 'orders.csv'))
        symlinkSync(join(folder, 'mine'), join(out, 'orders.csv'))
      },
      "out: '/run' has 'orders.csv', which is not a file of a run: use another directory",
    ],
    [
      'a run.json of something else',
      () => {
        mkdirSync(out)
        writeFileSync(join(out, 'run.json'), '{"scripts":{}}')
      },
      "out: '/run' has a 'run.json' of something else: use another directory",
    ],
    [
      'a run.json that is not JSON',
      () => {
        mkdirSync(out)
        writeFileSync(join(out, 'run.json'), 'run')
      },
      "out: '/run' has a 'run.json' that is not JSON: use another directory",
    ],
    [
      'a session',
      () => {
        begun('live').commit({ digest: 'live', live: {} })
      },
      "out: '/run' has a session, which cannot be run again: use another directory",
    ],
    [
      'a private folder that is a link',
      () => {
        mkdirSync(join(folder, 'real'))
        symlinkSync(join(folder, 'real'), join(folder, STAGE))
      },
      "out: '/.run.papertape' is in the way: runs in progress are written there",
    ],
    [
      'below a file',
      () => {
        writeFileSync(join(folder, 'file'), 'mine')
        out = join(folder, 'file', 'run')
      },
      "out: cannot write to '/file/run' (ENOTDIR: not a directory, lstat '/file/run'): a part of the path is a file; choose another path",
    ],
  ])('%s', (_, make, fault) => {
    make()
    const before = listing(folder)
    expect(faultOf(() => new RunDirectory('out', out, true))).toBe(fault)
    expect(listing(folder)).toEqual(before)
  })

  it('the working directory, and one above it', () => {
    mkdirSync(join(out, 'inner'), { recursive: true })
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(join(out, 'inner'))
    try {
      for (const path of [out, join(out, 'inner'), '/']) {
        expect(faultOf(() => new RunDirectory('out', path, true))).toMatch(
          /contains the working directory|a file system of its own/,
        )
      }
    } finally {
      cwd.mockRestore()
    }
  })

  it.skipIf(!existsSync('/proc/self'))('the root of a file system', () => {
    expect(faultOf(() => new RunDirectory('out', '/proc', true))).toMatch(
      /is a mount point, which a run cannot replace/,
    )
  })

  it('for what somebody put there while the run went on: nothing of it is lost', () => {
    written('first')
    const run = begun('second')
    writeFileSync(join(out, 'notes.txt'), 'mine')
    expect(
      faultOf(() => {
        run.commit({ digest: 'second' })
      }),
    ).toMatch(/has 'notes\.txt'/)
    run.discard()
    expect(namesIn()).toEqual(['run'])
    expect([textIn('notes.txt'), textIn('journal.jsonl')]).toEqual(['mine', 'first\n'])
  })
})

describe('after a kill', () => {
  const stage = (): string => join(folder, STAGE)

  it.each<readonly [string, () => void, string | undefined]>([
    [
      'while the first run was written',
      () => {
        runAt(join(stage(), 'run'), 'half')
      },
      undefined,
    ],
    [
      'while another was written',
      () => {
        written('old')
        runAt(join(stage(), 'run'), 'half')
      },
      'old',
    ],
    [
      'before the old run went aside',
      () => {
        written('old')
        runAt(join(stage(), 'whole'), 'new')
      },
      'old',
    ],
    [
      'between the renames',
      () => {
        runAt(join(stage(), 'whole'), 'new')
        runAt(join(stage(), 'before'), 'old')
      },
      'new',
    ],
    [
      'before the old run was taken away',
      () => {
        written('new')
        runAt(join(stage(), 'before'), 'old')
      },
      'new',
    ],
    [
      'in the middle of taking it away',
      () => {
        written('new')
        runAt(join(stage(), 'before'), 'old')
        rmSync(join(stage(), 'before', 'journal.jsonl'))
      },
      'new',
    ],
    [
      'before the lock was taken away',
      () => {
        written('new')
        mkdirSync(join(stage(), 'lock'), { recursive: true })
        writeFileSync(join(stage(), 'lock', 'holder'), `a\n${JSON.stringify({ ...ownMark(), start: 'before' })}\n`)
      },
      'new',
    ],
  ])('%s a look at it finds one whole run, and the next run follows', (_, make, left) => {
    make()
    settleRunDirectory(out)
    if (left === undefined) expect(namesIn()).toEqual([])
    else expectRun(left)
    rmSync(out, { recursive: true, force: true })
    make()
    written('next')
    expectRun('next')
  })

  it('what the user had put beside the old run comes back', () => {
    written('new')
    runAt(join(stage(), 'before'), 'old')
    writeFileSync(join(stage(), 'before', 'notes.txt'), 'mine')
    settleRunDirectory(out)
    expect(namesIn(out)).toEqual([...FILES, 'notes.txt'].sort())
    expect([textIn('notes.txt'), textIn('journal.jsonl')]).toEqual(['mine', 'new\n'])
  })

  it('two runs that are left where a third stands now are not touched', () => {
    written('third')
    runAt(join(stage(), 'whole'), 'new')
    runAt(join(stage(), 'before'), 'old')
    expect(faultOf(() => new RunDirectory('out', out, true))).toMatch(
      /^out: '\/\.run\.papertape' is in the way: .* keep what you need/,
    )
    expect(namesIn(stage())).toEqual(['before', 'whole'])
  })

  it('a look at a run that is being written touches nothing', () => {
    const run = begun('first')
    settleRunDirectory(out)
    run.commit({ digest: 'first' })
    expectRun('first')
  })
})

describe('a session in real time', () => {
  it('is in its files at once, and sealed at its end', () => {
    const run = new LiveRunDirectory('out', out)
    expect(namesIn(out)).toEqual([])
    run.append('journal.jsonl', 'one\n')
    expect(textIn('journal.jsonl')).toBe('one\n')
    for (const file of TEXTS.slice(1)) run.append(file, 'header\n')
    run.finish({ digest: 'live' })
    expect(namesIn(out)).toEqual(FILES)
    expect(sealFaults(out)).toEqual([])
  })

  it.each(['journal.jsonl', 'orders.csv', 'run.json'])(
    'does not go where there is a %s, or a link of that name',
    (name) => {
      mkdirSync(out)
      symlinkSync(join(folder, 'none'), join(out, name))
      expect(faultOf(() => new LiveRunDirectory('out', out))).toBe(
        `out: '/run' holds ${name === 'journal.jsonl' ? 'a run' : `'${name}'`} already: use another directory`,
      )
    },
  )

  it('follows no link of its directory, nor one that comes later', () => {
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), out)
    expect(faultOf(() => new LiveRunDirectory('out', out))).toBe("out: '/run' is a link: give the directory itself")
    rmSync(out)
    const run = new LiveRunDirectory('out', out)
    run.append('journal.jsonl', 'one\n')
    writeFileSync(join(folder, 'mine'), 'mine')
    for (const name of ['orders.csv', '.run.json.partial']) symlinkSync(join(folder, 'mine'), join(out, name))
    expect(
      faultOf(() => {
        run.append('orders.csv', 'id\n')
      }),
    ).toMatch(/^\/run\/orders\.csv: cannot be written \(EEXIST/)
    run.finish({ digest: 'live' })
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine')
  })

  it('beside another one into the same directory fails with its first line', () => {
    const [first, second] = [new LiveRunDirectory('out', out), new LiveRunDirectory('out', out)]
    first.append('journal.jsonl', 'one\n')
    expect(
      faultOf(() => {
        second.append('journal.jsonl', 'two\n')
      }),
    ).toMatch(/^\/run\/journal\.jsonl: cannot be written \(EEXIST/)
    expect(textIn('journal.jsonl')).toBe('one\n')
  })
})

/** Names below a folder; the lock's folder, which comes and goes, is looked at too. */
const listing = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => join(basename(entry.parentPath), entry.name))
    .sort()
