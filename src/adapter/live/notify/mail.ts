/**
 * E-mail by SMTP, with nodemailer: one plain text at a time.
 *
 * Invariant: no reason contains the password; nothing rejects.
 */
import type * as Nodemailer from 'nodemailer'
import { InputError } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import type { WebhookOutcome } from '../webhook.ts'

export interface MailOptions {
  /** Address of the SMTP server, with user and password. */
  readonly server: URL
  /** E-mail addresses. */
  readonly from: string
  readonly to: string
}

/** Limit of each step: lookup, connection, greeting, answer. */
const STEP_MS = 5_000
const MAX_SUBJECT = 100

/** @returns what sends a text, whose first line is its subject @throws {InputError} if nodemailer is not installed */
export async function openMail({ server, from, to }: MailOptions): Promise<(text: string) => Promise<WebhookOutcome>> {
  const { createTransport } = await loadNodemailer()
  const transport = createTransport({
    url: server.href,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  })
  const password = decodeURIComponent(server.password)
  return async (text) => {
    const [subject = ''] = text.split('\n')
    try {
      await transport.sendMail({ from, to, subject: subject.slice(0, MAX_SUBJECT), text })
      return { type: 'accepted' }
    } catch (error) {
      const said = escapedExcerpt(password === '' ? thrownText(error) : thrownText(error).replaceAll(password, '...'))
      const { responseCode = 400 } = error as { responseCode?: number }
      return { type: 'failed', reason: `${server.host}: ${said}`, isRetryable: responseCode < 500 }
    }
  }
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
