import type { Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { HostRequest } from '../../core/host.ts'
import { decodeMuxPayload } from '../mux-payload.ts'

export function decode(request: HostRequest): Result<Event> {
  return decodeMuxPayload(request, 'mux')
}
