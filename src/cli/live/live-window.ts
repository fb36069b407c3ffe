/**
 * The window of `papertape live`: an operator's words go the way that those of the command line go.
 */
import { join } from 'node:path'
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import type { LiveOptions } from '../../run/live-options.ts'
import { tellAccount } from '../../run/operator.ts'
import { version } from '../../runtime/version.ts'
import { SessionWindow } from '../../server/window/session-window.ts'
import { accountName, userDataDirectory } from '../../store/state/data-directory.ts'

/** The process looks four times a second. */
const WAIT_MS = 15_000

type Account = Pick<LiveOptions, 'url' | 'apiKey' | 'state'>

/** @param port  undefined for none */
export function sessionWindow({ url, apiKey, state }: Account, port: number | undefined): SessionWindow | undefined {
  if (port === undefined) return undefined
  const data = userDataDirectory()
  const directory = state ?? join(data, 'live', accountName(url, apiKey))
  return new SessionWindow({
    ...{ port, kind: 'live', version: version() },
    tell: (command) => tellAccount({ directory, clocks: MACHINE_CLOCKS }, command, WAIT_MS),
  })
}
