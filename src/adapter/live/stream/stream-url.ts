/** The address of a service's stream, derived from that of its REST interface (decision 24). */

/** `http(s)://host/v1` gives `ws(s)://host/v1/ws`. @param baseUrl  of the REST interface, a valid http or https URL */
export function streamUrlOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ws`
  url.search = ''
  url.hash = ''
  return url.href
}
