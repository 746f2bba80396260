import type { ImpliedCall } from '../../core/engine/implied-calls.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import {
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

async function ofStart(event: Event, start: InstructionStart, facts: Facts): Promise<readonly ImpliedCall[]> {
  const files = await startedInstructionFiles(event, start, facts)
  return files.flatMap((file) => {
    const known = instructionKind(file.path)
    const kind = known === undefined || known === 'imports' ? 'markdown' : known
    const texts = new Set([file.text, withArguments(file, start.args)])
    const commands = [...texts].flatMap((text) => commandsOfText(text, kind, file.path))
    const once = new Map(commands.map((each) => [each.command, each]))
    return calls(event, [...once.values()], (command) => `${file.path} runs \`${command}\` when it starts`)
  })
}

/** As the agent puts them in: as text, before a shell reads it. */
function withArguments({ path, text }: InstructionFile, args: string): string {
  const words = args.trim() === '' ? [] : args.trim().split(/\s+/)
  const folder = path.slice(0, path.lastIndexOf('/'))
  return text
    .replace(/\$ARGUMENTS\[(\d+)\]|\$(\d+)/g, (_all, index?: string, position?: string) =>
      index === undefined ? (words[Math.max(0, Number(position) - 1)] ?? '') : (words[Number(index)] ?? ''),
    )
    .replaceAll('$ARGUMENTS', () => args)
    .replace(/\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g, () => folder)
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
