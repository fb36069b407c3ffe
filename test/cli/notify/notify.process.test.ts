/** People who hear of a session by Telegram, Discord and e-mail, and command it by Telegram. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/emulator.ts'
import { livings, type Living } from '../rig/living.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { startSmtp } from './rig/fake-smtp.ts'
import { startTelegram, TOKEN, type FakeTelegram } from './rig/fake-telegram.ts'

const { write, folder, cli } = cliFolder()
const start = livings()

const BUYS = `
import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({
  name: 'buys',
  params: z.object({}),
  run: ({ buyMarket, trades }) => trades('BTC_USD').pipe(take(1), map(() => buyMarket('BTC_USD', '0.01'))),
})
`

let emulator: Emulator

beforeAll(async () => {
  emulator = await startEmulator()
  write(BUYS, 'buys.js')
})

afterAll(async () => {
  await emulator.close()
})

const WAIT = { timeout: 60_000, interval: 50 }
const until = (look: () => boolean): Promise<unknown> => vi.waitUntil(look, WAIT)

async function telegram(port?: number): Promise<FakeTelegram> {
  const fake = await startTelegram(port)
  onTestFinished(() => fake.close().catch(() => undefined))
  return fake
}

let sessions = 0
const paper = (flags: readonly string[], env: Readonly<Record<string, string>>): Living => {
  const out = `out-${(sessions += 1)}`
  return start(['buys.js', '--url', emulator.baseUrl, '--out', out, ...flags], { cwd: folder, env }, 'paper')
}

const byTelegram = (fake: FakeTelegram, flags: readonly string[] = [], token = TOKEN): Living =>
  paper(['--notify', 'telegram:77', ...flags], {
    PAPERTAPE_TELEGRAM_TOKEN: token,
    PAPERTAPE_TELEGRAM_API: `${fake.address}/`,
  })

/** The answer to a message. */
async function ask(fake: FakeTelegram, message: string, chat = 77): Promise<string> {
  const before = fake.sent.length
  const answers = (): string[] => fake.sent.slice(before).map((each) => each.text).filter((each) => !isReport(each)) // prettier-ignore
  fake.say(chat, message)
  await until(() => answers().length > 0)
  return (answers()[0] ?? '').split('\n').slice(1).join('\n')
}

/** True once messages are read. */
const isReading = ({ asked }: FakeTelegram): boolean => asked.includes('getUpdates')

/** True for a text of events, whose lines begin with a time of day. */
const isReport = (sent: string): boolean => /\n\d\d:\d\d:\d\d {2}(?!buys {2}(ACTIVE|HALTED|REDUCING), )/.test(sent)

describe('--notify telegram', () => {
  it('reports start, halt and end with the result, and executes the commands of its chat alone', async () => {
    const fake = await telegram()
    fake.say(77, '/flatten', 5)
    fake.say(77, '/status', 5)
    fake.answer('getUpdates', { status: 502, description: 'Bad Gateway' })
    const session = byTelegram(fake, ['--notify-fills', '--state', 'commands'])
    await until(() => fake.sent.some(({ text: sent }) => /BUY [\d.]+ BTC_USD at /.test(sent)))
    for (const command of ['/flatten', '/status'])
      await until(() => fake.sent.some(({ text: sent }) => sent.includes(`${command} was sent before this session`)))
    expect(fake.sent.find(({ text: sent }) => sent.includes('started on'))?.text).toMatch(/^papertape paper http/)

    // A status is at most a second old.
    await vi.waitUntil(async () => (await ask(fake, '/status')).includes(' BTC, '), WAIT)
    expect(await ask(fake, '/status')).toMatch(/buys {2}ACTIVE, equity \S+ USD, .* [\d.]+ BTC, 0 open orders$/)
    fake.say(88, '/halt')
    await session.says('ignored a message of chat 88, which --telegram-allow does not name')
    fake.say(77, '/halt@another_bot')
    expect(await ask(fake, '/reduce@trend_BOT')).toBe('all sessions are REDUCING')
    expect(await ask(fake, '/halt')).toBe('all sessions are HALTED')
    expect(await ask(fake, '/buy')).toMatch(/^unknown command \/buy\n\/status: /)
    fake.say(77, '/halt', 600)
    await until(() => fake.sent.some(({ text: sent }) => sent.includes('not executed: /halt was sent 10 min')))

    const plan = await ask(fake, '/flatten')
    expect(plan).toMatch(/sell [\d.]+ BTC/)
    expect(await ask(fake, '/flatten yes')).toMatch(/^nothing was changed: the code is wrong/)
    const [code = ''] = /\/flatten \d{4}$/.exec(await ask(fake, '/flatten')) ?? []
    expect(await ask(fake, code)).toBe('flattening...')
    await until(() => fake.sent.some(({ text: sent }) => /sold [\d.]+ BTC|nothing is left/i.test(sent)))
    expect(await ask(fake, code)).toMatch(/^nothing was changed/)

    expect(await session.stop()).toBe(0)
    expect(fake.sent.at(-1)?.text).toMatch(/ended with exit code 0: .*\n\S+ {2}buys, equity/)
    expect(fake.sent.every(({ chat }) => chat === '77')).toBe(true)
    expect(`${session.stdout}${session.stderr}${JSON.stringify(fake.sent)}`).not.toContain(TOKEN)
  })

  it('answers /flatten with the orders that it cancelled, also if nothing was to be sold', async () => {
    const fake = await telegram()
    const rests = BUYS.replace(
      "map(() => buyMarket('BTC_USD', '0.01'))",
      "mergeMap(() => ['1.00', '2.00'].map((price) => buyLimit('BTC_USD', price, '0.01')))",
    )
    write(rests.replaceAll('map, take', 'mergeMap, take').replaceAll('buyMarket', 'buyLimit'), 'rests.js')
    const env = { PAPERTAPE_TELEGRAM_TOKEN: TOKEN, PAPERTAPE_TELEGRAM_API: fake.address }
    const args = ['rests.js', '--url', emulator.baseUrl, '--state', 'rests', '--notify', 'telegram:77']
    const session = start(args, { cwd: folder, env }, 'paper')
    await until(() => isReading(fake))
    await vi.waitUntil(async () => (await ask(fake, '/status')).includes('2 open orders'), WAIT)
    const [code = ''] = /\/flatten \d{4}$/.exec(await ask(fake, '/flatten')) ?? []
    expect(await ask(fake, code)).toBe('flattening...')
    await until(() => fake.sent.some(({ text: sent }) => sent.endsWith('\nnothing to sell')))
    expect(fake.sent.at(-1)?.text).toMatch(/\ncancelled 2 orders: [^\s,]+, [^\s,]+\nnothing to sell$/)
    expect(await session.stop()).toBe(0)
  })

  it('sends a status and an end that are too long for a message as several, in order', async () => {
    const fake = await telegram()
    const names = Array.from({ length: 40 }, (_, index) => `s${String(index).padStart(2, '0')}-${'x'.repeat(90)}`)
    for (const name of names) write(BUYS.replace("name: 'buys'", `name: '${name}'`), `${name}.js`)
    const env = { PAPERTAPE_TELEGRAM_TOKEN: TOKEN, PAPERTAPE_TELEGRAM_API: fake.address }
    const files = names.map((name) => `${name}.js`)
    const args = [...files, '--url', emulator.baseUrl, '--state', 'many', '--notify', 'telegram:77']
    const session = start(args, { cwd: folder, env }, 'paper')
    const named = (): readonly string[] =>
      fake.sent.flatMap(({ text: sent }) => [...sent.matchAll(/^\S+ {2}(s\d\d-x+).* open orders$/gm)].map(([, name = '']) => name)) // prettier-ignore
    await until(() => isReading(fake))
    await session.says('started')
    await vi.waitUntil(
      () => {
        if (fake.isRead) fake.say(77, '/status')
        return named().length > 0
      },
      { ...WAIT, interval: 2_000 },
    )
    await until(() => fake.isRead && named().length % 40 === 0)
    fake.sent.splice(0)
    fake.say(77, '/status')
    await until(() => named().length === 40)
    expect(named()).toEqual(names)
    fake.sent.splice(0)
    expect(await session.stop()).toBe(0)
    expect(named()).toEqual(names)
    expect(fake.sent.every(({ text: sent }) => sent.length <= 4_096)).toBe(true)
  })

  it('executes a message once, also if the session is killed and starts again', async () => {
    const fake = await telegram()
    const first = byTelegram(fake, ['--state', 'again'])
    await until(() => isReading(fake))
    expect(await ask(fake, '/halt')).toBe('all sessions are HALTED')
    await first.stop('SIGKILL')
    expect((await cli('paper', 'resume', '--state', 'again')).code).toBe(0)
    fake.say(77, '/flatten', 2)
    fake.say(77, '/halt', 2)
    const second = byTelegram(fake, ['--state', 'again'])
    await second.says('started')
    await until(() => fake.sent.some(({ text: sent }) => sent.includes('/halt was sent before')))
    expect(await ask(fake, '/status')).toContain('buys  ACTIVE')
    expect(await second.stop()).toBe(0)
  })

  it('warns once if another program reads the messages of the bot, and takes commands after it', async () => {
    const fake = await telegram()
    const conflict = { status: 409, description: 'Conflict: terminated by other getUpdates request' }
    fake.answer('getUpdates', conflict, conflict)
    const session = byTelegram(fake, ['--state', 'conflict'])
    await session.says(/another program or a webhook reads the messages of the same bot.*answered 409 Conflict/)
    expect(await ask(fake, '/halt')).toBe('all sessions are HALTED')
    expect(session.stdout.match(/another program/g)).toHaveLength(1)
    expect(await session.stop()).toBe(0)
    expect(fake.sent.at(-1)?.text).toContain('ended with exit code 0')
  })

  it('says that the token is wrong, and the session goes on', async () => {
    const fake = await telegram()
    const session = byTelegram(fake, ['--state', 'token'], '1:wrong-token')
    await session.says('Telegram does not know the bot of PAPERTAPE_TELEGRAM_TOKEN (answered 401 Unauthorized)')
    await session.says('messages to Telegram failed: answered 401 Unauthorized')
    expect(await session.stop()).toBe(0)
    expect(`${session.stdout}${session.stderr}`).not.toContain('wrong-token')
  })

  it('waits as long as Telegram asks for, and loses nothing', async () => {
    const fake = await telegram()
    fake.answer('sendMessage', { status: 429, description: 'Too Many Requests', retryAfter: 3 })
    const session = byTelegram(fake)
    await until(() => fake.sent.some(({ text: sent }) => sent.includes('started on')))
    expect(fake.asked.filter((method) => method === 'sendMessage')).toHaveLength(2)
    expect(await ask(fake, '/halt')).toContain('not done: this session takes no commands')
    expect(await session.stop()).toBe(0)
    expect(session.stdout).not.toContain('failed')
  })

  it('ends in time, with one warning, if no one answers', async () => {
    const fake = await telegram()
    fake.answer('getMe', 'never')
    fake.answer('sendMessage', ...Array.from({ length: 20 }, () => 'never' as const))
    const session = byTelegram(fake)
    await session.says('messages to Telegram failed: no answer in time')
    expect(await session.stop()).toBe(0)
    expect(session.stdout.match(/messages to Telegram failed/g)).toHaveLength(1)
  })

  it('goes on if the server is gone, and takes commands when it is back', async () => {
    const fake = await startTelegram()
    const port = Number(new URL(fake.address).port)
    const session = byTelegram(fake, ['--state', 'gone'])
    await until(() => fake.sent.some(({ text: sent }) => sent.includes('started on')))
    await fake.close()
    await session.says(/commands by Telegram: no usable answer \(ECONN/)
    const again = await telegram(port)
    expect(await ask(again, '/halt')).toBe('all sessions are HALTED')
    expect(await session.stop()).toBe(0)
    expect(again.sent.at(-1)?.text).toContain('ended with exit code 0')
  })
})

it('reports a session that does not start', async () => {
  const fake = await telegram()
  write("throw new Error('no parameters today')", 'broken.js')
  const args = ['broken.js', '--url', emulator.baseUrl, '--notify', 'telegram:77']
  const env = { PAPERTAPE_TELEGRAM_TOKEN: TOKEN, PAPERTAPE_TELEGRAM_API: fake.address }
  const session = start(args, { cwd: folder, env }, 'paper')
  expect(await session.ended()).not.toBe(0)
  expect(fake.sent.map(({ text: sent }) => sent).join('\n')).toMatch(/fault: .*no parameters today/)
})

it('reports to Discord, whose address is shown nowhere, and to an e-mail address', async () => {
  const posted: string[] = []
  const discord = createServer((request, response) => {
    void text(request).then((body) => {
      posted.push(body)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(discord, 'listening')
  const smtp = await startSmtp()
  onTestFinished(async () => {
    discord.close()
    await smtp.close()
  })
  write('', '.env')
  const env = {
    PAPERTAPE_DISCORD_WEBHOOK: `http://127.0.0.1:${(discord.address() as AddressInfo).port}/api/webhooks/1/discord-secret`,
    PAPERTAPE_SMTP_URL: `smtp://bot%40example.org:mail-secret@127.0.0.1:${smtp.port}`,
  }
  const session = paper(['--notify', 'discord', '--notify', 'mailto:ann@example.org', '--for', '4s'], env)
  expect(await session.ended()).toBe(0)
  const contents = posted.map((body) => JSON.parse(body) as { content: string })
  expect(contents[0]).toMatchObject({ allowed_mentions: { parse: [] } })
  expect(contents.map(({ content }) => content).join('\n')).toMatch(/started on [^]*ended with exit code 0/)
  expect(smtp.mails.every(({ from, to }) => from === 'bot@example.org' && to === 'ann@example.org')).toBe(true)
  const mails = smtp.mails.map(({ text: mail }) => mail).join('\n')
  expect(mails).toMatch(/Subject: papertape paper http/)
  expect(mails).toMatch(/started on [^]*ended with exit code 0/)
  expect(`${session.stdout}${session.stderr}`).not.toMatch(/-secret|failed/)
})

it.each`
  mode         | host           | warning
  ${'refuses'} | ${'127.0.0.1'} | ${/e-mail failed: 127\.0\.0\.1:\d+: Invalid login: 535 wrong password \.\.\./}
  ${'hangs'}   | ${'127.0.0.1'} | ${/e-mail failed: 127\.0\.0\.1:\d+: Greeting never received/}
  ${'works'}   | ${'0.0.0.0'}   | ${/e-mail failed: 0\.0\.0\.0:\d+: /}
`('goes on if a mail server $mode at $host, and shows no password', async ({ mode, host, warning }) => {
  const smtp = await startSmtp(mode)
  onTestFinished(() => smtp.close())
  const env = { PAPERTAPE_SMTP_URL: `smtp://bot:mail-secret@${host}:${smtp.port}` }
  const session = paper(['--notify', 'mailto:ann@example.org'], env)
  await session.says(warning)
  expect(await session.stop()).toBe(0)
  expect(smtp.mails).toEqual([])
  expect(`${session.stdout}${session.stderr}`).not.toContain('mail-secret')
})

it.each`
  why                      | flags                                     | line
  ${'no token'}            | ${['--notify', 'telegram:77']}            | ${'PAPERTAPE_TELEGRAM_TOKEN: missing for --notify telegram: set it in the environment or in .env'}
  ${'no chat'}             | ${['--notify', 'telegram:']}              | ${'--notify: expected telegram: and the number of a chat, such as telegram:123456789'}
  ${'no server'}           | ${['--notify', 'mailto:ann@example.org']} | ${'PAPERTAPE_SMTP_URL: missing for --notify mailto: set it in the environment or in .env'}
  ${'two addresses'}       | ${['--notify', 'mailto:a@b.c,d@e.f']}     | ${'--notify: expected one address after mailto:, such as mailto:ann@example.org'}
  ${'no Telegram at all'}  | ${['--telegram-allow', '5']}              | ${'--telegram-allow: needs a chat: pass --notify telegram:CHAT_ID too'}
  ${'a secret that is no'} | ${['--notify', 'discord:ftp://x/secret']} | ${'--notify: expected an address such as https://example.org/hook'}
`('refuses $why', async ({ flags, line }) => {
  const result = await cli('paper', 'buys.js', '--url', emulator.baseUrl, ...flags)
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: `papertape: ${line}\n` })
})

it('reads receivers from the config file, but no address that can be secret', async () => {
  const config = (notify: unknown): string => write(JSON.stringify({ paper: { notify } }), 'notify.json')
  config(['telegram:77', 'mailto:ann@example.org'])
  const given = ['paper', 'buys.js', '--url', emulator.baseUrl, '--config', 'notify.json']
  expect((await cli(...given)).stderr).toMatch(/^papertape: PAPERTAPE_(TELEGRAM_TOKEN|SMTP_URL): missing/)
  config('https://example.org/secret')
  const { code, stderr } = await cli(...given)
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^papertape: notify\.json:1 paper notify: Invalid input: expected 'telegram:CHAT_ID'.* as a flag/,
  )
  expect(stderr).not.toContain('/secret')
})
