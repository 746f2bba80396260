import { HoldpointError } from '../core/errors.ts'
import { NO_TRANSCRIPTS, TRANSCRIPTS } from '../hosts/transcripts.ts'

/** The hosts of `--host`. One without transcripts is refused: nothing found there would look like nothing done. */
export async function hostsWithTranscripts(
  hosts: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const unknown = hosts?.find((host) => !Object.hasOwn(TRANSCRIPTS, host))
  if (unknown === undefined) return hosts
  const why = Object.hasOwn(NO_TRANSCRIPTS, unknown)
    ? (await NO_TRANSCRIPTS[unknown]?.())?.noTranscript.why
    : undefined
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--host',
    message: [
      `There are no transcripts of "${unknown}" that can be read.`,
      ...(why === undefined ? [] : [why]),
    ].join(' '),
    fix: `Use one of: ${Object.keys(TRANSCRIPTS).join(', ')}.`,
  })
}
