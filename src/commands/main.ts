import { Command, CommanderError, type OutputConfiguration } from 'commander'
import { asHoldpointError, describeProblem, ERRORS, type Problem } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { addBoard } from './board-line.ts'
import type { Caller, CallerOutput } from './caller.ts'
import { addCompletion } from './completion-line.ts'
import { addDaemon, addSkill } from './daemon-line.ts'
import { addDecide } from './decide-line.ts'
import { addDocs } from './docs-line.ts'
import { addFleet } from './fleet-line.ts'
import { helpText } from './help.ts'
import { addInstall, addStatus } from './install-line.ts'
import { isHookCall } from './is-hook-call.ts'
import { addJournal } from './journal-line.ts'
import { addLearn } from './learn-line.ts'
import { HOME } from './line-options.ts'
import { addMcp } from './mcp-line.ts'
import { addMux } from './mux-line.ts'
import { addPeople } from './people-line.ts'
import { addPolicy } from './policy-line.ts'
import { fitted, screenWidth } from './screen.ts'

/**
 * The command line: from the words after `holdpoint` to an exit code. Each command is a file, imported only when it is
 * used. Only a mistake of Holdpoint itself rejects.
 *
 * @example
 * process.exitCode = await runCommandLine(['status', '--json'], processCaller())
 */
export async function runCommandLine(argv: readonly string[], caller: Caller): Promise<number> {
  if (isHookCall(argv)) return (await import('./hook.ts')).hook(caller, argv.slice(1))
  // `holdpoint log | head` closes the pipe early; that is not an error.
  caller.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') caller.exit(0)
    throw error
  })
  try {
    await buildProgram(caller).parseAsync(argv, { from: 'user' })
  } catch (error) {
    caller.exitCode = exitCodeOf(caller, error)
  }
  return caller.exitCode
}

/** Of an error that says all there is to say. Commander has written what it has to say before it throws. */
function exitCodeOf(caller: Caller, error: unknown): number {
  // 1 and 2 are answers of commands.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERRORS.OPTION_INVALID.exit
  const known = asHoldpointError(error)
  if (known === undefined) throw error
  caller.stderr.write(`${errorText(caller, known.problem)}
`)
  return known.exitCode
}

/** All commands with their options, before parsing. Shell completion reads them too. */
export function buildProgram(caller: Caller): Command {
  const program = new Command('holdpoint')
    .description('Answers the hook events of AI coding agents with the decision of your policies.')
    .version(VERSION)
    .showHelpAfterError('Run `holdpoint help` to see all commands.')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(outputOf(caller))

  addInstall(caller, program)
  addStatus(caller, program)
  addDecide(caller, program)
  addPolicy(caller, program)
  addJournal(caller, program)
  addBoard(caller, program)
  addLearn(caller, program, HOME)
  addSkill(caller, program)
  addMux(caller, program, HOME)
  addMcp(caller, program, HOME)
  addPeople(caller, program)
  addFleet(caller, program)
  addDaemon(caller, program)
  program
    .command('demo')
    .description('Play an agent session through the real hook and daemon, in a temporary folder.')
    .action(async () => (await import('./demo.ts')).demo(caller))
  addDocs(caller, program)
  addCompletion(caller, program)
  program.helpInformation = () => helpText(screenWidth(caller.stdout))
  for (const command of program.commands) adviseHelp(command, program.name())
  return program
}

function outputOf({ stdout, stderr, colours }: Caller): OutputConfiguration {
  const width = ({ isTTY, columns }: CallerOutput) => (isTTY && columns ? columns : WIDTH_OTHERWISE)
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => width(stdout),
    getErrHelpWidth: () => width(stderr),
    getOutHasColors: () => colours.isColorSupported,
    getErrHasColors: () => colours.isColorSupported,
  }
}

const WIDTH_OTHERWISE = 80

/** After a mistake in the words of a command: the help of this command, not the list of all commands. */
function adviseHelp(command: Command, before: string): void {
  const name = `${before} ${command.name()}`
  // A shell command without quotes is many words, and its options look like ours.
  const quoted = command.registeredArguments.some(({ description }) => description.includes('in quotes'))
  const advice = quoted ? 'Put a shell command in quotes. ' : ''
  command
    .showHelpAfterError(`${advice}Run \`${name} --help\` to see its options.`)
    // The names of arguments can be long; descriptions next to them are wrapped, too.
    .configureHelp({ minWidthToWrap: 20 })
  for (const each of command.commands) adviseHelp(each, name)
}

/** A mistake for people. At a terminal, what to do about it begins a line of its own. */
function errorText(caller: Caller, problem: Problem): string {
  const text = `holdpoint: ${describeProblem(problem)}`
  if (!caller.stderr.isTTY) return text
  const advice = problem.fix ?? ERRORS[problem.code].fix
  const what = text.slice(0, text.length - advice.length).trimEnd()
  return fitted(`${what}\n${advice}`, screenWidth(caller.stderr))
}
