/** The report page of a run as text or as a picture, drawn by the Chromium of this machine. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { io } from '../cli-io.ts'
import type { Workspace } from './child-command.ts'
import { checkedTool, type Tool, type ToolAnswer } from './tool.ts'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']
const SIZE = '1280,3000'
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

export const reportTool = (workspace: Workspace): Tool =>
  checkedTool({
    name: 'read_report',
    scope: 'read',
    describe: 'Read the report page of a run, with its verdict and doubts, as text or as a picture. Needs Chromium.',
    isReadOnly: false,
    input: z.strictObject({
      run: z.string().describe('directory of a run, such as runs/grid-1'),
      as: z.enum(['text', 'picture']).default('text'),
    }),
    call: async ({ run, as }, signal) => {
      const { sandbox, commands } = workspace
      const page = sandbox.path('run', `${run}/report.html`)
      const made = await commands.answer(['report', sandbox.argument('run', run), '--json'], signal)
      return made.isError === true || commands.isDryRun ? made : await drawn(workspace, page, as, signal)
    },
  })

async function drawn(
  { commands }: Workspace,
  page: string,
  as: 'text' | 'picture',
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-page-'))
  const picture = join(folder, 'page.png')
  const args = [
    ...['--headless', '--disable-gpu', '--hide-scrollbars', `--window-size=${SIZE}`, `--user-data-dir=${folder}`],
    // Chromium refuses to run as root with its sandbox.
    ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
    ...[as === 'text' ? '--dump-dom' : `--screenshot=${picture}`, pathToFileURL(page).href],
  ]
  try {
    const end = await commands.program(browser(), args, signal)
    if (end.code !== 0 || (as === 'picture' && !existsSync(picture))) return commands.textOf(end, [])
    if (as === 'text') return { text: plainText(end.stdout) }
    return { text: `the page, ${SIZE.replace(',', ' by ')} pixels`, picture: readFileSync(picture) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Path of a browser. @throws {InputError} if there is none */
function browser(): string {
  const { CHROMIUM, PATH = '' } = io.env
  const paths = PATH.split(delimiter).flatMap((folder) => BROWSERS.map((name) => join(folder, name)))
  const found = CHROMIUM ?? paths.find((path) => existsSync(path))
  if (found !== undefined) return found
  const others = 'the figures of the run are in its run.json, and its orders in orders.csv'
  throw new InputError('read_report', `needs Chromium on the PATH, or its path in CHROMIUM; ${others}`)
}

/** Text of a page without its scripts, drawings and tags. */
const plainText = (html: string): string =>
  html
    .replaceAll(/<(script|style|svg|template|noscript)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/?(?:p|div|tr|li|h\d|section|table|dl|dt|br)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[\s]*/g, '\n')
    .trim()
