import type { Actor } from '../actor.ts'
import type { Finding } from '../decision.ts'
import type { Event, EventOf } from '../event.ts'
import { type Facts, timerOf } from '../facts.ts'
import type { JsonObject } from '../json.ts'
import { unattendedMode } from './unattended.ts'

/**
 * What pure hooks answered to earlier calls. Agents repeat themselves, and the same call with the same facts gets the same
 * answers, so pure hooks are not asked again. Whatever a pure hook can read is either part of the key (the call and its
 * actor), compared by identity (the memory), read again and compared (links, the branch, single variables of the
 * environment, the stamps of files), or makes the answer one that is not kept (everything else: the clock, a limit of
 * time that passed). A hook that reads what differs between two deliveries of one call is not pure.
 */
export interface KnownAnswers {
  /** Undefined: a call whose answers are never kept. */
  begin(event: Event, actor: Actor, facts: Facts, memory: JsonObject | undefined): WatchedCall | undefined
}

export interface WatchedCall {
  /** The call as the host sent it. */
  readonly event: Event
  /** What pure hooks answered before. Every fact that this depends on is still the same. */
  readonly known: KnownCall | undefined
  /** What pure hooks get, so that it is known what they read. */
  readonly facts: Facts
  /** The hooks that are asked about an event now: only what they say about the call as it was sent can be kept. */
  ask(hookIndexes: readonly number[], event: Event): void
  /** An answer of a pure hook. */
  note(hookIndex: number, finding: Finding): void
  /** All pure hooks have answered. `isAlone`: no other call that must be checked follows from this one. */
  keep(isAlone: boolean): void
}

export interface KnownCall {
  /** By the position of the hook. Who was asked and is not here had no opinion. */
  readonly findings: ReadonlyMap<number, Finding>
  /** The lists of hooks that were asked. */
  readonly asked: readonly (readonly number[])[]
  readonly isAlone: boolean
}

/** A pure hook that was not asked then must be asked now. */
export function wasAsked({ asked }: KnownCall, hookIndexes: readonly number[], hookIndex: number): boolean {
  return asked[0] === hookIndexes || asked.some((list) => list.includes(hookIndex))
}

interface Known extends KnownCall {
  readonly memory: JsonObject
  readonly links: readonly (readonly [path: string, real: string])[]
  readonly variables: readonly (readonly [name: string, value: string | undefined])[]
  readonly files: readonly (readonly [path: string, stamp: string])[]
  readonly branch: { readonly name: string | undefined } | undefined
}

/** More than the different calls of a long session. */
const KEPT_MAX = 500
/** Longer inputs are rarely the same. */
const INPUT_CHARACTERS_MAX = 4_096
/** Looking at more of them again would take as long as judging the call. */
const LINKS_MAX = 32
const FILES_MAX = 32

export function createKnownAnswers(): KnownAnswers {
  const kept = new Map<string, Known>()
  return {
    begin(event, actor, facts, memory) {
      if (event.kind !== 'PreToolUse' || memory === undefined || facts.written !== undefined) return undefined
      if (!isShortAndFlat(event.tool.input)) return undefined
      const key = keyOf(event, actor, facts)
      const known = kept.get(key)
      if (known !== undefined && isStill(known, facts, memory)) return again(event, facts, known)
      kept.delete(key)
      const watch: Watch = {
        asked: [],
        findings: new Map(),
        links: new Map(),
        variables: new Map(),
        files: new Map(),
        branch: undefined,
        isOver: false,
      }
      return {
        event,
        known: undefined,
        facts: watchedFacts(facts, watch),
        ask(hookIndexes, asked) {
          // A changed call is judged with facts that are not watched.
          if (asked === event) watch.asked.push(hookIndexes)
          else watch.isOver = true
        },
        note(hookIndex, finding) {
          // A failure is nothing that follows from the call.
          if (finding.failed === undefined) watch.findings.set(hookIndex, finding)
          else watch.isOver = true
        },
        keep(isAlone) {
          const { asked, findings, links, variables, files, branch, isOver } = watch
          if (isOver || links.size > LINKS_MAX || files.size > FILES_MAX) return
          kept.set(key, {
            asked,
            findings,
            isAlone,
            memory,
            branch,
            links: [...links],
            variables: [...variables],
            files: [...files],
          })
          if (kept.size > KEPT_MAX) dropOldest(kept)
        },
      }
    },
  }
}

function dropOldest(kept: Map<string, Known>): void {
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}

function again(event: Event, facts: Facts, known: Known): WatchedCall {
  return { event, known, facts, ask: NOTHING, note: NOTHING, keep: NOTHING }
}

const NOTHING = () => {}

function isShortAndFlat(input: JsonObject): boolean {
  let characters = 0
  for (const name in input) {
    const value = input[name]
    if (typeof value === 'object' && value !== null) return false
    characters += name.length + (typeof value === 'string' ? value.length : 0)
  }
  return characters <= INPUT_CHARACTERS_MAX
}

/** Everything about the call, its actor and its place, except the ids of this delivery and the host's own payload. */
function keyOf(event: EventOf<'PreToolUse'>, actor: Actor, facts: Facts): string {
  const { host, name, session, agentId, agentType, cwd, permissionMode, transcriptPath, tool } = event
  const { name: toolName, hostName, input, server, files, loadsSkill, background } = tool
  return JSON.stringify([
    ...[host, name, session, agentId, agentType, cwd, permissionMode, transcriptPath],
    ...[toolName, hostName, input, server, files, loadsSkill, background],
    ...[actor.role, actor.agentType, actor.parent, actor.skills, actor.scopeKnown],
    ...[facts.cwd, facts.home, facts.project, facts.platform, unattendedMode(event)],
  ])
}

function isStill({ memory, links, variables, files, branch }: Known, facts: Facts, now: JsonObject): boolean {
  return (
    memory === now &&
    links.every(([path, real]) => facts.realpath(path) === real) &&
    variables.every(([name, value]) => facts.env[name] === value) &&
    files.every(([path, stamp]) => facts.stamp?.(path) === stamp) &&
    (branch === undefined || facts.branch() === branch.name)
  )
}

/** What pure hooks have read, and what they answered. */
interface Watch {
  readonly asked: (readonly number[])[]
  readonly findings: Map<number, Finding>
  readonly links: Map<string, string>
  readonly variables: Map<string, string | undefined>
  readonly files: Map<string, string>
  branch: Known['branch']
  /** They read something that may be different next time. */
  isOver: boolean
}

/** No getters here: an object with its own ones is slow to read for the JavaScript engine. */
function watchedFacts(facts: Facts, watch: Watch): Facts {
  const over = <T>(value: T): T => {
    watch.isOver = true
    return value
  }
  /** Before it is read: what changes later is noticed. */
  const look = (path: string): true => {
    const stamp = facts.stamp?.(path)
    if (stamp === undefined || (watch.files.get(path) ?? stamp) !== stamp) over(true)
    else watch.files.set(path, stamp)
    return true
  }
  return {
    cwd: facts.cwd,
    home: facts.home,
    project: facts.project,
    platform: facts.platform,
    env: watchedVariables(facts.env, watch),
    now: () => over(facts.now()),
    branch() {
      watch.branch ??= { name: facts.branch() }
      return watch.branch.name
    },
    realpath(path) {
      const real = facts.realpath(path)
      watch.links.set(path, real)
      return real
    },
    readText: (path, maxBytes) => look(path) && facts.readText(path, maxBytes),
    readNow(path) {
      look(path)
      return facts.readNow?.(path)
    },
    list: (path) => look(path) && facts.list(path),
    stat: (path) => look(path) && facts.stat(path),
    recentCommits: (count) => over(facts.recentCommits(count)),
    timer: (limitMs) => {
      const hasPassed = timerOf(facts)(limitMs)
      return () => hasPassed() && over(true)
    },
  }
}

function watchedVariables(env: Facts['env'], watch: Watch): Facts['env'] {
  const over = () => {
    watch.isOver = true
  }
  return new Proxy(env, {
    get(all, name) {
      if (typeof name !== 'string') return undefined
      watch.variables.set(name, all[name])
      return all[name]
    },
    has(all, name) {
      over()
      return Reflect.has(all, name)
    },
    ownKeys(all) {
      over()
      return Reflect.ownKeys(all)
    },
    getOwnPropertyDescriptor(all, name) {
      over()
      return Reflect.getOwnPropertyDescriptor(all, name)
    },
  })
}
