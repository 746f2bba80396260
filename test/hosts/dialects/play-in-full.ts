import { isInFull } from '../depth.ts'
import { playEpisodes } from './play-episodes.ts'
import { readTranscripts } from './read-transcripts.ts'

/** The full depth of one program; other files have what only some programs do. */
export function playInFull(id: string): void {
  if (!isInFull(id)) return
  playEpisodes(id)
  readTranscripts(id)
}
