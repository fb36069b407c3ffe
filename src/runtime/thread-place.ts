/**
 * Finds the place in user code at which another thread of this process is, even in an endless loop: the inspector
 * pauses it briefly.
 */
import { Session } from 'node:inspector'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A thread that does not pause within this time is not in JavaScript. */
const WAIT_MS = 10_000

interface CallFrame {
  readonly location: { readonly scriptId: string; readonly lineNumber: number }
}

/** The messages of the inspector's protocol that are used here. */
type ThreadNews =
  | { readonly method: 'Debugger.scriptParsed'; readonly params: { readonly scriptId: string; readonly url: string } }
  | { readonly method: 'Debugger.paused'; readonly params: { readonly callFrames: readonly CallFrame[] } }
  | { readonly method: 'Debugger.resumed' }

/** Code that is not the user's: Node, installed packages, and this package itself, built or from source. */
const OURS = [/^node:/, /[\\/]node_modules[\\/]/, new RegExp(`^${new URL('../', import.meta.url).href}`)]

/**
 * `file:line` of the innermost call from a user's file in another thread; undefined if there is none, or if it does not
 * answer.
 * @param which  the number of the thread, or the end of the path of its first file, without the extension
 */
export async function threadPlace(which: number | string): Promise<string | undefined> {
  const session = new Session()
  session.connect()
  try {
    return await new Promise((resolve) => {
      // eslint-disable-next-line papertape/no-clock -- waits for a thread; no result rests on it
      const timer = setTimeout(resolve, WAIT_MS, undefined)
      session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
        const isAsked =
          typeof which === 'number'
            ? workerInfo.title.startsWith(`[worker ${which}]`)
            : workerInfo.url.replace(/\.[jt]s$/, '').endsWith(which)
        if (!isAsked) return
        holdThread(session, sessionId, (place) => {
          clearTimeout(timer)
          resolve(place)
        })
      })
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    })
  } finally {
    session.disconnect()
  }
}

function holdThread(session: Session, sessionId: string, onPlace: (place: string | undefined) => void): void {
  const urls = new Map<string, string>()
  let place: string | undefined
  let id = 0
  const ask = (method: string): void => {
    id += 1
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) })
  }
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    if (params.sessionId !== sessionId) return
    const news = JSON.parse(params.message) as ThreadNews
    if (news.method === 'Debugger.scriptParsed') urls.set(news.params.scriptId, news.params.url)
    if (news.method === 'Debugger.paused') {
      place = placeIn(news.params.callFrames, urls)
      ask('Debugger.resume')
    }
    // Detached only now: a paused thread cannot be terminated.
    if (news.method !== 'Debugger.resumed') return
    session.post('NodeWorker.detach', { sessionId })
    onPlace(place)
  })
  ask('Debugger.enable')
  ask('Debugger.pause')
}

function placeIn(frames: readonly CallFrame[], urls: ReadonlyMap<string, string>): string | undefined {
  for (const { location } of frames) {
    const url = urls.get(location.scriptId) ?? ''
    if (url === '' || OURS.some((ours) => ours.test(url) || ours.test(`file://${url}`))) continue
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    return `${basename(path)}:${location.lineNumber + 1}`
  }
  return undefined
}
