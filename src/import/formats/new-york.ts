/** New York time, used by files of equities. */

const ZONE = 'America/New_York'

/** Milliseconds by which New York is ahead of UTC at that moment; below 0. */
export function newYorkAheadMs(iso: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: ZONE,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(new Date(iso))
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Date.parse(iso)
}
