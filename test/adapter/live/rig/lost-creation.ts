/**
 * A creation that is answered by no one.
 */
import type { FakeLiveTime } from './fake-live-time.ts'
import type { FaultyService } from './faulty-service.ts'

/** Of the next creation; it is executed after `executedAfterMs`, or never. */
export function loseCreation(service: FaultyService, time: FakeLiveTime, executedAfterMs?: number): void {
  const create = service.create.bind(service)
  service.create = (request) => {
    service.create = create
    const call = service.posts.length
    service.posts.push(request)
    if (executedAfterMs !== undefined) time.after(executedAfterMs, () => void service.execute(request, call))
    return Promise.resolve({ type: 'unknown', reason: 'lost' })
  }
}
