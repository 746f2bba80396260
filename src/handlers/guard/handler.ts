import type { Ran } from '../../contracts/ran.ts'
import type { Answer, Failure, Patch } from '../../decision.ts'
import { type Event, toolOf } from '../../event.ts'
import { type Leave, leaveOf, withoutLeave } from '../../exceptions.ts'
import type { Hook } from '../../hook.ts'
import { isObject, textAt } from '../../json.ts'
import { type Caught, type Guard, type GuardInput, isCaught, MODES, type Mode } from '../../packs/guard.ts'
import type { Call, Handler, HandlerTools, Runner } from '../handler.ts'
import { actOf } from './act.ts'
import { allowNotice, detailOf, reasonFor } from './explanation.ts'
import { exceptionFor, isPaused, letThrough } from './leave.ts'
import { denialPatch, deniedBefore } from './repeats.ts'

/** Runs a built-in guard and puts what it caught into words, for the agent and for the person. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'guard',
    prepare(hook) {
      const id = textAt(hook.run, 'guard') ?? ''
      const guard = tools.guard(id)
      if (guard === undefined) return { failure: 'import', message: `there is no guard ${id}` }
      const post = postOf(hook, guard, tools)
      const options = withoutLeave(isObject(hook.run.options) ? hook.run.options : {})
      const runner: Runner = (call) => {
        if (isPaused(post.leave, call) || skippedByKeywords(guard, call.event)) return null
        const { event, actor, facts, memory } = call
        const input: GuardInput = {
          event,
          actor,
          facts,
          options,
          memory,
          ...(guard.knowsAgents === true && call.agents !== undefined
            ? { agents: call.agents() }
            : undefined),
        }
        if (guard.needs !== undefined) return withCommands(post, guard.needs, input, call, tools)
        const outcome = guard.check(input)
        return outcome instanceof Promise
          ? outcome.then((settled) => answerOf(post, settled, call))
          : answerOf(post, outcome, call)
      }
      if (guard.concerns !== undefined) runner.concerns = guard.concerns
      return runner
    },
  }
}

/** A guard where it stands in the plan. */
interface Post {
  readonly hook: Hook
  readonly guard: Guard
  readonly certain: Mode
  readonly unsure: Mode
  readonly leave: Leave
  readonly tellsHowToAllow: boolean
}

function postOf(hook: Hook, guard: Guard, { hasNoExceptions = false }: HandlerTools): Post {
  const mode = (key: 'mode' | 'unsure') => MODES.find((known) => known === hook.run[key]) ?? 'deny'
  const leave = leaveOf(hook.run)
  const exceptions = leave.exceptions.filter((exception) => exception.guard === guard.id)
  return {
    hook,
    guard,
    certain: mode('mode'),
    unsure: mode('unsure'),
    leave: { ...leave, exceptions },
    tellsHowToAllow: !hasNoExceptions,
  }
}

/** More than any guard needs one after another. */
const COMMANDS_MAX = 8

/** Runs what the guard needs, a command at a time, then lets it judge. */
async function withCommands(
  post: Post,
  needs: NonNullable<Guard['needs']>,
  input: GuardInput,
  call: Call,
  tools: HandlerTools,
): Promise<Answer | Failure | null> {
  const { guard } = post
  const ran = new Map<string, Ran>()
  const remember: Patch[] = []
  const startedMs = performance.now()
  for (let times = 0; times < COMMANDS_MAX; times += 1) {
    const command = await needs({ ...input, ran })
    if (command === undefined || ran.has(command.run)) break
    const { runCommands } = await import('../run-commands.ts')
    const key = `${guard.id}/${command.run.slice(0, KEY_CHARACTERS_MAX)}`
    // One event's time is for all of them together.
    const timeoutMs = Math.max(0, call.timeoutMs - (performance.now() - startedMs))
    const { event, actor, facts, memory, signal } = call
    const left: Call = { event, actor, facts, memory, signal, timeoutMs }
    const outcome = await runCommands(
      { commands: [command], key },
      post.hook.run.mayRun === true,
      left,
      tools,
    )
    if ('failure' in outcome) return outcome
    ran.set(command.run, outcome.ran.get(command.run) ?? { is: 'not run' })
    remember.push(...outcome.remember)
  }
  const answer = answerOf(post, await guard.check({ ...input, ran }), call)
  if (remember.length === 0 || call.memory === undefined) return answer
  return {
    ...(answer ?? { effect: 'pass' }),
    remember: [...(answer?.remember ?? []), ...remember],
    rememberDenied: [...(answer?.rememberDenied ?? []), ...remember],
  }
}

const KEY_CHARACTERS_MAX = 80

/**
 * Words may be taken as written only where the shell would: one quote, expansion, escape or pipe (what comes out of it
 * may be decoded) and the guard reads the command itself.
 */
const PLAIN_MAX = 4_096
const PLAIN = /^[\w\s./:=@%+,~^&;()-]*$/

function skippedByKeywords(guard: Guard, event: Event): boolean {
  if (guard.keywords === undefined) return false
  const command = toolOf(event)?.input.command
  if (typeof command !== 'string' || command.length > PLAIN_MAX || !PLAIN.test(command)) return false
  return !guard.keywords.some((word) => command.includes(word))
}

function answerOf(post: Post, outcome: Caught | Answer | null, call: Call): Answer | null {
  if (outcome === null) return null
  if (!isCaught(outcome)) return noStricterThan(post.certain, outcome)
  const { guard, hook } = post
  const weakest = modeFor(post, outcome, false)
  if (weakest === 'off') return null
  if (weakest === 'warn') {
    const detail = detailOf(hook, outcome, undefined, false)
    const notes = outcome.notes === undefined ? {} : { notes: outcome.notes }
    return { effect: 'pass', guard: guard.id, notices: [reasonFor(guard, outcome, false)], detail, ...notes }
  }
  const act = actOf(guard.id, call.event, call.facts)
  const excepted = act === undefined ? undefined : exceptionFor(act, post.leave, call)
  if (excepted !== undefined) return letThrough(guard, excepted, call)
  const text = act?.code ?? ''
  const isRepeat = deniedBefore(call.memory, guard.id, outcome, text)
  return {
    effect: modeFor(post, outcome, isRepeat) === 'deny' ? 'deny' : 'ask',
    guard: guard.id,
    reason: reasonFor(guard, outcome, isRepeat),
    ...(act === undefined || !post.tellsHowToAllow ? {} : { notices: [allowNotice(act)] }),
    rememberDenied: denialPatch(call.memory, guard.id, outcome, text),
    ...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
    detail: detailOf(hook, outcome, act, isRepeat),
  }
}

/** A guard that answers by itself says the most it may: the mode a person chose for it can only weaken that. */
function noStricterThan(mode: Mode, answer: Answer): Answer {
  const { effect, reason, halt: _halt, ...rest } = answer
  if (effect !== 'deny' && effect !== 'ask') return answer
  if (mode === 'deny' || (mode === 'ask' && effect === 'ask')) return answer
  if (mode === 'ask') return { ...rest, effect: 'ask', ...(reason === undefined ? {} : { reason }) }
  const notices = [...(answer.notices ?? []), ...(reason === undefined ? [] : [reason])]
  return { ...rest, effect: 'pass', notices }
}

/**
 * An unsure catch is never stricter than a certain one, whatever the level says; but what was denied before is not
 * asked about because it is spelled so that nobody can tell.
 */
function modeFor({ certain, unsure }: Post, caught: Caught, isRepeat: boolean): Mode {
  if (caught.unsure === undefined || isRepeat) return certain
  return MODES.indexOf(unsure) > MODES.indexOf(certain) ? certain : unsure
}
