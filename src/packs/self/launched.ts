import type { SimpleCommand } from '../../shell/command.ts'
import { optionTable, readOptions, valuesOf } from '../../shell/options.ts'
import { baseName } from '../../shell/paths.ts'
import { exactText, type Word } from '../../shell/words.ts'

/** What a command starts, whatever it is started with: `npx x`, `npm exec -- x`, `node …/x.cjs`, `x`. */
export interface Launched {
  /** The program's bare name: of `@openai/codex@latest` and `/opt/bin/codex.js`, `codex`. */
  readonly name: string
  readonly args: readonly Word[]
}

/** Undefined when that is known only at run time. */
export function launched({ name, args }: Pick<SimpleCommand, 'name' | 'args'>): Launched | undefined {
  if (name === undefined) return undefined
  if (RUNNERS.has(name)) return afterPackage(args)
  if (MANAGERS.has(name)) {
    const [verb, ...rest] = readOptions(args, OPTIONS, { stopAtOperand: true }).operands
    return /^(?:exec|x|dlx|run)$/.test(exactText(verb) ?? '') ? afterPackage(rest) : { name, args }
  }
  if (INTERPRETERS.test(name)) return afterScript(name, args)
  return { name: nameOf(name), args }
}

const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'corepack', 'volta', 'mise', 'asdf'])
const INTERPRETERS = /^(?:node|nodejs|tsx|ts-node|deno|bun)$/

const OPTIONS = optionTable(
  ...['p|package=', 'c|call=', 'w|workspace=', 'prefix=', 'registry=', 'cache=', 'node-options=', 'C|dir='],
  ...['filter=', 'y|yes', 'no', 'no-install', 'q|quiet', 's|silent', 'prefer-offline', 'offline', 'g|global'],
)

/** The first word is a package, or with `--package` a program of it. */
function afterPackage(args: readonly Word[]): Launched | undefined {
  const [first, ...rest] = readOptions(args, OPTIONS, { stopAtOperand: true }).operands
  const name = exactText(first)
  return name === undefined ? undefined : { name: nameOf(name), args: rest }
}

const SCRIPT_OPTIONS = optionTable(
  ...[
    'r|require=',
    'import=',
    'loader=',
    'experimental-loader=',
    'e|eval=',
    'p|print=',
    'C|conditions=',
    'env-file=',
  ],
  ...['max-old-space-size=?', 'inspect=?', 'no-warnings', 'enable-source-maps', 'A|allow-all'],
)

function afterScript(name: string, args: readonly Word[]): Launched | undefined {
  const read = readOptions(args, SCRIPT_OPTIONS, { stopAtOperand: true })
  if (valuesOf(read, 'eval', 'print').length > 0) return { name, args }
  const [script, ...rest] = exactText(read.operands[0]) === 'run' ? read.operands.slice(1) : read.operands
  const path = exactText(script)
  return path === undefined ? undefined : { name: scriptName(path), args: rest }
}

/** A script may be named for its place: `…/node_modules/@openai/codex/bin/run.js`. */
function scriptName(path: string): string {
  const own = nameOf(baseName(path).replace(/\.[cm]?[jt]s$/, ''))
  if (PROGRAMS.has(own)) return own
  const inside = [...path.matchAll(/(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1]
  const folder = /(?:^|\/)((?:@[^/]+\/)?[^/]+)\/(?:dist|bin|cli|bundle)\/[^/]+$/.exec(path)?.[1]
  const found = [inside, folder].map((each) => nameOf(each ?? '')).find((each) => PROGRAMS.has(each))
  return found ?? own
}

/** Packages whose program has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@anthropic-ai/claude-code': 'claude',
  'claude-code': 'claude',
  '@openai/codex': 'codex',
  '@google/gemini-cli': 'gemini',
  'gemini-cli': 'gemini',
  '@qwen-code/qwen-code': 'qwen',
  'qwen-code': 'qwen',
  '@github/copilot': 'copilot',
  'opencode-ai': 'opencode',
}
const PROGRAMS = new Set(['holdpoint', 'holdpoint-hook', ...Object.values(PACKAGES)])

function nameOf(spec: string): string {
  const bare = spec.replace(/(?<=.)@[^/]*$/, '')
  return Object.hasOwn(PACKAGES, bare)
    ? (PACKAGES[bare] ?? bare)
    : baseName(bare).replace(/\.(?:[cm]?js|exe|cmd)$/, '')
}
