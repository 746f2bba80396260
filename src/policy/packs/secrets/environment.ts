import type { GuardInput, GuardMatch } from '../../../core/guard.ts'
import { wordSet } from '../../../core/word-list.ts'
import { showsVariables } from '../../../shell/flow/shown-variables.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { commandsIn, detector, shellGuard } from '../shell-guard.ts'

/**
 * Printing all variables. This is common, and mostly harmless if secrets are kept elsewhere, so it is off by default.
 */
export const environmentDump = shellGuard({
  id: 'secrets/environment',
  title: 'Printing the whole environment',
  why: 'Tokens are often passed to programs in environment variables, and this prints all of them. The output is sent to the model.',
  instead: 'print only the variable you need (`printenv PATH`), or filter the output (`env | grep ^NODE_`).',
  modes: { standard: 'off', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'env',
      'printenv',
      'env | sort',
      'env > env.txt',
      'sudo env',
      'export -p',
      'declare -px',
      'set | less',
      'printenv -0 | xargs -0 -n1',
      'node -p process.env',
      `python3 -c 'import os; print(dict(os.environ))'`,
      'ps eww',
      'systemctl --user show-environment',
      "docker inspect web --format '{{.Config.Env}}'",
    ],
    passes: [
      'env | grep PATH',
      'env | grep ^NODE_',
      'printenv PATH',
      'env NODE_ENV=test npm test',
      'env -i bash -c ls',
      'export NODE_ENV=test',
      'set -euo pipefail',
      'echo "env"',
      'node -p process.env.NODE_ENV',
      `python3 -c 'import os; print(os.environ["HOME"])'`,
      `node -e 'require("child_process").spawn("ls", {env: process.env})'`,
      'ps aux',
      'ps -ef',
      'printenv HOME | wc -c',
    ],
  },
  mentions: /\bprintenv\b/,
  maybe: 'may print the environment',
  detectors: [detector(commandsIn, judge)],
})

function judge(command: SimpleCommand, { event, facts }: GuardInput): GuardMatch | null {
  if (showsVariables(command) !== 'all') return null
  const filtered = commandsIn(event, facts).some(
    ({ name, inputs }) => FILTERS.has(name ?? '') && inputs?.includes(command) === true,
  )
  return filtered ? null : { caught: 'prints every environment variable', fragment: command.fragment }
}

/** Programs that show only some of the variables. */
const FILTERS = wordSet('grep egrep fgrep rg wc awk cut head sha256sum')
