import { expect, it } from 'vitest'
import { HOSTS } from './index.ts'
import { NO_TRANSCRIPTS, TRANSCRIPTS } from './transcripts.ts'

it('has for each host a reader of its transcripts, or the reason why there is none', async () => {
  expect([...Object.keys(TRANSCRIPTS), ...Object.keys(NO_TRANSCRIPTS)].sort()).toEqual(
    Object.keys(HOSTS).sort(),
  )
  for (const [id, load] of Object.entries(TRANSCRIPTS)) expect((await load()).transcript.host).toBe(id)
  for (const [id, load] of Object.entries(NO_TRANSCRIPTS)) {
    const { host, why } = (await load()).noTranscript
    expect(host).toBe(id)
    expect(why).toMatch(/^[A-Z].*\.$/)
  }
})
