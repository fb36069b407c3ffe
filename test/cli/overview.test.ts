import { describe, expect, it } from 'vitest'
import type { CliCommand } from '../../src/cli/cli-command.ts'
import { COMMAND_MODULES, commandOf, commandWords } from '../../src/cli/commands.ts'
import { helpText, helpWidth, overview } from '../../src/cli/command-line.ts'
import { flagsOf } from '../../src/cli/usage-error.ts'

describe('papertape without a command', () => {
  it('names three things to try and every command once, each in a line of at most 80 columns', () => {
    const lines = overview().split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => line.startsWith('  papertape '))).toHaveLength(3)
    for (const each of COMMAND_MODULES) {
      const { name } = commandWords(each)
      expect(lines.filter((line) => line.startsWith(`  ${name} `))).toEqual([
        expect.stringContaining(String(each.describe)),
      ])
    }
  })

  it('speaks in verbs of lower case', () => {
    for (const { describe: words } of COMMAND_MODULES) expect(String(words)).toMatch(/^[a-z]+ .*[^.]$/)
  })
})

const nameOf = (module: CliCommand | undefined): string =>
  module === undefined ? '' : `${commandWords(module).name}(${commandWords(module).needed.join(' ')})`

describe('a command by its words', () => {
  it.each`
    words                           | path                   | name
    ${['diff', 'a']}                | ${'diff'}              | ${'diff(a b)'}
    ${['runs', '--db', 'x']}        | ${'runs'}              | ${'runs()'}
    ${['runs', 'show']}             | ${'runs show'}         | ${'show(id)'}
    ${['live', 'orders', 'adopt']}  | ${'live orders adopt'} | ${'adopt(intent order)'}
    ${['tapes', 'check', 'x.tape']} | ${'tapes check'}       | ${'check()'}
    ${['report', 'run']}            | ${'report'}            | ${'report(run)'}
    ${['nonsense']}                 | ${undefined}           | ${''}
  `('$words: $path', ({ words, path, name }) => {
    const found = commandOf(words as string[])
    expect([found?.path, nameOf(found?.module)]).toEqual([path, name])
  })

  it('has its flags where mistakes in them are reported', async () => {
    const without = ['completion']
    for (const module of COMMAND_MODULES) {
      const { name } = commandWords(module)
      expect(Object.keys(await flagsOf([name])).length > 0, name).toBe(!without.includes(name))
    }
  })

  it('prints its result as JSON, unless that is a script or for a shell alone', async () => {
    const names = COMMAND_MODULES.map((module) => commandWords(module).name)
    const flags = await Promise.all(names.map(async (name) => Object.keys(await flagsOf([name]))))
    expect(names.filter((_, index) => flags[index]?.includes('json') !== true)).toEqual(['completion'])
  })
})

describe('help', () => {
  it.each`
    columns      | width  | why
    ${undefined} | ${80}  | ${'no terminal'}
    ${0}         | ${80}  | ${'a terminal that does not know'}
    ${20}        | ${40}  | ${'narrower than any text'}
    ${90}        | ${90}  | ${'as wide as the terminal'}
    ${300}       | ${100} | ${'no wider than is read well'}
  `('is $width columns wide: $why', ({ columns, width }) => {
    expect(helpWidth(columns as number | undefined)).toBe(width)
  })

  it('leaves out the types of flags, and lines that have nothing else', () => {
    const text = [
      '  --out   file  [string]',
      '  --wide  text that fills its line',
      '                      [boolean]',
      '  run  directories  [array] [required] [default: []]',
      '',
      'Parameters of mine:',
      '  --param size=  how much [string] [required]',
    ]
    expect(helpText(text.join('\n')).split('\n')).toEqual([
      '  --out   file',
      '  --wide  text that fills its line',
      '  run  directories',
      '',
      'Parameters of mine:',
      '  --param size=  how much [string] [required]',
    ])
  })
})
