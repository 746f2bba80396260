import type { Answer, Patch } from '../../../decision.ts'
import { type Event, toolOf } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import type { JsonObject } from '../../../json.ts'
import { exactForm } from '../../../shell/words.ts'
import { changedPaths } from '../../changed-paths.ts'
import { type Caught, type EventExample, type Guard, type GuardInput, isCaught } from '../../guard.ts'
import { shellOf } from '../../shell-of.ts'
import { asCommandLine, type ScriptRun, scriptRun } from './script-runs.ts'

const KEY = 'holdpoint/note/written'

/**
 * An agent that may not do something in a command may still write it into a file and run that. Files written in this
 * session are remembered, and read when they are run; others are not looked at.
 */
export const writtenScript: Guard = {
  id: 'safety/shell/written-script',
  title: 'Running a script that does what is stopped elsewhere',
  why: 'What a command may not do, a file written a moment ago may not do either.',
  instead: 'take that line out of the script, or ask the person to run it.',
  on: ['PreToolUse'],
  match: 'Bash|Write|Edit|MultiEdit|NotebookEdit|apply_patch',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  // What could not be remembered must not stop the work.
  onFailure: 'pass',
  examples: {
    stops: [
      ran('bash x.sh', { 'x.sh': 'set -e\ncd /\nrm -rf /\n' }),
      ran('./x.sh', { 'x.sh': '#!/bin/sh\ngit push --force origin main\n' }),
      ran('source x.sh', { 'x.sh': 'git reset --hard\n' }),
      ran('. ./x.sh', { 'x.sh': 'rm -rf ~\n' }),
      ran('sh -x scripts/clean', { 'scripts/clean': 'find / -delete\n' }),
      ran('chmod +x x.sh && ./x.sh', { 'x.sh': 'rm -rf "$HOME"\n' }),
      ran('bash x.sh /', { 'x.sh': 'rm -rf "$1"\n' }),
      ran('cd scripts && ./x', { 'scripts/x': 'rm -rf ../../..\n' }),
      ran('bash a.sh', { 'a.sh': 'bash b.sh\n', 'b.sh': 'git push -f\n' }),
      ran('timeout 5 bash x.sh &', { 'x.sh': 'rm -rf /etc\n' }),
      ran('python3 x.py', { 'x.py': 'import os\nos.system("rm -rf /")\n' }),
      ran('node x.js', { 'x.js': 'require("child_process").execSync("git push --force")\n' }),
      ran('./x', { x: '#!/usr/bin/env python3\nimport os\nos.system("rm -rf /")\n' }),
    ],
    passes: [
      ran('bash x.sh', { 'x.sh': 'npm test\nrm -rf dist\n' }),
      ran('./x.sh', { 'x.sh': '#!/bin/sh\necho "rm -rf /"\n' }),
      ran('cat x.sh', { 'x.sh': 'rm -rf /\n' }),
      ran('bash -n other.sh', { 'x.sh': 'rm -rf /\n' }),
      ran('shellcheck x.sh', { 'x.sh': 'rm -rf /\n' }),
      ran('git add x.sh', { 'x.sh': 'rm -rf /\n' }),
      ran('bash x.sh', { 'x.sh': 'rm -rf /\n' }, ['/srv/project/y.sh']),
      ran('bash x.sh', {}, ['/srv/project/x.sh']),
      ran('python3 x.py', { 'x.py': 'print("rm -rf /")\n' }),
      ran('bash x.sh', { 'x.sh': 'bash x.sh\n' }),
      ran('echo hi > x.sh', {}),
      'bash x.sh',
      { tool: 'Write', input: { file_path: 'x.sh', content: 'rm -rf /' } },
    ],
  },
  check(input) {
    if (input.memory === undefined) return null
    const runs = runsOf(input.event, input.facts, writtenIn(input.memory))
    return runs.length === 0 ? remembering(input) : judgeRuns(runs, input)
  },
}

const KEPT = 200

function writtenIn(memory: JsonObject): readonly string[] {
  const list = memory[KEY]
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

function remembering({ event, facts, memory }: GuardInput): Answer | null {
  const known = writtenIn(memory ?? {})
  const paths = changedPaths(event, facts).flatMap(({ path, does, guessed }) => {
    const names = path.parts.map(exactForm)
    const isFile = does === 'writes' && guessed !== true && path.anchored && !names.includes(undefined)
    return isFile && names[0] !== 'dev' ? [`/${names.join('/')}`] : []
  })
  const added = [...new Set(paths)].filter((path) => !known.includes(path)).slice(0, KEPT)
  const remember = added.map((value): Patch => ({ op: 'push', key: KEY, value, keep: KEPT }))
  return remember.length === 0 ? null : { effect: 'pass', remember }
}

function runsOf(event: Event, facts: Facts, written: readonly string[]): readonly ScriptRun[] {
  if (written.length === 0) return []
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return []
  return analysis.commands.flatMap((command) => {
    const run = scriptRun(command, facts.home)
    const isOwn =
      run !== undefined && (written.includes(run.path) || written.includes(facts.realpath(run.path)))
    return isOwn ? [run] : []
  })
}

async function judgeRuns(runs: readonly ScriptRun[], input: GuardInput): Promise<Caught | Answer | null> {
  for (const run of runs.slice(0, RUNS_MAX)) {
    const caught = await judgeRun(run, input)
    if (caught !== null) return caught
  }
  return remembering(input)
}

const RUNS_MAX = 8
const TEXT_MAX_BYTES = 256 * 1024

async function judgeRun(run: ScriptRun, input: GuardInput): Promise<Caught | null> {
  const text = await input.facts.readText(run.path, TEXT_MAX_BYTES)
  const command = text === undefined ? undefined : asCommandLine(text, run)
  const tool = toolOf(input.event)
  if (text === undefined || command === undefined || tool === undefined) return null
  const event = { ...input.event, tool: { ...tool, input: { command } } } as Event
  // A script that runs itself, or one that runs it, is read once.
  const left = writtenIn(input.memory ?? {}).filter((path) => path !== run.path)
  const inside: GuardInput = {
    ...input,
    event,
    facts: { ...input.facts, cwd: run.command.cwd ?? input.facts.cwd },
    memory: { ...input.memory, [KEY]: left },
  }
  let doubt: Caught | null = null
  for (const guard of await guardsOfPack()) {
    const outcome = await guard.check(inside)
    if (outcome === null || !isCaught(outcome)) continue
    if (outcome.unsure === undefined) return said(run, text, guard, outcome)
    // Scripts are full of variables: a doubt counts only where being wrong cannot be undone.
    if (guard.modes.standard === 'deny') doubt ??= said(run, text, guard, outcome)
  }
  return doubt
}

/** Loaded when there is something to judge: the pack names this guard too. */
async function guardsOfPack(): Promise<readonly Guard[]> {
  const { pack } = await import('../pack.ts')
  return pack.guards.filter(({ id, match, modes }) => {
    return match.split('|').includes('Bash') && modes.standard !== 'off' && id !== 'safety/shell/unreadable'
  })
}

function said(run: ScriptRun, text: string, guard: Guard, caught: Caught): Caught {
  const line = lineOf(caught.fragment, text)
  const where = line === undefined ? '' : `, line ${line}`
  const detail = {
    ...caught.detail,
    script: run.path,
    caughtBy: guard.id,
    ...(line === undefined ? {} : { line }),
  }
  const unsure = caught.unsure === undefined ? {} : { unsure: caught.unsure }
  return {
    caught: `runs ${run.path}, written in this session, which ${caught.caught} (${guard.id}${where})`,
    fragment: caught.fragment ?? run.command.fragment,
    ...unsure,
    detail,
  }
}

function lineOf(fragment: string | undefined, text: string): number | undefined {
  const [first = ''] = (fragment ?? '').split('\n')
  const at = first === '' ? -1 : text.indexOf(first)
  return at < 0 ? undefined : text.slice(0, at).split('\n').length
}

/** A command in a session that wrote these files; all of them unless others are named. */
function ran(
  command: string,
  files: Readonly<Record<string, string>>,
  written: readonly string[] = Object.keys(files).map((name) => `/srv/project/${name}`),
): EventExample {
  const there = Object.entries(files).map(([name, text]) => [`/srv/project/${name}`, text])
  return {
    kind: 'PreToolUse',
    fields: { tool: { name: 'Bash', input: { command } } },
    files: Object.fromEntries(there),
    memory: { [KEY]: written },
  }
}
