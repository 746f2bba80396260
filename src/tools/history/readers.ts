import type { Host } from '../../core/host.ts'
import type { TranscriptReader } from '../../core/transcript.ts'
import { findHost } from '../../hosts/find-host.ts'
import { TRANSCRIPTS } from '../../hosts/transcripts.ts'

export interface ReadableHost {
  readonly host: Host
  readonly reader: TranscriptReader
}

/** The host with the reader of its transcripts. Undefined: it leaves none, or there is no such host. */
export async function findReader(id: string): Promise<ReadableHost | undefined> {
  const member = Object.hasOwn(TRANSCRIPTS, id) ? await TRANSCRIPTS[id]?.() : undefined
  const host = await findHost(id)
  return member === undefined || !host.ok ? undefined : { host: host.value, reader: member.transcript }
}

/** Every reader, or those of the hosts named. */
export async function transcriptReaders(ids?: readonly string[]): Promise<readonly TranscriptReader[]> {
  const wanted = ids ?? Object.keys(TRANSCRIPTS)
  const found = await Promise.all(wanted.map(findReader))
  return found.flatMap((each) => (each === undefined ? [] : [each.reader]))
}
