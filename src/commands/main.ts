import { Command } from 'commander'
import { describeProblem, ERRORS, HoldpointError, type Problem } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { addCompletion } from './completion-line.ts'
import { addDaemon, addSkill } from './daemon-line.ts'
import { addDecide } from './decide-line.ts'
import { addDocs } from './docs-line.ts'
import { helpText } from './help.ts'
import { addInstall, addStatus } from './install-line.ts'
import { addJournal } from './journal-line.ts'
import { addLearn } from './learn-line.ts'
import { HOME } from './line-options.ts'
import { addMcp } from './mcp-line.ts'
import { addMux } from './mux-line.ts'
import { addPeople } from './people-line.ts'
import { addPolicy } from './policy-line.ts'
import { fitted, screenWidth } from './screen.ts'

/** The command line. Each command is a file, imported only when it is used. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = buildProgram()
  // `holdpoint log | head` closes the pipe early; that is not an error.
  process.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error
    process.stderr.write(`${errorText(error.problem)}\n`)
    process.exitCode = error.exitCode
  }
}

/** All commands with their options, before parsing. Shell completion reads them too. */
export function buildProgram(): Command {
  const program = new Command('holdpoint')
    .description('Answers the hook events of AI coding agents with the decision of your policies.')
    .version(VERSION)
    .showHelpAfterError('Run `holdpoint help` to see all commands.')
    .enablePositionalOptions()
    // 1 and 2 are answers of commands.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : ERRORS.OPTION_INVALID.exit))

  addInstall(program)
  addStatus(program)
  addDecide(program)
  addPolicy(program)
  addJournal(program)
  addLearn(program, HOME)
  addSkill(program)
  addMux(program, HOME)
  addMcp(program, HOME)
  addPeople(program)
  addDaemon(program)
  program
    .command('demo')
    .description('Play an agent session through the real hook and daemon, in a temporary folder.')
    .action(async () => (await import('./demo.ts')).demo())
  addDocs(program)
  addCompletion(program)
  program.helpInformation = () => helpText()
  for (const command of program.commands) adviseHelp(command, program.name())
  return program
}

/** After a mistake in the words of a command: the help of this command, not the list of all commands. */
function adviseHelp(command: Command, before: string): void {
  const name = `${before} ${command.name()}`
  command
    .showHelpAfterError(`Run \`${name} --help\` to see its options.`)
    // The names of arguments can be long; descriptions next to them are wrapped, too.
    .configureHelp({ minWidthToWrap: 20 })
  for (const each of command.commands) adviseHelp(each, name)
}

/** A mistake for people. At a terminal, what to do about it begins a line of its own. */
function errorText(problem: Problem): string {
  const text = `holdpoint: ${describeProblem(problem)}`
  if (!process.stderr.isTTY) return text
  const advice = problem.fix ?? ERRORS[problem.code].fix
  const what = text.slice(0, text.length - advice.length).trimEnd()
  return fitted(`${what}\n${advice}`, screenWidth(process.stderr))
}
