/**
 * E-mail by SMTP, with nodemailer: one plain text at a time.
 *
 * Invariant: no reason contains the password; nothing rejects.
 */
import type * as Nodemailer from 'nodemailer'
import { InputError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import type { MachineClocks } from '../machine-clocks.ts'
import type { WebhookOutcome } from '../webhook.ts'

export interface MailOptions {
  /** Address of the SMTP server, with user and password. */
  readonly server: URL
  /** E-mail addresses. */
  readonly from: string
  readonly to: string
  readonly clocks: Pick<MachineClocks, 'setTimer'>
}

/** Limit of each step: lookup, connection, greeting, answer. */
const STEP_MS = 5_000
/** Limit of all steps. */
const TOTAL_MS = 30_000
const MAX_SUBJECT = 100

/** @returns what sends a text, whose first line is its subject @throws {InputError} if nodemailer is not installed */
export async function openMail({
  server,
  from,
  to,
  clocks,
}: MailOptions): Promise<(text: string) => Promise<WebhookOutcome>> {
  const { createTransport } = await loadNodemailer()
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(server.hostname)
  const transport = createTransport({
    url: server.href,
    // Otherwise the password is sent in clear when someone on the way hides that the server offers TLS.
    requireTLS: server.protocol === 'smtp:' && server.password !== '' && !isLocal,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  })
  const password = decodeURIComponent(server.password)
  return async (text) => {
    const [subject = ''] = text.split('\n')
    try {
      const sending = transport.sendMail({ from, to, subject: subject.slice(0, MAX_SUBJECT), text })
      await within(TOTAL_MS, sending, clocks)
      return { type: 'accepted' }
    } catch (error) {
      const said = escapedExcerpt(password === '' ? thrownText(error) : thrownText(error).replaceAll(password, '...'))
      const { responseCode = 400 } = error as { responseCode?: number }
      return { type: 'failed', reason: `${server.host}: ${said}`, isRetryable: responseCode < 500 }
    }
  }
}

/** @throws {Error} at the limit */
async function within(ms: number, work: Promise<unknown>, { setTimer }: MailOptions['clocks']): Promise<void> {
  let cancel = (): void => undefined
  const isOver = new Promise<never>((_, reject) => {
    cancel = setTimer(ms, () => reject(new Error(`not sent within ${ms / 1_000} s`)))
  })
  await Promise.race([work, isOver]).finally(cancel)
}

async function loadNodemailer(): Promise<typeof Nodemailer> {
  try {
    return await import('nodemailer')
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    throw new InputError('mailto', `needs the package nodemailer: run npm install nodemailer (${why})`, {
      cause: error,
    })
  }
}
