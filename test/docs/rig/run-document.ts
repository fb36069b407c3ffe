/**
 * Every command of a document is run, as it stands there. What cannot be run by a test has to be a script of the
 * project.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandsIn, fenced } from './document-commands.ts'
import type { DocumentPlace } from './document-place.ts'

/** What installs, tests and measures is not run by a test. */
const ONLY_THERE = /^npm (?:ci|test|run \S+)$/
const RUN = /^(?:npx papertape|node bin\/papertape\.js)(?= |$)|^node examples\/\S+\.mjs$|^npm start$/

const SERVE = /^npx papertape (serve|arena serve)(?= |$)(.*)$/
/** Run until Ctrl-C. */
const UNTIL = /^npx papertape (live|paper|record)(?= )(.*)$/
const SAYS = { live: 'started on', paper: 'started on', record: /BTC_USD [1-9]\d* trade/ }
/** Its port, and what stands behind the address. */
const REDIS = /^redis-server --port (\d+) --bind 127\.0\.0\.1(.*)$/
const WORKER = /^npx papertape worker(?= )(.*)$/
/** Programs that ask a server. */
const CLIENT = /^(curl|python3|bash)(?= )/

/** A machine without it leaves out what needs it, with a word. */
function isThere(program: string): boolean {
  const isFound = spawnSync(program, ['--version']).status === 0
  if (!isFound) console.warn(`no ${program} on this machine: what it asks is left out`)
  return isFound
}

/**
 * @param isClone  false for what is installed, which has no scripts
 * @param write    of a folder that goes away
 * @param leftOut  commands that are run elsewhere
 */
export function runDocument(
  document: string,
  text: string,
  open: () => DocumentPlace,
  isClone: boolean,
  write: (text: string, name: string) => string,
  leftOut: readonly string[] = [],
): void {
  describe(document, () => {
    // npm's commands are those of a clone.
    const commands = commandsIn(text).filter((command) => isClone || !command.startsWith('npm '))
    const run = commands.filter((command) => !leftOut.includes(command))
    let opened: DocumentPlace | undefined
    const placeHere = (): DocumentPlace => {
      if (opened === undefined) {
        opened = open()
        // The file that a document shows is there for its commands.
        const [config] = fenced(text, 'json')
        const name = text.includes('season.json') ? 'season.json' : 'emulator.json'
        if (config !== undefined) opened.move(name, write(config, name))
      }
      return opened
    }
    afterAll(async () => {
      await opened?.end()
    })

    it('has commands', () => {
      expect(commands.length).toBeGreaterThan(0)
    })

    // One after the other: a command may read what the one before has written.
    it.each(run)('%s', async (command) => {
      const place = placeHere()
      const [, program] = CLIENT.exec(command) ?? []
      const serve = SERVE.exec(command)
      const until = UNTIL.exec(command)
      const redis = REDIS.exec(command)
      const worker = WORKER.exec(command)
      if (serve !== null)
        expect(await place.serve(serve[2] ?? '', (serve[1] ?? '').split(' '))).toMatch(
          / (?:is running|hosts a season);/,
        )
      else if (until !== null) {
        const [, name = '', args = ''] = until
        const output = await place.until(name, args, SAYS[name as keyof typeof SAYS])
        expect(output).toContain(name === 'record' ? 'recorded' : 'digest sha256:')
      } else if (redis !== null) expect(await place.startRedis(redis[1] ?? '', redis[2] ?? '')).toContain('redis:')
      else if (worker !== null) expect(await place.work(worker[1] ?? '')).toContain('points from')
      else if (program !== undefined) {
        if (isThere(program)) expect(await place.ask(command)).not.toBe('')
      } else if (ONLY_THERE.test(command)) expect(isScript(place, command)).toBe(true)
      else {
        expect(command).toMatch(RUN)
        expect(await place.outputOf(command)).not.toBe('')
      }
    })
  })
}

function isScript(place: DocumentPlace, command: string): boolean {
  const name = command.split(' ').at(-1) ?? ''
  if (name === 'ci') return existsSync(join(place.root, 'package-lock.json'))
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(place.textOf('package.json'))
  return name in scripts
}
