/** An SMTP server on this machine that keeps the e-mails. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface FakeSmtp {
  readonly port: number
  /** Envelopes and texts, headers included. */
  readonly mails: readonly { readonly from: string; readonly to: string; readonly text: string }[]
  close(): Promise<void>
}

/** @param mode  `refuses` refuses the password and repeats it, `hangs` never greets */
export async function startSmtp(mode: 'works' | 'refuses' | 'hangs' = 'works'): Promise<FakeSmtp> {
  const mails: { from: string; to: string; text: string }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    if (mode === 'hangs') return
    let [waiting, from, to, isText] = ['', '', '', false]
    const answer = (line: string): void => void socket.write(`${line}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      waiting += data.toString()
      for (;;) {
        const end = waiting.indexOf(isText ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = waiting.slice(0, end)
        waiting = waiting.slice(end + (isText ? 5 : 2))
        if (isText) {
          mails.push({ from, to, text: line })
          isText = false
          answer('250 stored')
        } else if (/^EHLO/i.test(line)) {
          answer('250-here\r\n250 AUTH PLAIN')
        } else if (/^STARTTLS/i.test(line)) {
          answer('502 no TLS here')
        } else if (/^AUTH PLAIN /i.test(line)) {
          const [, , password = ''] = Buffer.from(line.slice(11), 'base64').toString().split('\0')
          answer(mode === 'refuses' ? `535 wrong password ${password}` : '235 welcome')
        } else if (/^DATA/i.test(line)) {
          isText = true
          answer('354 go on')
        } else {
          from = /^MAIL FROM:<(.*?)>/i.exec(line)?.[1] ?? from
          to = /^RCPT TO:<(.*?)>/i.exec(line)?.[1] ?? to
          answer(/^QUIT/i.test(line) ? '221 bye' : '250 fine')
        }
      }
    })
    answer('220 here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
