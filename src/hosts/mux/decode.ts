import type { Result } from '../../errors.ts'
import type { Event } from '../../event.ts'
import type { HostRequest } from '../host.ts'
import { decodeMuxPayload } from '../mux-payload.ts'

export function decode(request: HostRequest): Result<Event> {
  return decodeMuxPayload(request, 'mux')
}
