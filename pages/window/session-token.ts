/**
 * The token of a session's window: it comes after `#` in the address, which no browser sends, and stays in this tab
 * only.
 */

const NAME = 'papertape session token'

const [, given] = /^#token=([\w-]+)$/.exec(location.hash) ?? []
if (given !== undefined) {
  sessionStorage.setItem(NAME, given)
  history.replaceState(null, '', location.pathname)
}

export const sessionToken = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined

export function setSessionToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(NAME)
  else sessionStorage.setItem(NAME, token)
}
