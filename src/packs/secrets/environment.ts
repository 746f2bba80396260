import type { SimpleCommand } from '../../shell/command.ts'
import { printsEnvironment } from '../../shell/variables-shown.ts'
import type { Caught, GuardInput } from '../guard.ts'
import { commandsIn, look, shellGuard } from '../shell-guard.ts'

/** Printing every variable there is. Common, and mostly harmless where secrets are kept elsewhere: off by default. */
export const environmentDump = shellGuard({
  id: 'secrets/environment',
  title: 'Printing the whole environment',
  why: 'Tokens are often handed to programs in variables, and all of them are shown.',
  instead: 'print the one variable that matters (`printenv PATH`), or filter (`env | grep ^NODE_`).',
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
  looks: [look(commandsIn, judge)],
})

function judge(command: SimpleCommand, { event, facts }: GuardInput): Caught | null {
  if (!printsEnvironment(command)) return null
  const filtered = commandsIn(event, facts).some(
    ({ name, inputs }) => FILTERS.has(name ?? '') && inputs?.includes(command) === true,
  )
  return filtered ? null : { caught: 'prints every environment variable', fragment: command.fragment }
}

/** Programs that let only some of it through. */
const FILTERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'wc', 'awk', 'cut', 'head', 'sha256sum'])
