import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TranscriptCall, TranscriptReader } from '../../src/core/transcript.ts'
import { findTranscripts } from '../../src/tools/history/find-transcripts.ts'
import { nothingUnread, objectsIn } from '../../src/tools/history/read-transcript.ts'
import type { Conversations } from './agent-setup.ts'
import { ROOT, type Sandbox } from './sandbox.ts'

/**
 * What every program does once so that its transcripts can be read: calls that run, fail and are denied, and
 * a sub-agent.
 */
export const SCRIPT: Conversations = {
  main: [
    { say: 'First.', do: [{ shell: 'echo one > one.txt' }, { shell: 'ls missing-folder' }] },
    { do: [{ shell: 'git push --force origin main' }] },
    { do: [{ write: 'note.txt', text: 'hello' }] },
    { do: [{ delegate: 'helper' }] },
    { do: [{ shell: 'cat one.txt' }] },
  ],
  helper: [{ do: [{ shell: 'echo two > two.txt' }] }, { do: [{ shell: 'rm -rf ~/important' }] }],
}

/** The same for a program without sub-agents. */
export const SCRIPT_ALONE: Conversations = {
  main: (SCRIPT.main ?? []).filter((turn) => !turn.do?.some((act) => 'delegate' in act)),
}

type Files = readonly (readonly [path: string, text: string])[]

/** The transcripts in a sandbox, without its folders. */
export function transcriptsIn(sandbox: Sandbox, reader: TranscriptReader): Files {
  const { home, project } = sandbox.places
  const places = { home, project, env: sandbox.env }
  if (reader.format !== 'jsonl') {
    return findTranscripts([reader], { places }).sessions.flatMap(({ files }) =>
      files.map(({ file, path }) => {
        const lines = [...objectsIn(file, path, reader, nothingUnread())].map((line) => JSON.stringify(line))
        return [path, withoutPlaces(lines.map((line) => `${line}\n`).join(''), sandbox)] as const
      }),
    )
  }
  return reader
    .roots(places)
    .flatMap((root) => filesBelow(root, ''))
    .flatMap(([path, text]) =>
      reader.sessionAt(path) === undefined
        ? []
        : [[withoutPlaces(path, sandbox), withoutPlaces(text, sandbox)] as const],
    )
}

/** The calls in them, from oldest to newest. */
export function callsIn(files: Files, reader: TranscriptReader): readonly TranscriptCall[] {
  return files
    .flatMap(([path, text]) => {
      const read = reader.open(path)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .flatMap((line) => read(JSON.parse(line)))
    })
    .flatMap((item) => (item.kind === 'call' ? [item.call] : []))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
}

function filesBelow(root: string, below: string): Files {
  return namesIn(join(root, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`
    const full = join(root, path)
    return statSync(full).isDirectory() ? filesBelow(root, path) : [[path, readFileSync(full, 'utf8')]]
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function withoutPlaces(text: string, { places }: Sandbox): string {
  const { project, holdpoint, home, temporary } = places
  return text
    .replaceAll(encodeURIComponent(project), encodeURIComponent('/srv/project'))
    .replaceAll(project.replaceAll('/', '-').slice(1), 'srv-project')
    .replaceAll(project, '/srv/project')
    .replaceAll(holdpoint, '/home/dev/.config/holdpoint')
    .replaceAll(home, '/home/dev')
    .replaceAll(temporary, '/tmp')
}

/** The files as they are, except for lines that contain only the prompts of the program, and for longer texts. */
const TEXT_MAX = 200
const LINE_MAX = 2_000
const PROMPTS =
  /^(?:api-request.*|world_state|token_usage_record|atis-latch|tools-used|last-prompt|cost-state|session\.usage_record|hook\..*|system\.message)$/

/** Renews the fixture of a host with what its program wrote. */
export function writeFixture(reader: TranscriptReader, files: Files): void {
  const folder = join(ROOT, 'src', 'hosts', reader.host, 'transcripts')
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    const isHinted = (line: string) => reader.hints.some((hint) => line.includes(hint))
    const lines = text
      .split('\n')
      .filter((line) => line !== '' && isKept(JSON.parse(line)))
      .map((line) => [line, JSON.stringify(JSON.parse(line), shortened)] as const)
      .filter(([line, short]) => isHinted(line) || short.length <= LINE_MAX)
    const to = join(folder, path.replace(/^-tmp-[^/]*/, '-srv-project'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, lines.map(([, short]) => `${short}\n`).join(''))
  }
}

function isKept({ type, attachment }: { type?: string; attachment?: { type?: string } }): boolean {
  if (type === 'attachment') return /^hook_/.test(attachment?.type ?? '')
  return !PROMPTS.test(type ?? '')
}

/** Of the texts that a program adds to a conversation, only those that a reader needs stay complete. */
function shortened(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > TEXT_MAX && value.startsWith('{')) {
    // A column of a database that contains a line.
    const line = parsed(value)
    if (line !== undefined) return JSON.stringify(line, shortened)
  }
  if (typeof value !== 'string' || value.startsWith('<session_context>')) return value
  if (value.startsWith('<system-reminder>')) return '<system-reminder>…'
  return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
