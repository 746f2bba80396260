import type { ImpliedCall } from '../../core/engine/implied-calls.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { argumentTexts } from './instruction-arguments.ts'
import {
  ANY_AGENT,
  type InstructionFile,
  type InstructionStart,
  startedInstruction,
  startedInstructionFiles,
} from './instruction-starts.ts'
import { instructionWrites, writtenInstructions } from './instruction-writes.ts'
import {
  commandsOfText,
  INSTRUCTION_COMMANDS_MAX,
  type InstructionCommand,
  instructionKind,
  listedIn,
} from './instructions.ts'

/**
 * The commands that an event leads to without a call of their own: those of a file of instructions that it writes, and
 * those of the instructions that it starts. Sync and empty for nearly every event.
 */
export function impliedCalls(
  event: Event,
  facts: Facts,
): readonly ImpliedCall[] | Promise<readonly ImpliedCall[]> {
  const start = startedInstruction(event)
  if (start !== undefined) return ofStart(event, start, facts)
  return writtenInstructions(event, facts).length === 0 ? NONE : ofWrites(event, facts)
}

const NONE: readonly ImpliedCall[] = []

/** What the file had in it before was judged then, or is a person's own. */
async function ofWrites(event: Event, facts: Facts): Promise<readonly ImpliedCall[]> {
  const writes = await instructionWrites(event, facts)
  return writes.flatMap(({ path, kind, text, before }) => {
    const known = new Set(commandsOfText(before, kind, path).map(({ command }) => command))
    const added = commandsOfText(text, kind, path).filter(({ command }) => !known.has(command))
    return calls(event, added, (command) => `${path} would run \`${command}\` without a call that is checked`)
  })
}

/** An agent starts the skills that it names, and a skill the agent that it runs in. */
async function ofStart(event: Event, first: InstructionStart, facts: Facts): Promise<readonly ImpliedCall[]> {
  const found = new Map<string, ImpliedCall>()
  const seen = new Set<string>()
  let starts: readonly InstructionStart[] = [first]
  for (let depth = 0; depth < STARTS_MAX && starts.length > 0; depth += 1) {
    const next: InstructionStart[] = []
    for (const start of starts) {
      for (const file of await startedInstructionFiles(event, start, facts)) {
        if (seen.has(file.path)) continue
        seen.add(file.path)
        for (const call of ofFile(event, start, file)) found.set(call.says, call)
        next.push(...startsOf(start, file))
      }
    }
    starts = next
  }
  return [...found.values()]
}

/** One starts the next: a skill, its agent, the skills of that. */
const STARTS_MAX = 4

function ofFile(event: Event, start: InstructionStart, file: InstructionFile): readonly ImpliedCall[] {
  // The script of a workflow reaches nothing but agents, whose calls are checked.
  if (start.kind === 'workflow') return NONE
  const known = instructionKind(file.path)
  const kind = known === undefined || known === 'imports' ? 'markdown' : known
  const texts = argumentTexts(file, start.args)
  const commands = texts.flatMap((text) => commandsOfText(text, kind, file.path))
  const once = new Map(commands.map((each) => [each.command, each]))
  return calls(event, [...once.values()], (command) => `${file.path} runs \`${command}\` when it starts`)
}

function startsOf({ kind }: InstructionStart, { text }: InstructionFile): readonly InstructionStart[] {
  if (kind === 'workflow') return [{ kind: 'agent', names: [ANY_AGENT, ...quotedNames(text)], args: '' }]
  const names = listedIn(text, kind === 'agent' ? 'skills' : 'agent')
  return names.length === 0 ? [] : [{ kind: kind === 'agent' ? 'skill' : 'agent', names, args: '' }]
}

/** A script may name any agent. */
function quotedNames(script: string): readonly string[] {
  return [...new Set([...script.matchAll(/(["'`])([\w.:@-]{1,64})\1/g)].map(([, , name = '']) => name))]
}

function calls(
  event: Event,
  commands: readonly InstructionCommand[],
  says: (command: string) => string,
): readonly ImpliedCall[] {
  const { host, session, cwd, agentId, agentType, permissionMode, promptId, transcriptPath } = event
  const base = {
    ...{ host, session, cwd, raw: {}, name: 'PreToolUse', kind: 'PreToolUse' as const },
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(promptId === undefined ? {} : { promptId }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  }
  const judged = commands.slice(0, INSTRUCTION_COMMANDS_MAX).map(({ command, shell }) => ({
    says: says(shorten(command)),
    event: { ...base, tool: { name: shell, input: { command } } },
  }))
  if (commands.length <= INSTRUCTION_COMMANDS_MAX) return judged
  const text = `${says('…')}, and has more than ${INSTRUCTION_COMMANDS_MAX} commands, which is too many to check`
  return [...judged, { says: text, event: undefined }]
}

function shorten(command: string): string {
  const line = command.replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}
