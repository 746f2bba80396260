import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pc from 'picocolors'
import { isObject, type JsonObject, textAt } from '../json.ts'
import { startProgram } from '../world/start-program.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
/** The entry an agent starts, and a session recorded from Claude Code, both beside the built command line. */
const HOOK = join(HERE, '..', 'hook.cjs')
const SESSION = join(HERE, '..', '..', 'demo', 'session.jsonl')
/** Where the recorded agent worked; the play puts it into the throw-away project. */
const RECORDED_PROJECT = '/tmp/project'

const CONFIG = `version: 1
packs:
  safety: true
  secrets: true
`

/** A recorded session through the real hook entry, event by event, in a project that is thrown away. */
export async function demo(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-demo-'))
  const project = join(folder, 'project')
  try {
    mkdirSync(join(project, '.holdpoint'), { recursive: true })
    writeFileSync(join(project, '.holdpoint', 'config.yaml'), CONFIG)
    process.stdout.write(
      `A session recorded from Claude Code, played through \`holdpoint hook claude-code\`.\n`,
    )
    process.stdout.write(`Policies: packs ${pc.bold('safety')} and ${pc.bold('secrets')}.\n\n`)
    const counts = { go: 0, stopped: 0 }
    for (const payload of recordedSession(project)) {
      const played = await play(payload, project, join(folder, 'home'))
      counts[played.stopped ? 'stopped' : 'go'] += 1
      show(payload, played)
    }
    process.stdout.write(
      `\n${counts.go} events went on, ${counts.stopped} calls were stopped, each with a reason the agent can act on.\n`,
    )
    process.stdout.write(
      `Try your own: ${pc.cyan(`npx holdpoint test --tool Bash --args '{"command": "git push -f"}'`)}\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Played {
  readonly stopped: boolean
  readonly decision: string
  readonly reason: string
  readonly tookMs: number
}

function recordedSession(project: string): readonly JsonObject[] {
  const text = readFileSync(SESSION, 'utf8').replaceAll(RECORDED_PROJECT, project)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isObject)
}

async function play(payload: JsonObject, project: string, home: string): Promise<Played> {
  const startedMs = performance.now()
  const ran = await startProgram(process.execPath, [HOOK, 'claude-code', '--home', home], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: '/home/dev', CLAUDE_PROJECT_DIR: project },
    input: JSON.stringify(payload),
    timeoutMs: HOOK_MAX_MS,
  })
  return { ...readReply(ran.stdout, ran.stderr, ran.exitCode), tookMs: performance.now() - startedMs }
}

const HOOK_MAX_MS = 30_000

function readReply(stdout: string, stderr: string, code: number | null): Omit<Played, 'tookMs'> {
  if (code !== 0) return { stopped: true, decision: `exit ${code}`, reason: stderr.trim() }
  const reply: unknown = JSON.parse(stdout)
  const specific = isObject(reply) && isObject(reply.hookSpecificOutput) ? reply.hookSpecificOutput : {}
  const decision =
    textAt(specific, 'permissionDecision') ?? (isObject(reply) ? textAt(reply, 'decision') : undefined)
  const reason =
    textAt(specific, 'permissionDecisionReason') ?? (isObject(reply) ? textAt(reply, 'reason') : undefined)
  return { stopped: decision !== undefined, decision: decision ?? 'go on', reason: reason ?? '' }
}

function show(payload: JsonObject, played: Played): void {
  const input = isObject(payload.tool_input) ? payload.tool_input : {}
  const subject =
    textAt(input, 'command') ??
    textAt(input, 'file_path') ??
    textAt(input, 'prompt') ??
    textAt(payload, 'prompt') ??
    ''
  const who =
    textAt(payload, 'agent_type') === undefined ? '' : pc.magenta(` ${textAt(payload, 'agent_type')}`)
  const what = `${textAt(payload, 'hook_event_name') ?? ''} ${textAt(payload, 'tool_name') ?? ''}`.trim()
  const colour = played.stopped ? pc.red : pc.green
  const time = pc.dim(`${played.tookMs.toFixed(0)} ms`)
  process.stdout.write(
    `${colour(played.decision.padEnd(6))} ${what}${who} ${pc.bold(oneLine(subject))} ${time}\n`,
  )
  if (played.reason !== '') process.stdout.write(`       ${pc.dim(oneLine(played.reason, 300))}\n`)
}

function oneLine(text: string, max = 70): string {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}
